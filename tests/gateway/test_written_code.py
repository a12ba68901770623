"""Weak code in an agent's own edit calls, through the hook endpoint: answer, record, no content."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, Environment
from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Mode, Profile
from defenseclaw.engine import Snapshot
from defenseclaw.gateway.advisories import Advisories
from defenseclaw.gateway.app import Service, build_app
from defenseclaw.gateway.auth import TokenStore
from defenseclaw.gateway.health import Health
from defenseclaw.gateway.pipeline import Pipeline
from defenseclaw.platform import now_ms
from defenseclaw.rules import build_generation
from defenseclaw.store import AuditRow
from tests.gateway.asgi import Response, request
from tests.gateway.test_app import HEAD, MASTER, token_of
from tests.rules.test_catalog import PACK

PROJECT, HOME = "/home/dev/project", "/home/dev"
GENERATION = build_generation([PACK], Profile.DEFAULT)
WEAK = "cursor.execute(f\"SELECT * FROM users WHERE name = '{zebra}'\")"
FINE = 'cursor.execute("SELECT * FROM users WHERE name = %s", (zebra,))'
BODY = "MIIEpAIBAAKCAQEAx8Zp1Vx7Tm2Rb8Yc4Wd6Nf0Ls5J"
HEADER = "-----BEGIN RSA " + "PRIVATE KEY-----"
KEY = f"KEY = '''{HEADER}\n{BODY}\n'''"
FILE = f"{PROJECT}/app/users.py"


def patch(text: str, *, removed: str = "") -> str:
    """A patch of two files: the second one is code, and some lines only go away."""
    added = "\n".join(f"+{line}" for line in text.split("\n"))
    gone = f"-{removed}\n" if removed else ""
    return (
        "*** Begin Patch\n*** Add File: notes.md\n+never eval(x)\n"
        f"*** Update File: app/users.py\n@@\n context = eval(source)\n{gone}{added}\n*** End Patch"
    )


# agent, tool, and how its arguments hold a text
CALLS: dict[str, tuple[str, str, Any]] = {
    "write": ("claudecode", "Write", lambda text: {"file_path": FILE, "content": text}),
    "edit": (
        "claudecode",
        "Edit",
        lambda text: {"file_path": FILE, "old_string": "eval(source)", "new_string": text},
    ),
    "multi-edit": (
        "claudecode",
        "MultiEdit",
        lambda text: {
            "file_path": FILE,
            "edits": [
                {"old_string": "a", "new_string": "b"},
                {"old_string": "eval(source)", "new_string": text},
            ],
        },
    ),
    "notebook": (
        "claudecode",
        "NotebookEdit",
        lambda text: {
            "notebook_path": f"{PROJECT}/study.ipynb",
            "cell_type": "code",
            "new_source": text,
        },
    ),
    "heredoc": (
        "claudecode",
        "Bash",
        lambda text: {"command": f"cat > app/users.py <<'EOF'\n{text}\nEOF"},
    ),
    "patch": ("codex", "apply_patch", lambda text: {"command": patch(text, removed=WEAK)}),
    "patch-in-shell": (
        "codex",
        "Bash",
        lambda text: {"command": f"apply_patch <<'EOF'\n{patch(text)}\nEOF"},
    ),
}


@dataclass
class Runtime:
    """The shipped rules under one mode."""

    mode: Mode
    environment: Environment = field(default_factory=lambda: Environment(HOME, Platform.POSIX))

    def snapshot(self, _key: str) -> Snapshot:
        return Snapshot(GENERATION, Posture(mode=self.mode))

    def block_message(self, _key: str) -> str:
        return ""


@dataclass
class House:
    """The endpoint over the real evaluator."""

    mode: Mode = Mode.ACTION
    rows: list[AuditRow] = field(default_factory=list)

    def send(self, name: str, text: str) -> Response:
        agent, tool, shape = CALLS[name]
        connector = CONNECTORS[agent]
        pipeline = Pipeline(
            runtime=Runtime(self.mode),  # type: ignore[arg-type]
            health=Health(0),
            record=self.rows.append,
            digest_key=b"k" * 32,
            log_exception=pytest.fail,
            disarmed=lambda _connector, _event: "",
            advisories=Advisories(lambda: 0.0),
        )
        tokens = TokenStore(lambda: MASTER, token_of, now_ms)
        app = build_app(Service(18970, 7, "/data", pipeline, tokens, lambda: None))
        payload = {
            "session_id": "s",
            "hook_event_name": "PreToolUse",
            "cwd": PROJECT,
            "tool_name": tool,
            "tool_input": shape(text),
            "tool_use_id": "call_1",
        }
        head = {**HEAD, "authorization": f"Bearer {token_of(connector.key)}"}
        path = f"/api/v1/{connector.key}/hook"
        return request(app, "POST", path, head, [json.dumps(payload).encode()])


def decision(answer: Response) -> str:
    """The agent's own word in the answer; empty where there is none."""
    said = json.loads(answer.json()["stdout"] or "{}")
    return str(said.get("hookSpecificOutput", {}).get("permissionDecision", ""))


@pytest.mark.parametrize("name", CALLS)
def test_weak_code_is_asked_about_or_told(name: str) -> None:
    house = House()
    answer = house.send(name, WEAK)
    can_ask = CALLS[name][0] == "claudecode"
    assert answer.json()["action"] == ("confirm" if can_ask else "alert")
    assert decision(answer) == ("ask" if can_ask else "")
    assert "CG-SQL-001" in answer.json()["stdout"]
    assert [row.rules for row in house.rows] == [("CG-SQL-001",)]


@pytest.mark.parametrize("name", CALLS)
def test_a_key_is_refused(name: str) -> None:
    house = House()
    answer = house.send(name, KEY)
    assert (answer.json()["action"], decision(answer)) == ("block", "deny")
    assert "CG-CRED-003" in house.rows[0].rules


@pytest.mark.parametrize("name", CALLS)
def test_observe_mode_only_records(name: str) -> None:
    house = House(Mode.OBSERVE)
    answer = house.send(name, KEY)
    assert decision(answer) == ""
    row = house.rows[0]
    assert (row.raw, row.action, row.would_block) == ("block", "allow", True)


@pytest.mark.parametrize("name", CALLS)
def test_ordinary_code_passes_without_a_word(name: str) -> None:
    house = House()
    answer = house.send(name, FINE)
    assert (answer.json()["stdout"], answer.json()["exit"]) == ("", 0)
    assert house.rows[0].rules == ()


@pytest.mark.parametrize("name", CALLS)
def test_a_record_holds_nothing_of_a_key(name: str) -> None:
    house = House()
    answer = house.send(name, KEY)
    kept = json.dumps([house.rows[0].body, house.rows[0].reason, house.rows[0].preview])
    assert BODY[:16] not in kept + answer.body.decode()


def test_a_finding_names_file_and_line() -> None:
    house = House()
    house.send("write", f"import db\n\n{WEAK}\n")
    seen = house.rows[0].body["findings"][0]["seen"]
    assert seen.startswith("users.py, written line 3: ")
    assert "SELECT" not in seen


def test_a_markdown_cell_is_prose() -> None:
    house = House()
    shape = CALLS["notebook"][2]
    CALLS["cell"] = ("claudecode", "NotebookEdit", lambda t: {**shape(t), "cell_type": "markdown"})
    try:
        answer = house.send("cell", WEAK)
    finally:
        del CALLS["cell"]
    assert answer.json()["action"] == "allow"
    assert house.rows[0].rules == ()
