"""Wine's cmd as an oracle for our reading of cmd."""
