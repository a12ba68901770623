"""What a skill may reach and do."""

from __future__ import annotations

from dataclasses import dataclass

from defenseclaw.policy.domains.data import PolicyData
from defenseclaw.policy.domains.hosts import is_blocked
from defenseclaw.policy.domains.reading import Record, listing, name


@dataclass(frozen=True, slots=True)
class SandboxInput:
    """What a skill asks for."""

    skill_name: str
    requested_endpoints: tuple[str, ...]
    requested_permissions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SandboxAnswer:
    """What it gets; ``denied_from_request`` is what it asked for in vain."""

    allowed_endpoints: tuple[str, ...] = ()
    denied_endpoints: tuple[str, ...] = ()
    denied_from_request: tuple[str, ...] = ()
    permissions: tuple[str, ...] = ()
    allowed_skills: tuple[str, ...] = ()


_NAMES = listing(name)
READ = Record(
    SandboxInput,
    {"skill_name": name, "requested_endpoints": _NAMES, "requested_permissions": _NAMES},
)
ANSWER = Record(
    SandboxAnswer,
    {
        "allowed_endpoints": _NAMES,
        "denied_endpoints": _NAMES,
        "denied_from_request": _NAMES,
        "permissions": _NAMES,
        "allowed_skills": _NAMES,
    },
)
SAFE = SandboxAnswer()


def decide_sandbox(given: SandboxInput, data: PolicyData) -> SandboxAnswer:
    """The defaults and what was asked for, without what is denied to all or by the firewall."""
    rows = data.sandbox
    denied = _once(*rows.denied_endpoints, *data.firewall.blocked_destinations)
    is_known = not rows.allowed_skills or given.skill_name in rows.allowed_skills
    wanted = _once(*rows.default_endpoints, *given.requested_endpoints) if is_known else ()
    allowed = tuple(place for place in wanted if not is_blocked(place, denied))
    asked = _once(*rows.default_permissions, *given.requested_permissions) if is_known else ()
    return SandboxAnswer(
        allowed_endpoints=allowed,
        denied_endpoints=denied,
        denied_from_request=tuple(p for p in _once(*given.requested_endpoints) if p not in allowed),
        permissions=tuple(p for p in asked if p not in rows.denied_permissions),
        allowed_skills=rows.allowed_skills,
    )


def _once(*values: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
