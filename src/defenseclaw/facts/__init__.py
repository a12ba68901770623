"""From a tool call to typed facts: pure, total and bounded."""

from defenseclaw.facts.analyze import analyze
from defenseclaw.facts.builder import Wrappers
from defenseclaw.facts.declared.wrappers import WrapperError, declare_wrappers
from defenseclaw.facts.projection import enforcement_projection, validate
from defenseclaw.facts.tables.tools import GLOBAL_TOOLS

__all__ = [
    "GLOBAL_TOOLS",
    "WrapperError",
    "Wrappers",
    "analyze",
    "declare_wrappers",
    "enforcement_projection",
    "validate",
]
