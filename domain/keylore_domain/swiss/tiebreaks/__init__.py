"""Tie-breaks: what decides among entrants with the same points, each value with the terms it is made of."""
