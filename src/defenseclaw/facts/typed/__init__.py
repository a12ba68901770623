"""Calls of tools with named arguments: reviewed schemas, patches, and unreviewed tools."""
