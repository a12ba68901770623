"""Reviewed tool schemas, one module per agent: data only."""
