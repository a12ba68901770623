"""``eval`` and ``explain`` judge text offline, without a gateway or a data home."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.harness import Product

pytestmark = pytest.mark.acceptance
ROWS = [
    {"id": "a", "shell": "posix", "command": "ls -la"},
    {"id": "b", "shell": "posix", "command": "rm -rf /"},
    {
        "id": "c",
        "tool": "Read",
        "args": {"file_path": "/home/dev/.ssh/id_rsa"},
        "home": "/home/dev",
    },
    {"id": "d", "surface": "prompt", "content": "hello"},
    {"id": "e", "shell": "posix", "command": "grep -rn 'rm -rf /' docs"},
    {"id": "f", "shell": "powershell", "command": "Get-ChildItem"},
    {"id": "g", "shell": "cmd", "command": "dir"},
]
KEYS = {
    "id", "action", "severity", "rule_ids", "findings", "parse", "modelled", "issues", "micros",
}  # fmt: skip


def evaluate(product: Product, rows: list[Any], *options: str) -> list[dict[str, Any]]:
    """Run ``eval`` over these rows; its output, one object per row."""
    source, target = product.box.root / "in.jsonl", product.box.root / "out.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    product.cli("eval", "--input", str(source), "--output", str(target), *options).expect()
    return [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]


def test_eval_answers_every_row_in_order(product: Product) -> None:
    out = evaluate(product, ROWS)
    assert [row["id"] for row in out] == [row["id"] for row in ROWS]
    assert all(set(row) >= KEYS for row in out)
    assert [row["action"] for row in out[:2]] == ["allow", "block"]
    assert out[2]["action"] in {"confirm", "block"}
    assert [row["action"] for row in out[3:5]] == ["allow", "allow"]
    [finding] = out[1]["findings"][:1]
    assert set(finding) >= {"rule_id", "severity", "route", "enforceable"}
    assert (finding["route"], finding["enforceable"]) == ("semantic", True)


def test_eval_gives_the_same_answer_twice_and_under_every_profile(product: Product) -> None:
    for profile in ("default", "strict", "permissive"):
        first = evaluate(product, ROWS, "--profile", profile)
        again = evaluate(product, ROWS, "--profile", profile)
        assert [r | {"micros": 0} for r in first] == [r | {"micros": 0} for r in again]
        assert first[1]["action"] == "block"


def test_eval_reports_a_bad_row_by_its_line_and_does_not_traceback(product: Product) -> None:
    source = product.box.root / "in.jsonl"
    source.write_text('{"id":"a","shell":"posix","command":"ls"}\n{"id":\n', encoding="utf-8")
    ran = product.cli("eval", "--input", str(source), "--output", str(product.box.root / "out"))
    assert ran.exit in {1, 2}
    assert "Traceback" not in ran.text
    assert "2" in ran.text


def test_explain_says_what_was_seen_and_why(product: Product) -> None:
    ran = product.cli("explain", "--shell", "posix", "sudo rm -rf /").expect()
    for word in ("rm", "block", "CMD-RM-RF"):
        assert word in ran.stdout
    document = product.cli("explain", "--json", "--shell", "posix", "rm -rf /").expect().json
    assert document["schema"] == 1
    assert "CMD-RM-RF" in json.dumps(document)


def test_explain_of_a_recorded_block(product: Product) -> None:
    from tests.harness import make_shell_call

    product.protect("codex")
    product.registered_hook("codex", make_shell_call(product.box.project, "rm -rf /")).expect(0)
    [row] = product.audit("codex", action="block")
    ran = product.cli("explain", "--id", row["record"]).expect()
    assert row["rules"][0] in ran.stdout
    document = product.cli("explain", "--id", row["record"], "--json").expect().json
    assert document["schema"] == 1
