"""What happens: one function per step, location and spell, and the tables of them."""
