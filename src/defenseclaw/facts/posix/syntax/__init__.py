"""Grammar: from text to syntax tree."""
