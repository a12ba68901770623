"""What each agent sends and takes, row by row."""
