"""Other spellings of shell commands: what must not change a verdict, and what must not cause one."""
