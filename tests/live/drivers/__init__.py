"""One driver per agent: how to configure it, start it and phrase tool calls for it."""

from collections.abc import Mapping

from tests.live.drivers.amp import Amp
from tests.live.drivers.base import Driver, Outcome
from tests.live.drivers.claude import Claude
from tests.live.drivers.codex import Codex
from tests.live.drivers.copilot import Copilot
from tests.live.drivers.gemini import Gemini
from tests.live.drivers.hermes import Hermes
from tests.live.drivers.omnigent import OmniGent
from tests.live.drivers.opencode import OpenCode
from tests.live.drivers.openhands import OpenHands
from tests.live.drivers.talking import TalkingDriver

KINDS: tuple[type[Driver], ...] = (
    *(Amp, Claude, Codex, Copilot, Gemini, Hermes, OmniGent, OpenCode, OpenHands),
)
DRIVERS: Mapping[str, type[Driver]] = {kind.key: kind for kind in KINDS}

__all__ = ["DRIVERS", "Driver", "Outcome", "TalkingDriver"]
