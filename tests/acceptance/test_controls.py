"""Lists and suppressions through the command line, the running gateway and the registered hook."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness import Product, make_shell_call

pytestmark = pytest.mark.acceptance


def verdict(product: Product, command: str) -> dict[str, Any]:
    """The newest audit row after one call of Claude Code."""
    product.registered_hook("claudecode", make_shell_call(product.box.project, command))
    row: dict[str, Any] = product.items("audit", "list", "--limit", "1")[0]
    return row


def test_block_list_counts_at_once_and_is_taken_back(protected: Product) -> None:
    assert verdict(protected, "ls")["action"] == "allow"
    protected.cli("tool", "block", "Bash", "--connector", "claude-code", "--reason", "a").expect()
    row = verdict(protected, "ls")
    assert (row["action"], row["rules"]) == ("block", ["STATIC-BLOCK"])
    [listed] = protected.items("tool", "list")
    assert (listed["name"], listed["connector"], listed["by"]) == ("Bash", "claudecode", "user")
    protected.cli("tool", "unblock", "Bash", "--connector", "claude-code").expect()
    assert verdict(protected, "ls")["action"] == "allow"
    assert protected.cli("tool", "unblock", "Bash").exit == 1


def test_shell_is_allowed_only_by_force(protected: Product) -> None:
    refused = protected.cli("tool", "allow", "Bash")
    assert refused.exit == 1
    assert "--force" in refused.text
    protected.cli("tool", "allow", "Bash", "--force").expect()
    try:
        assert verdict(protected, "git push --force")["action"] == "allow"
        assert verdict(protected, "rm -rf /")["action"] == "block"
        checks = protected.cli("doctor", "--passive", "--json").json["checks"]
        assert [c["status"] for c in checks if c["check_id"] == "controls.lists"] == ["warn"]
    finally:
        protected.cli("tool", "unblock", "Bash").expect()


def test_this_was_fine_is_one_step_from_a_record(protected: Product) -> None:
    before = verdict(protected, "git push --force origin main")
    assert before["action"] == "confirm"
    protected.cli("suppress", "fine", before["record"]).expect()
    after = verdict(protected, "git push --force origin main")
    assert (after["action"], after["rules"]) == ("allow", [])
    assert after["body"]["waived"][0]["rule_id"] == "VCS-FORCE-PUSH"
    assert verdict(protected, "git push --force origin dev")["action"] == "confirm"
    [row] = protected.items("suppress", "list")
    assert (row["used"], row["tool"], row["expired"]) == (1, "Bash", False)
    protected.cli("suppress", "remove", row["id"]).expect()
    assert verdict(protected, "git push --force origin main")["action"] == "confirm"


def test_guards_own_rules_and_whole_homes_cannot_be_suppressed(protected: Product) -> None:
    record = verdict(protected, "defenseclaw-gateway stop")["record"]
    assert protected.cli("suppress", "fine", record).exit == 1
    for options in (
        ("--rule", "SELF-OWN-STATE", "--path", "/srv/app/x"),
        ("--rule", "CMD-SUDO", "--path", str(protected.box.home)),
    ):
        said = protected.cli("suppress", "add", "--tool", "Bash", "--reason", "x", *options)
        assert said.exit == 1
    assert protected.items("suppress", "list") == []
