"""Keyper at Sea with Keyper: modes base, shallow and deep, 2 to 4 seats."""
