"""Running tournaments from registration to final standings."""
