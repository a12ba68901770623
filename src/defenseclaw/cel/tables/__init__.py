"""Tables of the language."""
