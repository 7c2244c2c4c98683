"""What moves do: placing, actions, tiles and the steps of a season end."""
