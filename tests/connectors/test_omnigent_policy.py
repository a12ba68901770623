"""OmniGent's policy module with a stand-in for the hook client: it never raises or opens."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from defenseclaw.connectors import COMMAND_MARK
from defenseclaw.platform import package_file

SOURCE = package_file("connectors", "plugins/omnigent_policy.py").read_text(encoding="utf-8")
CLIENT = """
import json, sys
plan = json.load(open(sys.argv[1]))
open(sys.argv[2], "w").write(json.dumps([sys.argv[3:], sys.stdin.read()]))
sys.stdout.write(plan["stdout"])
sys.exit(plan["exit"])
"""
CALL = {
    "type": "tool_call",
    "target": "sys_os_shell",
    "data": {"name": "sys_os_shell", "arguments": {"command": "ls"}},
    "context": {"model": "gpt-4o"},
}


class Bench:
    """A policy module as setup writes it, or as it is shipped."""

    def __init__(self, folder: Path, command: object = None) -> None:
        self.folder = folder
        (folder / "client.py").write_text(CLIENT, encoding="utf-8")
        words = [sys.executable, *(str(folder / name) for name in ("client.py", "plan", "log"))]
        self.module = load(folder, SOURCE.replace(COMMAND_MARK, json.dumps(command or words)))
        self.answer('{"action":"allow"}')

    def answer(self, stdout: str, code: int = 0) -> None:
        plan = {"stdout": stdout, "exit": code}
        (self.folder / "plan").write_text(json.dumps(plan), encoding="utf-8")

    def ask(self, event: object) -> dict[str, str]:
        result: dict[str, str] = self.module.defenseclaw_policy(event)
        return result

    def told(self) -> tuple[list[str], dict[str, Any]]:
        words, body = json.loads((self.folder / "log").read_text(encoding="utf-8"))
        return words, json.loads(body)


def load(folder: Path, text: str) -> ModuleType:
    path = folder / "policy_under_test.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("policy_under_test", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.mark.parametrize(
    ("action", "result"),
    [("allow", "ALLOW"), ("alert", "ALLOW"), ("confirm", "ASK"), ("block", "DENY")],
)
def test_word_of_the_client_becomes_the_engines(bench: Bench, action: str, result: str) -> None:
    bench.answer(json.dumps({"action": action, "reason": "CMD-X: no"}))
    found = bench.ask(CALL)
    assert found["result"] == result
    assert ("reason" in found) == (result != "ALLOW")


@pytest.mark.parametrize(
    ("stdout", "code"),
    [("", 0), ("{", 0), ("[]", 0), ('{"action":"maybe"}', 0), ('{"action":"allow"}', 2)],
)
@pytest.mark.parametrize("kind", ["tool_call", "request", "llm_request"])
def test_client_that_does_not_answer_denies_at_gates(
    bench: Bench, kind: str, stdout: str, code: int
) -> None:
    bench.answer(stdout, code)
    assert bench.ask({**CALL, "type": kind})["result"] == "DENY"


@pytest.mark.parametrize("kind", ["tool_result", "response", "llm_response", "something_new"])
def test_what_stops_nothing_is_let_go_without_an_answer(bench: Bench, kind: str) -> None:
    bench.answer("", 1)
    assert bench.ask({**CALL, "type": kind}) == {"result": "ALLOW"}


def test_client_that_cannot_be_started_denies(tmp_path: Path) -> None:
    assert Bench(tmp_path, ["/no/such/program"]).ask(CALL)["result"] == "DENY"


def test_module_that_setup_has_not_filled_in_loads_and_denies(tmp_path: Path) -> None:
    module = load(tmp_path, SOURCE)
    assert module.defenseclaw_policy(CALL)["result"] == "DENY"
    (row,) = module.POLICY_REGISTRY
    assert row["kind"] == "callable"
    assert row["handler"].endswith(".defenseclaw_policy")


@pytest.mark.parametrize(
    "event", [None, 7, "", [], {}, {"type": None}, {"type": "tool_call", "data": object()}]
)
def test_odd_events_never_raise(bench: Bench, event: object) -> None:
    assert bench.ask(event)["result"] in ("ALLOW", "DENY")


def test_call_is_told_completely(bench: Bench) -> None:
    bench.ask(CALL)
    words, body = bench.told()
    assert words == ["--event", "PreToolUse"]
    assert body["hook_event_name"] == "PreToolUse"
    assert (body["tool_name"], body["tool_input"]) == ("sys_os_shell", {"command": "ls"})
    assert body["model"] == "gpt-4o"


def test_arguments_that_come_as_a_text_are_read(bench: Bench) -> None:
    bench.ask({**CALL, "data": {"name": "x", "arguments": '{"command": "ls"}'}})
    assert bench.told()[1]["tool_input"] == {"command": "ls"}
    bench.ask({**CALL, "data": {"name": "x", "arguments": "{"}})
    assert bench.told()[1]["tool_input"] == {"unread": "{"}


@pytest.mark.parametrize(
    ("data", "prompt"),
    [
        ("hello", "hello"),
        ({"user_content": "hello", "attachments": []}, "hello"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ({"user_content": [{"text": "a"}]}, "a"),
        ({"last_user_message": "q", "system_prompt_preview": "s"}, "q"),
        ({"system_prompt_preview": "s"}, "s"),
        ({"other": {"a": 1}}, ""),
        (None, ""),
    ],
)
@pytest.mark.parametrize("kind", ["request", "llm_request"])
def test_prompt_is_the_users_words_and_never_a_dump(
    bench: Bench, kind: str, data: object, prompt: str
) -> None:
    bench.ask({"type": kind, "data": data})
    assert bench.told()[1]["prompt"] == prompt


def test_values_that_json_cannot_hold_become_text(bench: Bench) -> None:
    deep: Any = "x"
    for _ in range(100):
        deep = [deep]
    arguments = {"nan": float("nan"), "inf": float("inf"), "o": object(), 7: "k", "deep": deep}
    assert bench.ask({**CALL, "data": {"name": "x", "arguments": arguments}}) == {"result": "ALLOW"}
    given = bench.told()[1]["tool_input"]
    assert (given["nan"], given["inf"], given["7"]) == ("nan", "inf", "k")
    assert isinstance(given["o"], str)


def test_result_is_told_with_the_call_that_it_repeats(bench: Bench) -> None:
    event = {
        "type": "tool_result",
        "target": "sys_os_shell",
        "data": {"result": '{"exit_code": 0}'},
        "request_data": {"name": "sys_os_shell", "arguments": {"command": "ls"}},
    }
    assert bench.ask(event) == {"result": "ALLOW"}
    body = bench.told()[1]
    assert body["tool_response"] == '{"exit_code": 0}'
    assert body["tool_input"] == {"command": "ls"}
