"""Reading cmd text: percent expansion, special characters, the tree, and words."""
