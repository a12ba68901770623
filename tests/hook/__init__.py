"""Tests of the hook client as a real process."""
