"""Files that agents load, each alone in the runtime that loads it."""
