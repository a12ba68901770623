"""What cmd itself knows."""
