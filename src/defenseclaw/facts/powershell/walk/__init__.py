"""Tree to commands: what would run, with values that are known."""
