"""What the system's calls mean on Linux and macOS."""
