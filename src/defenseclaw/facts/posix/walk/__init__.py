"""The symbolic run: from syntax tree to commands."""
