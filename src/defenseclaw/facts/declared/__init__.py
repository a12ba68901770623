"""What the user declares about programs that our tables do not have."""
