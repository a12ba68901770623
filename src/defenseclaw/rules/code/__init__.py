"""Rules about code that a call writes into files: languages, their strings and comments, values."""
