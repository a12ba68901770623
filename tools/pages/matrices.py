"""What every agent proves and shows: outcomes, tool surfaces, contracts, and failure answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from defenseclaw.connectors import CONNECTORS, Connector
from defenseclaw.connectors.shapes import FAILURE_TEXT
from defenseclaw.connectors.tables.lifecycles import GATES, Gate
from defenseclaw.connectors.tables.matrix_notes import NOTES
from defenseclaw.core.event import Answer
from defenseclaw.core.lifecycle import Lifecycle, Surface
from tools.pages.markdown import code, table

ROSTER = Path(__file__).resolve().parents[2] / "tests" / "live" / "agents.json"
REASON = "REASON"
LETS_GO = "nothing: the event goes on"

OUTCOMES = """\
# Outcomes and identity

What an agent's own events prove about a call. Only a proven success is remembered for
[ordered chains](../explain/ordered-chains.md); a call is joined to its outcome by an identity that
both events carry.

- `paired-outcomes`: an exact, authoritative result commits a pending proposal.
- `detection-only`: results are looked at, they commit nothing.
- `direct-only`: only the call that is proposed now can be judged.

No event of any agent changes remembered calls in another way.

"""
SURFACES = """\
# Tool surfaces

A yes says that the agent emits a reviewed event for tools of this kind. It says nothing about
identity, facts or enforcement.

"""
CONTRACTS = """\
# Versions and contracts

A contract is a reviewed range of versions with the events that are registered under it. `setup`
asks the installed program for its version; `defenseclaw setup --detected` shows what it found.
The version in the last column is the one that the live tests run.

"""
FAILURES = """\
# Answers without a verdict

What the hook prints where no verdict can be obtained: the gateway is down, the credential is
missing, the answer is not the gateway's. Under fail mode `closed` an event that can be stopped is
stopped; every other event, and everything under `open`, goes on. `REASON` names the cause. See
[fail modes](../explain/fail-modes.md).

"""


def pages() -> Mapping[str, str]:
    """The four pages."""
    return {
        "outcomes.md": OUTCOMES + outcome_matrix(),
        "tool-surfaces.md": SURFACES + surface_matrix(),
        "contracts.md": CONTRACTS + contract_table(),
        "failure-answers.md": FAILURES + failure_tables(),
    }


def gate_of(key: str) -> Gate:
    """The contract that is used where no version is known: the newest reviewed one."""
    return next(gate for gate in reversed(GATES[key]) if gate.default)


def outcome_matrix() -> str:
    """Proposals, evidence, identity and level of each agent."""
    rows = []
    for key, connector in CONNECTORS.items():
        life, notes = gate_of(key).lifecycle, NOTES[key]
        level = ", ".join(filter(None, [life.state_level.value, notes.level]))
        rows.append((connector.label, _proposals(key, life), notes.outcome, notes.identity, level))
    headers = ("agent", "structured proposals", "outcome evidence", "identity of a call", "level")
    return table(headers, rows)


def _proposals(key: str, life: Lifecycle) -> str:
    proposals = _codes(life.proposals)
    if not life.direct:
        return proposals
    return f"{proposals}; {_codes(life.direct)} {NOTES[key].proposals}"


def surface_matrix() -> str:
    """For which kinds of tools each agent emits a reviewed event."""
    rows = []
    for key, connector in CONNECTORS.items():
        notes, has = NOTES[key], gate_of(key).lifecycle.surfaces
        cells = [notes.surfaces.get(s, "yes" if s in has else "no") for s in COLUMNS]
        rows.append((connector.label, *cells, notes.saas))
    return table(("agent", *COLUMNS.values(), "mail, SaaS"), rows)


COLUMNS = {
    Surface.GENERIC: "generic",
    Surface.SHELL: "shell",
    Surface.FILE_READ: "file read",
    Surface.FILE_EDIT: "file write/edit",
    Surface.MCP: "MCP",
    Surface.SKILLS: "skills",
}


def contract_table() -> str:
    """Every contract with its versions and events."""
    tried = json.loads(ROSTER.read_text(encoding="utf-8"))
    rows = []
    for connector in CONNECTORS.values():
        for contract in connector.contracts:
            below = _version(contract.below) if contract.below else "–"
            use = "only when asked for" if contract.opt_in else ""
            use = use or ("also without a known version" if contract.default else "")
            rows.append(
                (
                    connector.label,
                    code(contract.id),
                    _version(contract.since),
                    below,
                    _codes(contract.events),
                    use,
                    _tried(connector, tried) if contract.default else "",
                )
            )
    headers = ("agent", "contract", "from", "below", "events", "use", "tried with")
    return table(headers, rows)


def _tried(connector: Connector, roster: Mapping[str, Mapping[str, str]]) -> str:
    names = {connector.key, *connector.aliases}
    return next((row["version"] for agent, row in roster.items() if agent in names), "–")


def failure_tables() -> str:
    """What lets each event go and what stops it where nothing is known."""
    parts = []
    for connector in CONNECTORS.values():
        rows = [
            (
                code(spec.name),
                _shown(connector.open_answer(spec.name)),
                _shown(connector.failure_answer(spec.name, False)),
            )
            for spec in connector.events
        ]
        parts.append(f"## {connector.label}\n\n" + table(("event", "open", "closed"), rows))
    return "\n".join(parts)


def _shown(answer: Answer) -> str:
    told = replace(answer, stdout=answer.stdout.replace(FAILURE_TEXT, REASON).strip())
    ends = f"exit {told.exit}" + (", text on standard error" if told.stderr else "")
    if told.stdout:
        return code(told.stdout) + (f", {ends}" if told.exit else "")
    return ends if told.exit or told.stderr else LETS_GO


def _codes(names: Iterable[str]) -> str:
    return ", ".join(map(code, names))


def _version(version: tuple[int, int, int]) -> str:
    return ".".join(map(str, version))
