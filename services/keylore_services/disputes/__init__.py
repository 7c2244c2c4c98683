"""Disputes as a service: evidence is collected from the records, rulings take effect on the standings."""
