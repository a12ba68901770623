"""Tests of the expression compiler."""
