"""How Windows spells places: paths, short names, keys of the registry."""
