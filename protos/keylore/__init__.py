"""The generated protocol of keylore."""
