"""What keylore does: storing, sending, waiting."""
