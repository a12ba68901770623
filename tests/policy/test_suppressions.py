"""A suppression covers what a person looked at, and not a byte more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from defenseclaw.core.controls import Refusal, Suppression
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.tool import FieldRole, ToolCall, ToolFamily, ToolSpec
from defenseclaw.core.verdict import Severity
from defenseclaw.facts import analyze
from defenseclaw.policy import CallSubject, in_force

BASH = ToolSpec("Bash", ToolFamily.SHELL, {"command": FieldRole.COMMAND})
FINDING = Finding("PATH-ENV", "t", Severity.HIGH, 1.0, FindingRoute.SEMANTIC, enforceable=True)
OTHER = replace(FINDING, rule_id="CMD-RM-RF")
ROW = Suppression("s-1", "PATH-ENV", "Bash", "mine", 0, 1000, path="/home/dev/app")


def subject(command: str, **changes: object) -> CallSubject:
    call = ToolCall("Bash", {"command": command}, "/home/dev/app", "/home/dev", spec=BASH)
    given = CallSubject("Bash", "d1", now_ms=10, facts=analyze(call).facts)
    return replace(given, **changes)  # type: ignore[arg-type]


def waived(row: Suppression, about: CallSubject, connector: str = "codex") -> list[str]:
    kept, gone = in_force([row], connector).waive([FINDING, OTHER], about)
    assert len(kept) + len(gone) == 2
    return [w.finding.rule_id for w in gone if w.by == row.id]


@pytest.mark.parametrize(
    ("command", "covered"),
    [
        ("cat .env", True),
        ("cat /home/dev/app/config/.env", True),
        ("cat ./sub/../.env", True),
        ("cat .env ../other/.env", False),
        ("cat /home/dev/app2/.env", False),
        ("cat .env && rm -rf /srv/data", False),
        ('cat "$X/.env"', False),
        ("ssh host cat /home/dev/app/.env", False),
        ("date", False),
    ],
)
def test_path_covers_a_call_only_when_everything_it_touches_is_below(
    command: str, covered: bool
) -> None:
    assert waived(ROW, subject(command)) == (["PATH-ENV"] if covered else [])


@pytest.mark.parametrize(
    ("row", "about", "covered"),
    [
        (ROW, {}, True),
        (replace(ROW, tool="Read"), {}, False),
        (replace(ROW, rule="PATH-OTHER"), {}, False),
        (ROW, {"now_ms": 999}, True),
        (ROW, {"now_ms": 1000}, False),
        (replace(ROW, path="", call="d1"), {}, True),
        (replace(ROW, path="", call="d2"), {}, False),
        (replace(ROW, path="", call="d1"), {"facts": None}, True),
        (ROW, {"facts": None}, False),
        (replace(ROW, connector="codex"), {}, True),
        (replace(ROW, connector="amp"), {}, False),
    ],
)
def test_every_part_of_a_row_narrows_it(
    row: Suppression, about: dict[str, object], covered: bool
) -> None:
    assert waived(row, subject("cat .env", **about)) == (["PATH-ENV"] if covered else [])


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({}, None),
        ({"rule": "SELF-OWN-STATE"}, Refusal.PROTECTED),
        ({"call": "d"}, Refusal.SUBJECT),
        ({"path": ""}, Refusal.SUBJECT),
        ({"path": "app"}, Refusal.RELATIVE),
        ({"path": "/home/dev/../dev/app"}, Refusal.RELATIVE),
        ({"path": "/"}, Refusal.BROAD),
        ({"path": "/home/dev"}, Refusal.BROAD),
        ({"path": "/etc/ssh"}, Refusal.BROAD),
        ({"path": "/data"}, Refusal.BROAD),
        ({"path": "/data/app"}, None),
        ({"path": "C:\\Users"}, Refusal.BROAD),
        ({"path": "C:\\Users\\dev\\app"}, None),
        ({"path": "\\\\host\\share"}, Refusal.BROAD),
        ({"path": "\\\\host\\share\\app"}, None),
    ],
)
def test_broad_and_protected_rows_are_refused(
    changes: dict[str, str], refusal: Refusal | None
) -> None:
    row = replace(ROW, **changes)  # type: ignore[arg-type]
    assert row.refusal() is refusal
    assert bool(in_force([row], "codex").by_rule) == (refusal is None)
