"""Tests of the Windows half, over a stand-in for its calls."""
