"""Bounded readers for code that is handed to interpreters as an argument or on standard input."""
