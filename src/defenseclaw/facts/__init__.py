"""From a tool call to typed facts: pure, total and bounded."""

from defenseclaw.facts.analyze import analyze
from defenseclaw.facts.projection import enforcement_projection, validate
from defenseclaw.facts.tables.tools import GLOBAL_TOOLS

__all__ = ["GLOBAL_TOOLS", "analyze", "enforcement_projection", "validate"]
