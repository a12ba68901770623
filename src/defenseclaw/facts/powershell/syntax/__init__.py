"""Text to tree: what PowerShell sees in a text."""
