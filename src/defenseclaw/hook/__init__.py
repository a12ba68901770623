"""The short-lived process that an agent runs; it stands alone and owns the fail mode."""
