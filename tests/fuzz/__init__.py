"""Coverage-guided fuzzing of everything that reads untrusted input; a lane of its own."""
