"""The failure table of the hook client, written out from the connectors' own tables.

The client may import nothing of the package, so what it must know for a failure is generated; a
test compares the file with this text.
"""

from __future__ import annotations

import json

from defenseclaw.connectors.api import Connector
from defenseclaw.connectors.registry import BY_NAME, CONNECTORS
from defenseclaw.connectors.shapes import FAILURE_TEXT

_HEAD = '''"""What the hook client needs to know of each event. Generated from `connectors`."""
# ruff: noqa: E501
# fmt: off

# event: (seconds for everything, may block, exit of a closed answer, standard output before and
# after the reason, standard output that lets the event go). The empty name is an event that no
# table has: it could be a gate.
ANSWERS = {
'''
_STOPS = """
# Events that an agent repeats for as long as they are blocked.
STOPS = {
"""
_FIELDS = """
# Where a payload may name its event.
FIELDS = {
"""
_NAMES = """
# Names that people use for a connector, without case, hyphens, underscores and blanks.
NAMES = {
"""
Row = tuple[float, bool, int, str, str, str]


def render_answers() -> str:
    """The source text of ``hook/answers.py``."""
    lines = [_HEAD]
    for connector in CONNECTORS.values():
        lines.append(f"    {connector.key!r}: {{\n")
        rows = {name: name for name in ["", *(spec.name for spec in connector.events)]}
        rows |= connector.name_aliases
        lines += [f"        {told!r}: {_row(connector, name)!r},\n" for told, name in rows.items()]
        lines.append("    },\n")
    lines += ["}\n", _STOPS]
    for connector in CONNECTORS.values():
        lines.append(f"    {connector.key!r}: {_stops(connector)!r},\n")
    lines += ["}\n", _FIELDS]
    for connector in CONNECTORS.values():
        lines.append(f"    {connector.key!r}: {connector.name_fields!r},\n")
    lines += ["}\n", _NAMES]
    lines += [f"    {name!r}: {connector.key!r},\n" for name, connector in BY_NAME.items()]
    return "".join([*lines, "}\n"])


def _row(connector: Connector, name: str) -> Row:
    answer = connector.failure_answer(name, False)
    blocks = bool(answer.stdout or answer.exit) and answer != connector.open_answer(name)
    head, _, tail = answer.stdout.partition(json.dumps(FAILURE_TEXT))
    let_go = connector.open_answer(name).stdout
    return connector.client_budget_s(name), blocks, answer.exit, head, tail, let_go


def _stops(connector: Connector) -> tuple[str, ...]:
    """The block-capable events whose closed answer depends on the loop guard."""
    names = [spec.name for spec in connector.events if spec.can_block]
    return tuple(
        name
        for name in names
        if connector.failure_answer(name, True) != connector.failure_answer(name, False)
    )
