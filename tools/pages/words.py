"""The page of closed words: what may stand in records, facts and answers."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, IntEnum

from defenseclaw.core import event, facts, finding, labels, tool, verdict
from tools.pages.markdown import code, prose, table
from tools.pages.source import attributes

HEAD = """\
# Words of records and facts

Every word that can stand in a record or in the facts that rules read belongs to a closed set. These
are the sets. Rules compare with the upper-case names (`PathAccess.DELETE`) or with the quoted words
(`'system-root'`); records hold the words in the first column.

## A record

One row for each judged event, in the order of the columns. `defenseclaw audit show RECORD` prints
one.

"""
# (heading, sets)
GROUPS: tuple[tuple[str, tuple[type[Enum], ...]], ...] = (
    (
        "Decisions",
        (verdict.Action, verdict.Severity, verdict.Mode, verdict.Profile, verdict.FailMode),
    ),
    ("Events", (event.Route, event.Outcome)),
    ("Findings", (finding.FindingRoute,)),
    ("Tools", (tool.ToolFamily, tool.FieldRole)),
    ("Bytes", (facts.ByteKind,)),
    ("Parse", (facts.ParseStatus, facts.Dialect, facts.IssueCode)),
    (
        "Commands",
        (
            *(facts.CommandKind, facts.CommandEffect, facts.CommandContext),
            *(facts.OperationKind, facts.QuoteKind, labels.Trait),
        ),
    ),
    ("Paths", (facts.PathAccess, facts.PathFlavor, labels.PathLabel)),
    (
        "Network and data",
        (
            *(facts.NetworkAction, facts.NetworkScope, facts.NetworkTargetKind),
            *(facts.DataKind, labels.HostLabel),
        ),
    ),
)
COLUMNS = {
    "record": "its id; an unambiguous start is enough for `audit show` and `explain --id`",
    "at_ms": "when, in milliseconds since 1970, UTC",
    "connector": "the agent's key",
    "event": "the agent's own name of the event",
    "route": "what kind of moment it is, see [Route](#route)",
    "session": "the agent's session id",
    "call_id": "the agent's id of the call",
    "tool": "the tool's name",
    "mode": "[Mode](#mode) in force",
    "profile": "[Profile](#profile) in force",
    "raw": "what policy wants, see [Action](#action)",
    "action": "what the agent was told, after mode and the event's abilities",
    "severity": "the highest [Severity](#severity) of all findings",
    "would_block": "a block that was not enforced: observe mode, or an event that cannot block",
    "degraded": "no verdict because of an internal error",
    "parse": "[ParseStatus](#parsestatus) of the call, blank without a call",
    "rules": "ids of the rules that matched",
    "body": "findings, the words of the facts, and the answer as it was printed, redacted",
    "reason": "what the agent and its user were told",
    "preview": "the start of the call or text, redacted",
    "digest": "a keyed digest of tool and arguments: equal calls have equal digests",
    "micros": "how long the decision took, in microseconds",
}


def pages() -> Mapping[str, str]:
    """The page."""
    text = HEAD + table(("column", "meaning"), [(code(k), v) for k, v in COLUMNS.items()])
    for heading, sets in GROUPS:
        text += f"\n## {heading}\n" + "".join(map(_set, sets))
    return {"audit-words.md": text}


def _set(words: type[Enum]) -> str:
    lines = (words.__doc__ or "").strip().splitlines()
    about = "" if words.__doc__ == IntEnum.__doc__ else prose(" ".join(lines)) + "\n"
    rows = []
    for said in attributes(words):
        group = f"({said.group}) " if said.group and not said.comment else ""
        rows.append((code(_wire(words[said.name])), code(said.name), prose(group + said.comment)))
    shown = rows if any(row[2] for row in rows) else [row[:2] for row in rows]
    headers = ("word", "name in rules", "meaning")[: len(shown[0])]
    return f"\n### {words.__name__}\n\n" + (f"{about}\n" if about else "") + table(headers, shown)


def _wire(member: Enum) -> str:
    return member.name.lower() if isinstance(member, IntEnum) else str(member.value)
