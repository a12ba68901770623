"""Fixtures of the Wine lane."""

from tests.wine.fixtures import wine, wine_python

__all__ = ["wine", "wine_python"]
