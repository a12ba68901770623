"""Every agent runs the same course, with us and without us."""
