"""Tests of the project; a package so that shared factories can be imported."""
