"""Throwaway users and real processes of this project, for the acceptance and live lanes."""

from tests.harness.fakes import VERSION_TEXTS, write_fake_agents
from tests.harness.payloads import make_payload, make_shell_call
from tests.harness.product import Product, Ran
from tests.harness.sandbox import Sandbox, free_port, make_sandbox

__all__ = [
    "VERSION_TEXTS",
    "Product",
    "Ran",
    "Sandbox",
    "free_port",
    "make_payload",
    "make_sandbox",
    "make_shell_call",
    "write_fake_agents",
]
