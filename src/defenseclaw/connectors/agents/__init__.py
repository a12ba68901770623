"""One module for each agent: its tables, and how its events are read and answered."""
