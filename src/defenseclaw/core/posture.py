"""How one connector is meant to behave: the resolved settings that a decision depends on."""

from __future__ import annotations

from dataclasses import dataclass

from defenseclaw.core.verdict import FailMode, Mode, Profile


@dataclass(frozen=True, slots=True)
class Posture:
    """Effective settings of one connector.

    ``human_approval`` lets HIGH findings become a question where the event can ask;
    ``block_message`` replaces the text that the agent sees on a block, never the audited reason.
    """

    enabled: bool = True
    mode: Mode = Mode.OBSERVE
    fail_mode: FailMode = FailMode.CLOSED
    profile: Profile = Profile.DEFAULT
    human_approval: bool = True
    block_message: str = ""
