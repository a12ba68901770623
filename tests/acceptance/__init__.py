"""Real processes of this project, without agents."""
