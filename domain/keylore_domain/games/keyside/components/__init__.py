"""The component data: its types, what it must fulfil, and ready for play."""
