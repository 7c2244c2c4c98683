"""The component data: entries of the file, their checks, and the parts made of them."""
