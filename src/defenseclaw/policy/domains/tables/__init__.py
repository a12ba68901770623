"""The profiles' data."""
