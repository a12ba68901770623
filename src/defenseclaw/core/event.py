"""A decoded hook event, independent of the agent that sent it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from defenseclaw.core.tool import ToolCall


class Route(StrEnum):
    """What kind of moment an event is; decided by the connector's table, never by the payload."""

    PROPOSAL = "proposal"  # a tool call that may become pending
    PERMISSION = "permission"  # a direct decision about a call; never pending
    RESULT = "result"  # a finished call's outcome or output
    DENIAL = "denial"  # the agent says that a call was refused
    PROMPT = "prompt"
    CONFIG = "config"  # the agent's own settings changed
    TURN_END = "turn-end"
    SESSION_START = "session-start"
    SESSION_END = "session-end"
    LIFECYCLE = "lifecycle"  # everything else that is recorded and allowed
    UNKNOWN = "unknown"  # no trusted boundary


CALL_ROUTES = frozenset({Route.PROPOSAL, Route.PERMISSION})  # a call is judged
TEXT_ROUTES = frozenset({Route.PROMPT, Route.RESULT, Route.DENIAL})  # text is judged


class Outcome(StrEnum):
    """What a finished call's evidence proves."""

    NONE = "none"  # the event carries no outcome
    SUCCESS = "success"
    FAILURE = "failure"
    DENIED = "denied"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


class DenialEvidence(StrEnum):
    """What the agent says about a refusal."""

    NONE = "none"
    TYPED = "typed"  # a typed field says so: detection only
    DECLARED = "declared"  # an event that exists to tell refusals


@dataclass(frozen=True, slots=True)
class Proof:
    """What an event says about one call's life, from the agent's own envelope only.

    Each identity is exact or empty; ``source`` is the agent's own id of the event.
    """

    session: str = ""
    call: str = ""
    source: str = ""
    outcome: Outcome = Outcome.NONE
    denial: DenialEvidence = DenialEvidence.NONE


@dataclass(frozen=True, slots=True)
class EventSpec:
    """One row of a connector's event table. Times are seconds, as the agent's own file has them."""

    name: str
    route: Route
    timeout_s: int = 30
    can_block: bool = False
    can_ask: bool = False
    matcher: str | None = None
    is_async: bool = False
    registered: bool = True


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One event after decoding; every field is validated text or empty."""

    connector: str
    spec: EventSpec
    session_id: str = ""
    turn_id: str = ""
    call_id: str = ""
    cwd: str = ""
    call: ToolCall | None = None
    proof: Proof = Proof()
    contents: tuple[str, ...] = ()  # prompt or result texts, for content rules
    stop_active: bool = False  # the agent is already continuing because of a stop hook
    details: Mapping[str, Any] = field(default_factory=dict)  # event-specific, for encode only

    @property
    def outcome(self) -> Outcome:
        """What the event proves about its call."""
        return self.proof.outcome


@dataclass(frozen=True, slots=True)
class Answer:
    """What the hook process prints: bytes ready to write, and its exit status."""

    stdout: str = ""
    stderr: str = ""
    exit: int = 0
