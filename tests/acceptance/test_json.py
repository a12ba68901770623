"""``--json`` prints exactly one document on standard output, without any secret in it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import pytest

from tests.acceptance.conftest import CONNECTORS, make_product
from tests.harness import Product, make_shell_call

pytestmark = pytest.mark.acceptance
OBJECTS = (
    "status --json",
    "version --json",
    "guardrail status --json",
    "guardrail fail-mode --json",
    "doctor --json",
    "explain --json --shell posix ls",
    "policy show admission --json",
)
LISTS = (
    "audit list --json",
    "audit list --connector claude-code --json",
    "alerts --json",
    "alerts --connector codex --limit 1 --json",
    "rules list --json",
    "policy list --json",
)
ROW_KEYS = {"record", "at_ms", "connector", "event", "tool", "mode", "raw", "action", "severity"}


@pytest.fixture(scope="module")
def used() -> Iterator[Product]:
    """Both connectors, with one harmless and one dangerous call of each."""
    with make_product(*CONNECTORS) as ours:
        for key in CONNECTORS.values():
            for command in ("ls", "rm -rf /"):
                call = make_shell_call(ours.box.project, command)
                ours.registered_hook(key, call).expect(0)
        yield ours


def secrets(product: Product) -> list[str]:
    """Every credential in the data home."""
    files = [product.box.data / "gateway.token", *product.box.data.glob("hooks/*.token")]
    return [file.read_text(encoding="ascii").strip() for file in files]


@pytest.mark.parametrize("line", OBJECTS)
def test_read_command_prints_one_versioned_object(used: Product, line: str) -> None:
    ran = used.cli(*shlex.split(line)).expect(0)
    assert ran.json["schema"] == 1
    assert not any(secret in ran.text for secret in secrets(used))


@pytest.mark.parametrize("line", LISTS)
def test_list_command_prints_items_and_their_count(used: Product, line: str) -> None:
    items = used.items(*[word for word in shlex.split(line) if word != "--json"])
    assert items


def test_gateway_status_prints_one_object(used: Product) -> None:
    document = used.gateway("status", "--json").expect().json
    assert document["schema"] == 1
    assert document["running"] is True


def test_audit_rows_name_the_call_and_its_verdict(used: Product) -> None:
    for key in CONNECTORS.values():
        rows = used.audit(key)
        assert [(row["action"], row["tool"]) for row in rows] == [
            ("allow", "Bash"),
            ("block", "Bash"),
        ]
        assert all(set(row) >= ROW_KEYS for row in rows)
        shown = used.cli("audit", "show", rows[1]["record"], "--json").expect().json
        assert shown["rules"] == rows[1]["rules"]


def test_alerts_hold_the_blocks_and_not_the_ordinary_calls(used: Product) -> None:
    assert {row["action"] for row in used.items("alerts")} == {"block"}


def test_doctor_finds_nothing_broken_after_setup(used: Product) -> None:
    document = used.cli("doctor", "--json").expect(0).json
    assert [check for check in document["checks"] if check["status"] == "fail"] == []


def test_status_names_each_connector_and_its_posture(used: Product) -> None:
    rows = {row["connector"]: row for row in used.cli("status", "--json").json["connectors"]}
    assert set(rows) == set(CONNECTORS.values())
    assert {row["mode"] for row in rows.values()} == {"action"}


def test_read_commands_work_before_anything_was_set_up(product: Product) -> None:
    for line in ("status --json", "guardrail status --json", "version --json"):
        ran = product.cli(*shlex.split(line)).expect(0)
        assert ran.json["schema"] == 1
