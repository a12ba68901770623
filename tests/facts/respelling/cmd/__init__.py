"""Other spellings of commands of cmd.exe, and texts that only mention them."""
