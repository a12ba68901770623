"""Other spellings of shell commands, and texts that only mention them."""
