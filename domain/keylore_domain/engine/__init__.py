"""What every game shares: seats, prompts, chance, facts, matches, outcomes. Knows no game."""
