"""Data only: which paths, hosts and tools mean what."""
