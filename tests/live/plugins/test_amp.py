"""Amp's plugin alone, in the runtime inside of Amp, with a stand-in for host and hook client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from defenseclaw.connectors import COMMAND_MARK, CONNECTORS
from defenseclaw.platform import package_file
from tests.live.conftest import make_driver
from tests.live.roster import companion_folder, installation

pytestmark = [pytest.mark.live, pytest.mark.xdist_group("amp")]
SOURCE = package_file("connectors", "plugins/amp.ts").read_text(encoding="utf-8")
TIMEOUT_S = 60.0
THREAD, OTHER = "T-1", "T-2"
CLIENT = """
import json, sys
plan = json.load(open(sys.argv[1]))
with open(sys.argv[2], "a") as log:
    log.write(json.dumps([sys.argv[3:], sys.stdin.read()]) + "\\n")
sys.stdout.write(plan["stdout"])
sys.exit(plan["exit"])
"""
# The little of Node.js that the plugin uses; its own types are in another package.
NODE_TYPES = """
declare module "node:child_process" {
  export function spawn(program: string, words: string[], options: object): any
}
declare const process: { cwd(): string }
declare function setTimeout(work: () => void, ms: number): number
declare function clearTimeout(timer: number): void
"""
RUNNER = """
import { readFileSync } from "node:fs"
const given = JSON.parse(readFileSync(0, "utf8"))
const handlers = {}
const notes = []
const ui = {
  notify: async (text) => {
    if (given.notifyThrows) throw new Error("no window")
    notes.push(text)
  },
  confirm: async (asked) => {
    notes.push(asked)
    if (given.leaves) amp.activeThread.current = { id: "T-9" }
    if (given.confirmThrows) throw new Error(given.confirmThrows)
    return given.confirm
  },
}
const amp = {
  on: (name, handler) => { handlers[name] = handler },
  activeThread: { current: given.active ? { id: given.active } : undefined },
  helpers: { isPluginUINotAvailableError: (error) => error.message === "unavailable" },
  ui,
}
const { default: load } = await import(process.argv[2])
load(amp)
const results = []
for (const [name, event] of given.calls) {
  const agent = async () => {
    if (given.agentThrows) throw new Error("none")
    return given.agents?.shift() ?? { mode: "smart" }
  }
  const ctx = { ui, thread: { id: event.thread?.id, agent }, workspace: { root: "/home/dev/p" } }
  results.push((await handlers[name](event, ctx)) ?? null)
}
console.log(JSON.stringify({ results, notes, handlers: Object.keys(handlers) }))
"""


@dataclass
class Bench:
    """A rendered plugin, and what its client answers and was told."""

    folder: Path
    seen: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        (self.folder / "client.py").write_text(CLIENT, encoding="utf-8")
        (self.folder / "run.mjs").write_text(RUNNER, encoding="utf-8")
        words = [sys.executable, *(str(self.folder / n) for n in ("client.py", "plan", "log"))]
        self.render(words)
        self.answer("allow")

    def render(self, words: list[str]) -> None:
        text = SOURCE.replace(COMMAND_MARK, json.dumps(words))
        (self.folder / "plugin.ts").write_text(text, encoding="utf-8")

    def answer(self, action: str, reason: str = "CMD-X: no") -> None:
        self.say(json.dumps({"action": action, "reason": reason}))

    def say(self, stdout: str, code: int = 0) -> None:
        plan = json.dumps({"stdout": stdout, "exit": code})
        (self.folder / "plan").write_text(plan, encoding="utf-8")

    def play(self, *calls: tuple[str, dict[str, Any]], **host: Any) -> list[Any]:
        argv = [str(make_driver("amp").program), str(self.folder / "run.mjs")]
        given = json.dumps({"active": THREAD, **host, "calls": calls}).encode()
        done = subprocess.run(
            [*argv, str(self.folder / "plugin.ts")],
            input=given, capture_output=True, timeout=TIMEOUT_S,
            env={**os.environ, "BUN_BE_BUN": "1", "HOME": str(self.folder)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode()
        self.seen = json.loads(done.stdout)
        return list(self.seen["results"])

    def told(self) -> list[tuple[list[str], dict[str, Any]]]:
        log = self.folder / "log"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return [(words, json.loads(body)) for words, body in map(json.loads, lines)]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def call(tool: str = "Bash", thread: str = THREAD) -> tuple[str, dict[str, Any]]:
    given = {"toolUseID": "toolu_1", "tool": tool, "input": {"cmd": "ls"}}
    return "tool.call", {"thread": {"id": thread}, **given}


def result(output: Any = "a.txt", **more: Any) -> tuple[str, dict[str, Any]]:
    given = {"toolUseID": "toolu_1", "tool": "Bash", "input": {"cmd": "ls"}, "status": "done"}
    return "tool.result", {"thread": {"id": THREAD}, **given, "output": output, **more}


def test_exactly_the_five_events_are_taken(bench: Bench) -> None:
    bench.play()
    assert bench.seen["handlers"] == [event.name for event in CONNECTORS["amp"].events]


def test_allowed_call_runs_and_is_told_completely(bench: Bench) -> None:
    assert bench.play(call()) == [{"action": "allow"}]
    ((words, body),) = bench.told()
    assert words == ["--event", "tool.call"]
    assert (body["session_id"], body["thread_id"], body["tool_call_id"]) == (
        THREAD, THREAD, "toolu_1",
    )  # fmt: skip
    assert body["tool_input"] == {"cmd": "ls"}
    assert body["source_event_id"].startswith(f"tool.call:{THREAD}:toolu_1:")
    assert (body["agent_name"], body["agent_mode"]) == ("smart", "smart")
    assert body["cwd"] == "/home/dev/p"


def test_blocked_call_is_rejected_with_the_reason(bench: Bench) -> None:
    bench.answer("block")
    assert bench.play(call()) == [{"action": "reject-and-continue", "message": "CMD-X: no"}]


def test_question_is_put_in_the_foreground_and_its_answer_counts(bench: Bench) -> None:
    bench.answer("confirm")
    assert bench.play(call(), confirm=True) == [{"action": "allow"}]
    (asked,) = bench.seen["notes"]
    assert (asked["title"], asked["message"]) == ("Allow Bash?", "CMD-X: no")
    for said in (False, None, "yes"):
        (answer,) = bench.play(call(), confirm=said)
        assert answer["action"] == "reject-and-continue"
        assert "said no" in answer["message"]


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ({"active": OTHER, "confirm": True}, "background"),
        ({"active": "", "confirm": True}, "background"),
        ({"confirmThrows": "unavailable"}, "cannot be shown"),
        ({"confirmThrows": "other"}, "failed"),
        ({"confirm": True, "leaves": True}, "background"),
    ],
)
def test_question_that_nobody_can_answer_is_a_refusal(
    bench: Bench, host: dict[str, Any], why: str
) -> None:
    bench.answer("confirm")
    (answer,) = bench.play(call(), **host)
    assert answer["action"] == "reject-and-continue"
    assert answer["message"].startswith("CMD-X: no ")
    assert why in answer["message"]


def test_alert_is_shown_in_the_foreground_only_and_stops_nothing(bench: Bench) -> None:
    bench.answer("alert")
    assert bench.play(call()) == [{"action": "allow"}]
    assert bench.seen["notes"] == ["CMD-X: no"]
    assert bench.play(call(), active=OTHER) == [{"action": "allow"}]
    assert bench.seen["notes"] == []
    assert bench.play(call(), notifyThrows=True) == [{"action": "allow"}]


def test_result_stays_or_is_withheld(bench: Bench) -> None:
    assert bench.play(result()) == [None]
    bench.answer("block")
    (answer,) = bench.play(result())
    assert (answer["status"], answer["error"]) == ("error", "CMD-X: no")
    assert "withheld" in answer["output"]
    bench.answer("confirm")
    assert bench.play(result(), confirm=True) == [None]
    assert bench.play(result(), confirm=False)[0]["status"] == "error"
    assert bench.play(result(), active=OTHER, confirm=True)[0]["status"] == "error"


@pytest.mark.parametrize(
    ("stdout", "code"),
    [("", 0), ("{", 0), ("[]", 0), ('{"action":"maybe"}', 0), ('{"action":"allow"}', 2)],
)
def test_client_that_does_not_answer_stops_calls_and_results(
    bench: Bench, stdout: str, code: int
) -> None:
    bench.say(stdout, code)
    rejected, withheld = bench.play(call(), result())
    assert rejected["action"] == "reject-and-continue"
    assert "hook client could not run" in rejected["message"]
    assert withheld["status"] == "error"


def test_client_that_cannot_be_started_stops_the_call(bench: Bench) -> None:
    bench.render(["/no/such/program"])
    assert bench.play(call())[0]["action"] == "reject-and-continue"


def test_what_stops_nothing_has_no_effect_whatever_the_answer(bench: Bench) -> None:
    told = {"thread": {"id": THREAD}}
    events = (
        ("session.start", told),
        ("agent.start", {**told, "id": "M-1", "message": "hi"}),
        ("agent.end", {**told, "id": "M-1", "status": "done", "messages": []}),
    )
    for answer in ('{"action":"block","reason":"x"}', "", "{"):
        bench.say(answer)
        assert bench.play(*events) == [None, None, None]


def test_only_the_words_of_the_assistant_are_told_at_the_end(bench: Bench) -> None:
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "secret question"}]},
        {
            "role": "assistant",
            "content": [{"type": "thinking", "text": "hm"}, {"type": "text", "text": "a"}],
        },
        {"role": "assistant", "content": [{"type": "text", "text": "b"}]},
    ]
    end = {"thread": {"id": THREAD}, "id": "M-1", "status": "done", "messages": messages}
    bench.play(("agent.end", end))
    assert bench.told()[0][1]["response"] == "a\nb"


def test_each_turn_has_its_own_number_and_agent(bench: Bench) -> None:
    def turn(number: int) -> list[tuple[str, dict[str, Any]]]:
        start = {"thread": {"id": THREAD}, "id": f"M-{number}", "message": "hi"}
        return [("agent.start", start), call()]

    bench.play(*turn(1), *turn(2), agents=[{"mode": "smart"}, {"mode": "rush"}])
    calls = [body for _, body in bench.told() if body["hook_event_name"] == "tool.call"]
    assert [body["turn_id"] for body in calls] == ["M-1", "M-2"]
    assert [body["agent_mode"] for body in calls] == ["smart", "rush"]
    numbers = [int(body["source_sequence"]) for _, body in bench.told()]
    assert numbers == sorted(set(numbers))


def test_agent_that_cannot_be_asked_is_nobody_in_particular(bench: Bench) -> None:
    bench.play(call(), agentThrows=True)
    body = bench.told()[0][1]
    assert (body["agent_name"], body["agent_type"]) == ("amp", "amp")


def test_long_end_of_a_turn_is_told_shorter(bench: Bench) -> None:
    long = [{"role": "assistant", "content": [{"type": "text", "text": "x" * 950_000}]}]
    end = {"thread": {"id": THREAD}, "id": "M-1", "status": "done", "messages": long}
    bench.play(("agent.end", end))
    body = bench.told()[0][1]
    assert body["content_truncated"] is True
    assert body["original_body_bytes"] > 950_000
    assert "response" not in body


@pytest.mark.parametrize(
    ("tool", "is_boundary"),
    [("Task", True), ("oracle", True), ("x-subagent-y", True), ("Taskbar", False), ("Bash", False)],
)
def test_delegation_is_marked_by_whole_words(bench: Bench, tool: str, is_boundary: bool) -> None:
    bench.play(call(tool))
    assert bench.told()[0][1]["delegation_boundary"] is is_boundary


def test_input_is_never_changed(bench: Bench) -> None:
    for action in ("allow", "alert", "confirm"):
        bench.answer(action)
        (answer,) = bench.play(call(), confirm=True)
        assert answer == {"action": "allow"}


def test_paths_with_quotes_and_other_letters_are_rendered_safely(bench: Bench) -> None:
    bench.render(['/tmp/a "b"\\c/日本', "x\ny"])
    assert bench.play(call())[0]["action"] == "reject-and-continue"


def test_plugin_fits_the_types_that_amp_itself_describes(bench: Bench) -> None:
    amp = make_driver("amp")
    argv = [str(amp.program), "plugins", "show-docs"]
    home = {**os.environ, "HOME": str(bench.folder)}
    shown = subprocess.run(argv, env=home, capture_output=True, timeout=TIMEOUT_S, check=True)
    lines = shown.stdout.decode().splitlines()
    start = lines.index("declare module '@ampcode/plugin' {")
    types = lines[start : lines.index("}", start) + 1]
    (bench.folder / "amp.d.ts").write_text("\n".join([*types, NODE_TYPES]), encoding="utf-8")
    compiler = companion_folder(amp.package, installation()) / "node_modules/typescript/bin/tsc"
    options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "esnext"]
    files = ["plugin.ts", "amp.d.ts"]
    checked = subprocess.run(
        ["node", str(compiler), *options, "--moduleResolution", "bundler", *files],
        cwd=bench.folder, capture_output=True, timeout=TIMEOUT_S,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout.decode()


def test_plugin_holds_no_secret_and_one_constant() -> None:
    assert SOURCE.count(COMMAND_MARK) == 1
    assert "fetch(" not in SOURCE
    assert SOURCE.splitlines()[0] == "// defenseclaw-managed-plugin v2"
