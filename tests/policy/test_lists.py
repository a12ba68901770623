"""Which row of the lists decides a call."""

from __future__ import annotations

from pathlib import Path

import pytest

from defenseclaw.core.controls import SELF_PROTECTION, ListAction, ListRow, Subject
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.verdict import Profile, Severity
from defenseclaw.policy import effective
from defenseclaw.policy.lists import is_lifted
from defenseclaw.rules import build_generation, load_pack

CATALOG = Path(__file__).parents[2] / "src" / "defenseclaw" / "rules" / "catalog"
BLOCK, ALLOW = ListAction.BLOCK, ListAction.ALLOW


def tool(name: str, action: ListAction, connector: str = "", *, managed: bool = False) -> ListRow:
    return ListRow(Subject.TOOL, name, action, connector, managed=managed)


def server(name: str, action: ListAction = BLOCK, connector: str = "") -> ListRow:
    return ListRow(Subject.MCP, name, action, connector)


@pytest.mark.parametrize(
    ("rows", "decided"),
    [
        ([tool("Write", BLOCK)], BLOCK),
        ([tool("write", BLOCK)], BLOCK),
        ([tool("Write", BLOCK), tool("Write", ALLOW, "codex")], ALLOW),
        ([tool("Write", ALLOW), tool("Write", BLOCK, "codex")], BLOCK),
        ([tool("Write", ALLOW, "codex"), tool("Write", BLOCK, managed=True)], BLOCK),
        ([tool("Write", BLOCK, "amp")], None),
        ([tool("Writer", BLOCK)], None),
        ([], None),
    ],
)
def test_own_row_shadows_the_common_one_and_an_administrator_stands_above(
    rows: list[ListRow], decided: ListAction | None
) -> None:
    row = effective(rows, "codex").row_for("Write", "")
    assert (row.action if row else None) is decided


def test_blocked_server_beats_an_allow_of_its_tool() -> None:
    lists = effective([server("github"), tool("mcp__github__get", ALLOW, "codex")], "codex")
    found = lists.row_for("mcp__github__get", "github")
    assert found is not None
    assert found.subject is Subject.MCP


def test_allowed_server_only_shadows_a_block_and_allows_nothing() -> None:
    lists = effective([server("github"), server("github", ALLOW, "codex")], "codex")
    assert lists.row_for("mcp__github__get", "github") is None


def finding(rule_id: str, severity: Severity) -> Finding:
    return Finding(rule_id, "title", severity, 1.0, FindingRoute.SEMANTIC, enforceable=True)


@pytest.mark.parametrize(
    ("rule_id", "severity", "lifted"),
    [
        ("CMD-SUDO", Severity.HIGH, True),
        ("CMD-RM-ROOT", Severity.CRITICAL, False),
        ("SELF-AGENT-CONFIG", Severity.HIGH, False),
    ],
)
def test_allow_never_lifts_critical_findings_or_self_protection(
    rule_id: str, severity: Severity, lifted: bool
) -> None:
    assert is_lifted(finding(rule_id, severity)) is lifted


def test_every_rule_of_the_self_protection_category_has_its_prefix_and_no_other() -> None:
    files = {f"rules/{path.name}": path.read_bytes() for path in CATALOG.glob("*.yaml")}
    rules = build_generation([load_pack(files, name="catalog")], Profile.STRICT).rules
    own = {rule.id for rule in rules if rule.category == "self-protection"}
    assert own
    assert own == {rule.id for rule in rules if rule.id.startswith(SELF_PROTECTION)}


def test_an_allowed_tool_still_has_its_written_code_read() -> None:
    finding = Finding("T-1", "Title", Severity.HIGH, 0.9, FindingRoute.CODE, True)
    assert not is_lifted(finding)
