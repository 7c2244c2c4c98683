"""What is true: rules, matches and tournaments. Pure, deterministic, without input or output."""
