"""Registers that structural checks look values up in."""
