"""Findings to a verdict: thresholds of the profile, then the mode, then what the event can do.

The order is the documentation: ``raw_action`` is what policy wants in action mode on this kind of
surface, ``apply_mode`` is what the agent is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.limits import MAX_REASON_CHARS
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import Action, Mode, Profile, Severity, Verdict

# profile -> severity -> action; a severity that is not listed is allowed.
THRESHOLDS: dict[Profile, dict[Severity, Action]] = {
    Profile.DEFAULT: {
        Severity.CRITICAL: Action.BLOCK,
        Severity.HIGH: Action.CONFIRM,
        Severity.MEDIUM: Action.ALERT,
    },
    Profile.STRICT: {
        Severity.CRITICAL: Action.BLOCK,
        Severity.HIGH: Action.BLOCK,
        Severity.MEDIUM: Action.BLOCK,
        Severity.LOW: Action.ALERT,
    },
    Profile.PERMISSIVE: {
        Severity.CRITICAL: Action.BLOCK,
        Severity.HIGH: Action.ALERT,
    },
}
NAMED_RULES = 5  # rules that a reason names before it says how many more there are


class Surface(StrEnum):
    """What is being judged. Only a call can be asked about; text below CRITICAL only alerts."""

    CALL = "call"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Situation:
    """The event's abilities and the state of the analysis."""

    surface: Surface = Surface.CALL
    can_block: bool = True
    can_ask: bool = True
    analysed: bool = True  # false: the call could not be understood in full


def decide(findings: Sequence[Finding], situation: Situation, posture: Posture) -> Verdict:
    """The verdict for one event."""
    raw = raw_action(findings, situation, posture)
    action, would_block = apply_mode(raw, situation, posture.mode)
    return Verdict(
        raw=raw,
        action=action,
        severity=max(
            (f.severity for f in findings if not _is_note(f)),
            key=lambda s: s.rank,
            default=Severity.NONE,
        ),
        reason=render_reason(findings),
        would_block=would_block,
    )


def raw_action(findings: Sequence[Finding], situation: Situation, posture: Posture) -> Action:
    """The strongest action that any finding justifies."""
    wanted = [weigh(finding, situation, posture)[0] for finding in findings]
    if not situation.analysed and posture.profile is Profile.STRICT:
        # Not understood is an outcome of its own: recorded, alerted under strict, never a block.
        wanted.append(Action.ALERT)
    return max(wanted, key=lambda a: a.rank, default=Action.ALLOW)


class Ground(StrEnum):
    """Why a finding justifies the action that it does."""

    PROFILE = "the profile's threshold"
    LISTED = "a list row blocks under every profile"
    NOTE = "a weak finding about written code is only recorded"
    CHAIN = "an ordered chain asks nobody"
    UNASKED = "the configuration asks nobody"
    DETECTION = "detection only: it may alert"
    TEXT = "text below CRITICAL only alerts"


def weigh(finding: Finding, situation: Situation, posture: Posture) -> tuple[Action, Ground]:
    """What one finding justifies in action mode, before the event's abilities, and why."""
    if finding.route is FindingRoute.CONTROL:
        return Action.BLOCK, Ground.LISTED
    if _is_note(finding):
        return Action.ALLOW, Ground.NOTE
    action, ground = THRESHOLDS[posture.profile].get(finding.severity, Action.ALLOW), Ground.PROFILE
    if action is Action.CONFIRM and finding.route is FindingRoute.CHAIN:
        action, ground = Action.ALERT, Ground.CHAIN
    elif action is Action.CONFIRM and not posture.human_approval:
        action, ground = Action.ALERT, Ground.UNASKED
    if action.rank <= Action.ALERT.rank:
        return action, ground
    if not finding.enforceable:
        return Action.ALERT, Ground.DETECTION
    if situation.surface is Surface.TEXT and finding.severity is not Severity.CRITICAL:
        return Action.ALERT, Ground.TEXT
    return action, ground


def _is_note(finding: Finding) -> bool:
    """Weak findings about written code are recorded and named, and change nothing."""
    return finding.route is FindingRoute.CODE and finding.severity.rank < Severity.HIGH.rank


def apply_mode(raw: Action, situation: Situation, mode: Mode) -> tuple[Action, bool]:
    """(what the agent is told, whether a raw block was not enforced)."""
    if mode is Mode.OBSERVE:
        return Action.ALLOW, raw is Action.BLOCK
    if raw is Action.BLOCK and not situation.can_block:
        return Action.ALLOW, True
    if raw is Action.CONFIRM and not situation.can_ask:
        return Action.ALERT, False
    return raw, False


def render_reason(findings: Sequence[Finding]) -> str:
    """What the agent and its user read: rule, what was seen, and a safer way; never a secret."""
    ranked = sorted(findings, key=lambda f: (-int(f.enforceable), -f.severity.rank))
    parts = []
    for finding in ranked[:NAMED_RULES]:
        seen = f" ({finding.seen})" if finding.seen else ""
        parts.append(f"{finding.rule_id}: {finding.title}{seen}.")
        if finding.safer:
            parts.append(finding.safer)
    if len(ranked) > NAMED_RULES:
        parts.append(f"{len(ranked) - NAMED_RULES} more rules matched.")
    return " ".join(parts)[:MAX_REASON_CHARS]
