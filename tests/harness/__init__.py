"""Throwaway users and real processes of this project, for the acceptance and live lanes."""

from tests.harness.product import Product, Ran
from tests.harness.sandbox import Sandbox, make_sandbox

__all__ = ["Product", "Ran", "Sandbox", "make_sandbox"]
