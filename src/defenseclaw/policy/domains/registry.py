"""The six domains by name, and one way to ask each: by its table or by somebody's own modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, Protocol

from defenseclaw.policy.domains import (
    admission,
    audit,
    firewall,
    guardrail,
    sandbox,
    skill_actions,
)
from defenseclaw.policy.domains.data import PolicyData
from defenseclaw.policy.domains.reading import DomainError, Record
from defenseclaw.policy.domains.words import DomainName


class EvaluationError(Exception):
    """An engine gave no answer; the message is fixed text of ours or the engine's place."""


class PolicyEngine(Protocol):
    """An engine for policies that people write themselves. One object serves one thread."""

    def load(self, modules: Mapping[str, str], data: Mapping[str, Any]) -> None:
        """Take modules by their path, and the data; refuses all of them if it refuses one."""

    def query(self, domain: DomainName, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer's fields for an input. Raises EvaluationError."""


@dataclass(frozen=True, slots=True)
class Domain:
    """One decision: how its input and answer are read, its table, and its answer in doubt.

    Without ``safe`` the table answers where an engine cannot.
    """

    name: DomainName
    summary: str
    given: Record[Any]
    answer: Record[Any]
    decide: Callable[[Any, PolicyData], Any]
    safe: object | None

    @property
    def in_doubt(self) -> dict[str, Any] | None:
        """The safe answer in wire words; None where the table gives it."""
        return None if self.safe is None else _wire(self.safe)


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer in wire words; ``error`` says why it is the safe one."""

    answer: Mapping[str, Any]
    error: str = ""


_ROWS = (
    Domain(
        DomainName.ADMISSION, "May a skill, MCP server or plugin be installed?",
        admission.READ, admission.ANSWER, admission.decide_admission, admission.SAFE,
    ),
    Domain(
        DomainName.GUARDRAIL, "What is done about content that scanners have looked at?",
        guardrail.READ, guardrail.ANSWER, guardrail.decide_guardrail, None,
    ),
    Domain(
        DomainName.FIREWALL, "May a connection be made?",
        firewall.READ, firewall.ANSWER, firewall.decide_firewall, firewall.SAFE,
    ),
    Domain(
        DomainName.SANDBOX, "What may a skill reach and do?",
        sandbox.READ, sandbox.ANSWER, sandbox.decide_sandbox, sandbox.SAFE,
    ),
    Domain(
        DomainName.AUDIT, "How long is a record kept, and where is it sent?",
        audit.READ, audit.ANSWER, audit.decide_audit, audit.SAFE,
    ),
    Domain(
        DomainName.SKILL_ACTIONS, "What does a severity mean for something installed?",
        skill_actions.READ, skill_actions.ANSWER, skill_actions.decide_skill_actions,
        skill_actions.SAFE,
    ),
)  # fmt: skip
DOMAINS: Mapping[DomainName, Domain] = {row.name: row for row in _ROWS}


def evaluate_domain(
    name: DomainName,
    raw: Mapping[str, Any],
    data: PolicyData,
    engine: PolicyEngine | None = None,
) -> Outcome:
    """One decision. Raises DomainError for a bad input, never for what an engine does.

    An engine sees the input as it was given, after it has been read once: both ways refuse the
    same inputs.
    """
    domain = DOMAINS[name]
    given = domain.given(raw, "input")
    if engine is None:
        return Outcome(_wire(domain.decide(given, data)))
    try:
        return Outcome(_wire(domain.answer(engine.query(name, raw), "answer")))
    except (EvaluationError, DomainError) as error:
        safe = domain.decide(given, data) if domain.safe is None else domain.safe
        return Outcome(_wire(safe), str(error))


def _wire(answer: Any) -> dict[str, Any]:
    return {key: _plain(value) for key, value in asdict(answer).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    return list(value) if isinstance(value, tuple) else value
