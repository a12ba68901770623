"""One command group per file."""
