"""One driver per agent: how to configure it, start it and phrase tool calls for it."""

from collections.abc import Mapping

from tests.live.drivers.base import Driver, Outcome
from tests.live.drivers.claude import Claude
from tests.live.drivers.codex import Codex

DRIVERS: Mapping[str, type[Driver]] = {"claude": Claude, "codex": Codex}

__all__ = ["DRIVERS", "Driver", "Outcome"]
