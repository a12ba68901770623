"""Tests of what touches the system."""
