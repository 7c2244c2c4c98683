"""Keydom's Dragons: secret workers, dragons' treasures, magic artefacts, ghosts."""
