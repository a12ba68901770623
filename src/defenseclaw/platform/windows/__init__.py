"""What the system's calls mean on Windows, behind one narrow interface that tests replace."""
