"""What the respellings of both Windows dialects share."""
