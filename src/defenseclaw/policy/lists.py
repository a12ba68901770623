"""Static lists of tools and MCP servers: what is always blocked, and what a person has allowed.

A row of the connector itself is authoritative for that connector, else the row for every one. An
administrator's rows only block, and stand above both. A block always wins over an allow of the
other subject: a blocked server's tools stay blocked when one of them is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from defenseclaw.core.controls import (
    EVERY_CONNECTOR,
    SELF_PROTECTION,
    ListAction,
    ListRow,
    Subject,
)
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.verdict import Severity


@dataclass(frozen=True, slots=True)
class Lists:
    """The rows in force for one connector."""

    rows: Mapping[tuple[Subject, str], ListRow] = field(default_factory=dict)

    def row_for(self, tool: str, server: str) -> ListRow | None:
        """The row that decides a call, blocks first; None when none does."""
        if not self.rows:
            return None
        of_server = self.rows.get((Subject.MCP, server.casefold())) if server else None
        if of_server is not None:
            return of_server
        return self.rows.get((Subject.TOOL, tool.casefold()))


def effective(rows: Iterable[ListRow], connector: str) -> Lists:
    """The rows in force for a connector. An allowed server only shadows a block of itself."""
    chosen: dict[tuple[Subject, str], ListRow] = {}
    for row in sorted(rows, key=_authority):
        if row.connector in (EVERY_CONNECTOR, connector):
            chosen[row.key] = row
    return Lists(
        {
            key: row
            for key, row in chosen.items()
            if row.subject is Subject.TOOL or row.action is ListAction.BLOCK
        }
    )


def _authority(row: ListRow) -> tuple[bool, bool]:
    return row.managed, row.connector != EVERY_CONNECTOR


_BLOCKED = {
    Subject.MCP: ("MCP-BLOCK", "MCP server on the block list"),
    Subject.TOOL: ("STATIC-BLOCK", "Tool on the block list"),
}
_AUTHOR = {
    True: "The administrator of this machine blocks it; ask them.",
    False: "The user blocks it; ask them, or do it another way.",
}


def block_finding(row: ListRow) -> Finding:
    """The finding of a blocked tool or server."""
    rule_id, title = _BLOCKED[row.subject]
    return Finding(
        rule_id=rule_id,
        title=title,
        severity=Severity.HIGH,
        confidence=1.0,
        route=FindingRoute.CONTROL,
        enforceable=True,
        seen=row.name,
        safer=_AUTHOR[row.managed],
    )


def is_lifted(finding: Finding) -> bool:
    """Whether an explicit allow of the tool takes a finding's effect away."""
    if finding.route is FindingRoute.CODE:
        return False  # what an allowed tool writes is still read
    return finding.severity is not Severity.CRITICAL and not finding.rule_id.startswith(
        SELF_PROTECTION
    )
