"""Values: what words become, as far as the text decides it."""
