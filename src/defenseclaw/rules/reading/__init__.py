"""From the bytes of a rule file to admitted rules."""
