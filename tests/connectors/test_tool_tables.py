"""The tool schemas of all agents: every argument that an agent is known to send has a role.

Cases are in tool_calls.txt, in the words of tests/facts/describe.py.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS
from defenseclaw.core.tool import FieldRole, ToolCall, ToolFamily, ToolSpec
from defenseclaw.facts import analyze, validate
from tests.facts.describe import CWD, HOME, lines

HERE = Path(__file__).parent
TABLES = Path(importlib.import_module("defenseclaw.connectors.tables").__path__[0])
AGENTS = sorted(path.name.removesuffix("_tools.py") for path in TABLES.glob("*_tools.py"))
_SHELL = {FieldRole.COMMAND, FieldRole.ARGV}
_PLACES = {FieldRole.PATH, FieldRole.PATHS}
_ALL = frozenset(FieldRole)
# What at least one argument of a tool must be for the family to mean anything.
NEEDED: Mapping[ToolFamily, frozenset[FieldRole] | set[FieldRole]] = {
    ToolFamily.SHELL: _SHELL,
    ToolFamily.SHELL_INPUT: _SHELL,
    ToolFamily.READ: _PLACES,
    ToolFamily.WRITE: _PLACES,
    ToolFamily.EDIT: _PLACES,
    ToolFamily.DELETE: _PLACES,
    ToolFamily.LIST: _PLACES,
    ToolFamily.PATCH: {FieldRole.PATCH},
    ToolFamily.SEARCH: {*_PLACES, FieldRole.GLOB, FieldRole.PATTERN},
    ToolFamily.AGENT: _ALL,
}


@dataclass
class Case:
    """One call and what is known about it."""

    agent: str
    tool: str
    args: dict[str, Any]
    expected: list[str] = field(default_factory=list)

    @property
    def partial(self) -> bool:
        return "partial" in self.expected


def read_cases() -> Iterator[Case]:
    case: Case | None = None
    for line in (HERE / "tool_calls.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("  ") and case is not None:
            case.expected.append(line.strip())
        elif line and not line.startswith("#"):
            if case is not None:
                yield case
            agent, tool, args = line.split(" ", 2)
            case = Case(agent, tool, json.loads(args))
    if case is not None:
        yield case


CASES = list(read_cases())


def tools_of(agent: str) -> Mapping[str, ToolSpec]:
    found: Mapping[str, ToolSpec] = importlib.import_module(
        f"defenseclaw.connectors.tables.{agent}_tools"
    ).TOOLS
    return found


def rows() -> list[tuple[str, str, ToolSpec]]:
    """Every schema with its agent, variants after the usual one."""
    found = []
    for agent in AGENTS:
        for name, spec in tools_of(agent).items():
            found.append((agent, name, spec))
            found += [(agent, f"{name} {word}", v) for word, v in spec.variants.items()]
    return found


def test_every_agent_has_a_table_and_cases() -> None:
    assert len(AGENTS) == 12
    assert {case.agent for case in CASES} == set(AGENTS)
    assert set(CONNECTORS) <= set(AGENTS)


@pytest.mark.parametrize("key", CONNECTORS)
def test_connector_uses_its_own_table(key: str) -> None:
    assert CONNECTORS[key].tools == tools_of(key)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.agent}-{c.tool}")
def test_call_as_the_agent_sends_it_is_understood(case: Case) -> None:
    spec = tools_of(case.agent).get(case.tool)
    result = analyze(ToolCall(case.tool, case.args, CWD, HOME, spec=spec))
    found = lines(result)
    assert ("complete" in found) is not case.partial, sorted(found)
    for line in case.expected:
        assert line in found, sorted(found)
    if not case.partial:
        assert validate(result.facts).value == "ok"


@pytest.mark.parametrize("agent", AGENTS)
def test_rows_are_named_by_themselves(agent: str) -> None:
    for name, spec in tools_of(agent).items():
        assert spec.name == name


@pytest.mark.parametrize(
    ("agent", "name", "spec"), rows(), ids=lambda v: v if isinstance(v, str) else ""
)
def test_schema_has_what_its_family_needs(agent: str, name: str, spec: ToolSpec) -> None:
    roles = set(spec.fields.values())
    needed = NEEDED.get(spec.family)
    assert needed is None or roles & needed, f"{agent} {name}"
    assert not spec.select or spec.select in spec.fields


@pytest.mark.parametrize(
    ("agent", "name", "spec"), rows(), ids=lambda v: v if isinstance(v, str) else ""
)
def test_argument_outside_the_schema_leaves_a_doubt(agent: str, name: str, spec: ToolSpec) -> None:
    call = ToolCall(name.partition(" ")[0], {"no_such_argument": "rm -rf /"}, CWD, HOME, spec=spec)
    found = lines(analyze(call))
    assert "partial" in found
    assert "unknown rm -rf /" in found


def test_recorded_agents_write_their_files_through_a_known_family() -> None:
    writing = {ToolFamily.WRITE, ToolFamily.EDIT, ToolFamily.PATCH}
    for agent in AGENTS:
        families = {spec.family for spec in tools_of(agent).values()}
        assert families & writing, agent
        assert ToolFamily.SHELL in families, agent
