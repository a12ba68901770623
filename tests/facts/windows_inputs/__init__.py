"""Inputs for the shells of Windows, and what two judges say about them."""
