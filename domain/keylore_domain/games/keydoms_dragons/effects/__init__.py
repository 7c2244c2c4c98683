"""What locations, artefacts, spells and ghosts do."""
