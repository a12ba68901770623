"""Other spellings of PowerShell commands, and texts that only mention them."""
