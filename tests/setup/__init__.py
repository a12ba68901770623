"""Tests of setup: a throwaway user with stand-ins for the agents."""
