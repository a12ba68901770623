"""Tests of the readers of code inside code."""
