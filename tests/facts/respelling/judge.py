"""The verdict on a text: which rules may stop it, and what the default profile does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from defenseclaw.core.facts import FactsResult
from defenseclaw.core.finding import Finding
from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import FieldRole, ToolCall, ToolFamily, ToolSpec
from defenseclaw.core.verdict import Action, Mode, Profile
from defenseclaw.facts import analyze, enforcement_projection
from defenseclaw.policy import Situation, raw_action
from defenseclaw.rules import (
    Example,
    ExampleForm,
    ExampleRoute,
    Generation,
    Pack,
    build_generation,
    load_pack,
)

CATALOG = Path(__file__).resolve().parents[3] / "src" / "defenseclaw" / "rules" / "catalog"
CWD, HOME = "/srv/app", "/home/dana"
SHELL = ToolSpec("shell", ToolFamily.SHELL, {"command": FieldRole.COMMAND}, "posix")
POSTURE = Posture(mode=Mode.ACTION)


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found in one call."""

    ids: frozenset[str]
    enforceable: frozenset[str]
    action: Action
    complete: bool


def differences(plain: Judged, other: Judged, adds: frozenset[str] = frozenset()) -> list[str]:
    """What of a verdict changed; ``adds`` may be found besides, and may make it stronger."""
    lost = plain.enforceable - other.enforceable
    new = other.enforceable - plain.enforceable - adds
    weaker = other.action.rank < plain.action.rank
    stronger = other.action.rank > plain.action.rank and not adds
    found = [f"lost {rule}" for rule in sorted(lost)] + [f"new {rule}" for rule in sorted(new)]
    if weaker or stronger:
        found.append(f"{plain.action} became {other.action}")
    return found


@cache
def pack() -> Pack:
    """The shipped rules."""
    files = {f"rules/{path.name}": path.read_bytes() for path in sorted(CATALOG.glob("*.yaml"))}
    return load_pack(files, name="catalog")


@cache
def generation() -> Generation:
    """The shipped rules under the default profile."""
    return build_generation([pack()], Profile.DEFAULT)


def examples() -> list[Example]:
    """Examples of shell text that match their rule by their facts, each text once."""
    found: dict[str, Example] = {}
    for rule in pack().rules:
        for example in rule.examples:
            shown = example.form is ExampleForm.SH and not (example.cwd or example.home)
            if example.matches and shown and example.route is not ExampleRoute.FALLBACK:
                found.setdefault(str(example.body), example)
    return list(found.values())


@cache
def seeds() -> dict[str, Judged]:
    """Examples that are understood and could be stopped, with their verdicts."""
    judged = {str(e.body): judge(str(e.body)) for e in examples()}
    return {text: found for text, found in judged.items() if found.enforceable and found.complete}


def judge_call(call: ToolCall) -> Judged:
    """The verdict on any call."""
    result: FactsResult = analyze(call)
    findings: tuple[Finding, ...] = (
        generation().evaluate_call(result, enforcement_projection).findings
    )
    situation = Situation(analysed=result.authoritative)
    return Judged(
        frozenset(f.rule_id for f in findings),
        frozenset(f.rule_id for f in findings if f.enforceable),
        raw_action(findings, situation, POSTURE),
        result.authoritative,
    )


def judge(text: str) -> Judged:
    """The verdict on shell text."""
    return judge_call(ToolCall("shell", {"command": text}, CWD, HOME, spec=SHELL))
