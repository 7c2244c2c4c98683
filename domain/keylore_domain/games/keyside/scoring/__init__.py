"""What is counted at the end, and what it comes to."""
