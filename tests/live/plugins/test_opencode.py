"""OpenCode's plugin alone, in a JavaScript runtime, with a stand-in for the hook client."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from defenseclaw.connectors import COMMAND_MARK, CONNECTORS
from defenseclaw.platform import package_file

pytestmark = [pytest.mark.live, pytest.mark.xdist_group("plugins")]
SOURCE = package_file("connectors", "plugins/opencode.js").read_text(encoding="utf-8")
TIMEOUT_S = 60.0
DENY = '{"action":"block","reason":"CMD-X: no"}'

CLIENT = """
import json, sys, time
plan = json.load(open(sys.argv[1]))
with open(sys.argv[2], "a") as log:
    log.write(json.dumps([sys.argv[3:], sys.stdin.read()]) + "\\n")
time.sleep(plan.get("delay", 0))
sys.stdout.write(plan["stdout"])
sys.exit(plan["exit"])
"""
RUNNER = """
import { readFileSync } from "node:fs"
const { DefenseClaw } = await import(process.argv[2])
const hooks = await DefenseClaw({ directory: "/home/dev/project" })
const results = []
for (const [name, args] of JSON.parse(readFileSync(0, "utf8"))) {
  const started = Date.now()
  try {
    results.push({ value: (await hooks[name](...args)) ?? null, ms: Date.now() - started })
  } catch (error) {
    results.push({ thrown: error.message, ms: Date.now() - started })
  }
}
console.log(JSON.stringify(results))
"""


@dataclass
class Bench:
    """A rendered plugin, and what its client answers and was told."""

    folder: Path
    rendered: bool = True

    def __post_init__(self) -> None:
        self.answer('{"action":"allow"}')
        (self.folder / "client.py").write_text(CLIENT, encoding="utf-8")
        (self.folder / "run.mjs").write_text(RUNNER, encoding="utf-8")
        words = [sys.executable, *(str(self.folder / n) for n in ("client.py", "plan", "log"))]
        text = SOURCE.replace(COMMAND_MARK, json.dumps(words)) if self.rendered else SOURCE
        (self.folder / "plugin.mjs").write_text(text, encoding="utf-8")

    def answer(self, stdout: str, code: int = 0, delay: float = 0) -> None:
        plan = {"stdout": stdout, "exit": code, "delay": delay}
        (self.folder / "plan").write_text(json.dumps(plan), encoding="utf-8")

    def play(self, *calls: tuple[str, list[Any]]) -> list[dict[str, Any]]:
        node = shutil.which("node")
        assert node, "Node.js is needed, as for installing the agents"
        argv = [node, str(self.folder / "run.mjs"), str(self.folder / "plugin.mjs")]
        given = json.dumps(calls).encode()
        done = subprocess.run(argv, input=given, capture_output=True, timeout=TIMEOUT_S)
        assert done.returncode == 0, done.stderr.decode()
        results: list[dict[str, Any]] = json.loads(done.stdout)
        return results

    def told(self) -> list[tuple[list[str], dict[str, Any]]]:
        log = self.folder / "log"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return [(words, json.loads(body)) for words, body in map(json.loads, lines)]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def before(args: dict[str, Any] | None = None) -> tuple[str, list[Any]]:
    call = {"tool": "bash", "sessionID": "s1", "callID": "c1"}
    return "tool.execute.before", [call, {"args": args or {"command": "ls"}}]


def after(output: Any, **more: Any) -> tuple[str, list[Any]]:
    call = {"tool": "bash", "sessionID": "s1", "callID": "c1", "args": {"command": "ls"}, **more}
    return "tool.execute.after", [call, output]


def event(kind: str, **properties: Any) -> tuple[str, list[Any]]:
    return "event", [{"event": {"type": kind, "properties": properties}}]


def test_allowed_call_is_let_go_and_told_completely(bench: Bench) -> None:
    assert bench.play(before())[0]["value"] is None
    ((words, body),) = bench.told()
    assert words == ["--event", "tool.execute.before"]
    assert body == {
        "hook_event_name": "tool.execute.before",
        "tool_name": "bash",
        "tool_input": {"command": "ls"},
        "tool_response": None,
        "session_id": "s1",
        "turn_id": "",
        "tool_call_id": "c1",
        "agent_name": "",
        "cwd": "/home/dev/project",
    }


def test_block_is_thrown_with_exactly_the_reason(bench: Bench) -> None:
    bench.answer(DENY)
    assert bench.play(before())[0]["thrown"] == "CMD-X: no"


@pytest.mark.parametrize(
    ("stdout", "code"),
    [
        ("", 0),
        ("{", 0),
        ("[]", 0),
        ('{"action":"maybe"}', 0),
        ('{"action":"ALLOW"}', 0),
        ('{"result":"allow"}', 0),
        ('{"action":"allow"}', 2),
        ('{"action":"allow"}', 1),
        ('{"action":"allow"}{"action":"allow"}', 0),
    ],
)
def test_client_that_does_not_answer_stops_the_call(bench: Bench, stdout: str, code: int) -> None:
    bench.answer(stdout, code)
    assert "hook client could not run" in bench.play(before())[0]["thrown"]


def test_client_that_cannot_be_started_stops_the_call(bench: Bench) -> None:
    (bench.folder / "plugin.mjs").write_text(
        SOURCE.replace(COMMAND_MARK, '["/no/such/program"]'), encoding="utf-8"
    )
    assert "hook client could not run" in bench.play(before())[0]["thrown"]


def test_text_that_setup_has_not_filled_in_stops_the_call(tmp_path: Path) -> None:
    assert "thrown" in Bench(tmp_path, rendered=False).play(before())[0]


@pytest.mark.parametrize("stdout", [DENY, "", "{"])
def test_finished_call_never_throws(bench: Bench, stdout: str) -> None:
    bench.answer(stdout)
    assert bench.play(after({"output": "x"}))[0]["value"] is None


def test_finished_call_is_waited_for(bench: Bench) -> None:
    bench.answer('{"action":"allow"}', delay=0.3)
    assert bench.play(after({"output": "x"}))[0]["ms"] >= 300


def test_executed_arguments_and_output_are_told(bench: Bench) -> None:
    output = {"title": "t", "output": "x", "metadata": {"exit": 3}}
    bench.play(after(output), after(None), after({"output": "y"}, args=None))
    told = [body for _, body in bench.told()]
    assert told[0]["tool_response"] == output
    assert told[0]["tool_input"] == {"command": "ls"}
    assert told[1]["tool_response"] is None
    assert told[2]["tool_input"] == {}


def test_result_that_is_too_long_is_left_out(bench: Bench) -> None:
    bench.play(after({"output": "x" * 1_000_000}))
    ((_, body),) = bench.told()
    assert body["tool_response"] is None
    assert body["tool_call_id"] == "c1"


def test_only_the_events_of_a_session_are_told(bench: Bench) -> None:
    names = [e.name for e in CONNECTORS["opencode"].events if e.name.startswith("session.")]
    others = ["message.updated", "session.diff", "permission.asked", "file.edited"]
    results = bench.play(*(event(name, sessionID="s1") for name in [*names, *others]))
    assert all(result["value"] is None for result in results)
    assert [body["hook_event_name"] for _, body in bench.told()] == names


def test_status_may_be_a_word_or_an_object(bench: Bench) -> None:
    bench.play(
        event("session.status", sessionID="s1", status={"type": "busy"}),
        event("session.status", sessionID="s1", status="idle"),
        event("session.error", sessionID="s1", error={"name": "x"}),
        event("session.created", info={"id": "s2", "parentID": "s1"}),
        event("session.idle"),
    )
    told = [body for _, body in bench.told()]
    assert [body["status"] for body in told[:3]] == ["busy", "idle", "error"]
    assert (told[3]["session_id"], told[3]["parent_session_id"]) == ("s2", "s1")
    assert told[4]["session_id"] == ""


def test_odd_events_and_contexts_stop_nothing(bench: Bench) -> None:
    results = bench.play(("event", []), ("event", [{}]), ("event", [{"event": {"type": 7}}]))
    assert all("value" in result for result in results)
    assert bench.told() == []


def test_several_calls_at_once_get_their_own_answers(bench: Bench) -> None:
    started = time.monotonic()
    bench.answer(DENY)
    results = bench.play(*[before({"command": f"echo {n}"}) for n in range(4)])
    assert [r["thrown"] for r in results] == ["CMD-X: no"] * 4
    assert time.monotonic() - started < TIMEOUT_S


def test_plugin_holds_no_secret_and_one_constant() -> None:
    assert SOURCE.count(COMMAND_MARK) == 1
    assert "Bearer" not in SOURCE
    assert "fetch(" not in SOURCE
