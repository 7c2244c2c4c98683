"""What the greedy bot thinks of a move: one module per game, named by the game's id.

Each has ``score(view, kind, context, seat, move) -> int``: higher is better; all arguments are the plain JSON
values that a bot is sent, so a heuristic knows no more than its seat.
"""
