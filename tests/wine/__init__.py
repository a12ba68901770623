"""What needs a Windows: run by Wine, in a private prefix."""
