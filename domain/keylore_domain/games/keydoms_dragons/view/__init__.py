"""What a seat, or the public, sees; what it may know of a fact; what it cannot tell apart (spec §9)."""
