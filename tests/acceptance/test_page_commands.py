"""Every command line of the connector page, verbatim, with a roster of one and of two."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

import pytest

from tests.acceptance.conftest import CONNECTORS
from tests.harness import Product, Ran

pytestmark = pytest.mark.acceptance


@dataclass(frozen=True, slots=True)
class Line:
    """One printed command, the status it promises, and words that its output must hold."""

    text: str
    exit: int = 0
    says: tuple[str, ...] = ()


PAGE_FOR_TWO = (
    Line("defenseclaw setup codex --mode observe", says=("observe", "closed")),
    Line("defenseclaw setup claude-code --mode observe", says=("observe", "closed")),
    Line("defenseclaw setup codex --mode action", says=("action",)),
    Line("defenseclaw setup claude-code --mode action", says=("action",)),
    Line("defenseclaw guardrail status", says=("codex", "claudecode", "action", "closed")),
    Line("defenseclaw guardrail fail-mode", says=("closed",)),
    Line("defenseclaw guardrail fail-mode closed --connector codex --yes"),
    Line("defenseclaw guardrail fail-mode closed --connector claudecode --yes"),
    Line("defenseclaw guardrail status", says=("closed",)),
    Line("defenseclaw guardrail disable --connector codex --yes"),
    Line("defenseclaw guardrail status", says=("disabled", "enabled")),
    Line("defenseclaw guardrail enable --connector codex --yes"),
    Line("defenseclaw version"),
    Line("defenseclaw-gateway status", says=("codex", "claudecode")),
    Line("defenseclaw status", says=("codex", "claudecode")),
    Line("defenseclaw guardrail status"),
    Line("defenseclaw doctor"),
    Line("defenseclaw setup remove codex --yes"),
    Line("defenseclaw-gateway connector verify --connector codex"),
    Line("defenseclaw-gateway connector verify --connector claude-code", exit=1),
    Line("defenseclaw guardrail status", says=("claudecode",)),
)
PAGE_FOR_ONE = (
    Line("defenseclaw setup {name} --mode observe", says=("observe", "closed")),
    Line("defenseclaw setup {name} --mode action", says=("action",)),
    Line("defenseclaw guardrail status", says=("{key}", "action", "closed")),
    Line("defenseclaw guardrail fail-mode"),
    Line("defenseclaw guardrail fail-mode closed --connector {name} --yes"),
    Line("defenseclaw guardrail status", says=("closed",)),
    Line("defenseclaw guardrail disable --connector {name} --yes"),
    Line("defenseclaw guardrail status", says=("disabled",)),
    Line("defenseclaw guardrail enable --connector {name} --yes"),
    Line("defenseclaw version"),
    Line("defenseclaw-gateway status", says=("{key}",)),
    Line("defenseclaw status", says=("{key}",)),
    Line("defenseclaw doctor"),
    Line("defenseclaw setup remove {name} --yes", exit=1, says=("--force",)),
    Line("defenseclaw-gateway connector verify --connector {name}", exit=1),
    Line("defenseclaw setup remove {name} --yes --force"),
    Line("defenseclaw-gateway connector verify --connector {name}"),
)


def type_line(product: Product, line: Line, **names: str) -> Ran:
    """Run a printed line as typed and check what the page promises."""
    program, *arguments = shlex.split(line.text.format(**names))
    ran = product.run(program, *arguments).expect(line.exit)
    for word in line.says:
        assert word.format(**names) in ran.text, f"{line.text}: {ran.text}"
    return ran


def test_page_with_a_roster_of_two(product: Product) -> None:
    for line in PAGE_FOR_TWO:
        type_line(product, line)


@pytest.mark.parametrize(
    "name, key", [("codex", "codex"), ("claude-code", "claudecode"), ("claudecode", "claudecode")]
)
def test_page_with_a_roster_of_one(product: Product, name: str, key: str) -> None:
    for line in PAGE_FOR_ONE:
        type_line(product, line, name=name, key=key)


def test_removing_one_of_two_leaves_the_peer_protected(product: Product) -> None:
    for connector in CONNECTORS:
        product.protect(connector)
    peer = (product.box.claude_home / "settings.json").read_bytes()
    product.cli("setup", "remove", "codex", "--yes").expect()
    assert (product.box.claude_home / "settings.json").read_bytes() == peer
    assert not (product.box.codex_home / "config.toml").exists()


def test_unknown_connector_is_refused_with_the_known_names(product: Product) -> None:
    ran = product.cli("setup", "codecks", "--mode", "observe", "--yes")
    assert ran.exit in {1, 2}
    assert "codex" in ran.text
    assert "claude-code" in ran.text or "claudecode" in ran.text


@pytest.mark.parametrize(
    "line",
    [
        "guardrail fail-mode open --connector codex",
        "guardrail disable --connector codex",
        "setup remove codex --force",
    ],
)
def test_change_without_yes_and_without_a_terminal_is_refused(product: Product, line: str) -> None:
    product.protect("codex", "observe")
    before = (product.box.data / "config.toml").read_bytes()
    ran = product.cli(*shlex.split(line)).expect(1)
    assert "--yes" in ran.text
    assert (product.box.data / "config.toml").read_bytes() == before
