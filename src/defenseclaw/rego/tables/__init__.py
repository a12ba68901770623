"""What modules may call."""
