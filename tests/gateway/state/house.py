"""A gateway's request path over a real data home and ledger, with a clock that tests move."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from defenseclaw.chains import state_key
from defenseclaw.connectors import CONNECTORS
from defenseclaw.gateway.advisories import Advisories
from defenseclaw.gateway.health import Health
from defenseclaw.gateway.pipeline import Pipeline, Reply
from defenseclaw.gateway.runtime import Runtime
from defenseclaw.gateway.state.gate import ScriptGate
from defenseclaw.gateway.state.lane import Clocks, StateLane
from defenseclaw.platform import DataHome, catalog_files, ensure_token, read_token
from defenseclaw.store import AuditRow, LedgerKeeper

START_NS = 1_800_000_000 * 10**9
SURVEY, SHELL, PLAIN = "sudo -l", "sudo -u root /bin/sh", "printf harmless"
BYPASS = "codex exec --dangerously-bypass-approvals-and-sandbox go"
KEY = b"k" * 32
CHAIN = "chain.privilege_discovery_then_elevation"
REFUSED = "chain.permission_denied_then_runtime_bypass"
CATALOG = catalog_files()
STRICT = 'mode = "action"\nprofile = "strict"\n'


@dataclass
class House:
    """One data home; ``config`` are lines of the guardrail table."""

    root: Path
    config: str = STRICT
    connectors: str = ""
    now_ns: int = START_NS
    rows: list[AuditRow] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    health: Health = field(default_factory=lambda: Health(0))
    key: bytes = KEY
    record: Callable[[AuditRow], None] | None = None
    gate: ScriptGate | None = None
    pipeline: Pipeline = field(init=False)
    keeper: LedgerKeeper = field(init=False)

    def __post_init__(self) -> None:
        self.home = DataHome(self.root / "home", managed_policy=self.root / "none.toml")
        self.home.create()
        self.project = self.root / "work" / "project"
        self.project.mkdir(parents=True, exist_ok=True)
        for connector in CONNECTORS:
            ensure_token(self.home.hook_token(connector))
        self.write(self.config)
        self.open()

    def write(self, config: str, connectors: str = "") -> None:
        text = f"[guardrail]\n{config}\n{connectors or self.connectors}"
        self.home.config.touch(mode=0o600)
        self.home.config.write_text(text, encoding="utf-8")

    def open(self) -> None:
        """Start: everything that does not live in a file is new."""
        self.runtime = Runtime(
            self.home, self.root / "user", CATALOG, digest_key=KEY, health=self.health
        )
        self.keeper = LedgerKeeper(
            self.home.state_db,
            lambda: self.now_ns / 10**9,
            lambda what: self.health.degrade("state", what, 0),
        )
        lane = StateLane(
            self.keeper,
            state_key(self.key) if self.key else b"",
            lambda connector: read_token(self.home.hook_token(connector)),
            self.health,
            Clocks(lambda: self.now_ns, lambda: self.now_ns / 10**9),
        )
        self.pipeline = Pipeline(
            runtime=self.runtime,
            health=self.health,
            record=self.record or self.rows.append,
            digest_key=KEY,
            log_exception=self.faults.append,
            disarmed=lambda _connector, _event: "",
            advisories=Advisories(lambda: self.now_ns / 10**9),
            state=lane,
            gate=self.gate or ScriptGate(self.health.count),
        )

    def close(self) -> None:
        self.keeper.close()

    def restart(self) -> None:
        self.close()
        self.open()

    def reconfigure(self, config: str, connectors: str = "") -> None:
        self.write(config, connectors)
        self.runtime.reload()

    def send(self, payload: dict[str, Any], agent: str = "claudecode", bound: str = "") -> Reply:
        """Deliver a payload a second after the last one."""
        self.now_ns += 10**9
        return self.deliver(json.dumps(payload).encode(), agent, bound)

    def deliver(self, raw: bytes, agent: str = "claudecode", bound: str = "") -> Reply:
        return self.pipeline.handle(CONNECTORS[agent], raw, bound)

    def payload(self, event: str, call: str = "", command: str = "", **more: Any) -> dict[str, Any]:
        found: dict[str, Any] = {
            "hook_event_name": event,
            "session_id": "s1",
            "cwd": str(self.project),
        }
        if call:
            found["tool_use_id"] = call
        if command:
            found |= {"tool_name": "Bash", "tool_input": {"command": command}}
        return found | more

    def pre(self, call: str, command: str, agent: str = "claudecode", **more: Any) -> Reply:
        return self.send(self.payload("PreToolUse", call, command, **more), agent)

    def ok(self, call: str, command: str = PLAIN, **more: Any) -> Reply:
        result = {"stdout": "", "stderr": "", "interrupted": False}
        return self.send(
            self.payload("PostToolUse", call, command, **{"tool_response": result, **more})
        )

    def fail(self, call: str, command: str = PLAIN, **more: Any) -> Reply:
        return self.send(
            self.payload("PostToolUseFailure", call, command, error="Exit code 1", **more)
        )

    def refuse(self, call: str, command: str = PLAIN, **more: Any) -> Reply:
        return self.send(self.payload("PermissionDenied", call, command, reason="no", **more))

    def turn(self, **more: Any) -> Reply:
        return self.send(self.payload("Stop", **more))

    def end(self, **more: Any) -> Reply:
        return self.send(self.payload("SessionEnd", **more))

    def prove(self, call: str, command: str) -> None:
        assert self.pre(call, command).body["action"] != "block"
        self.ok(call, command)

    def script(self, name: str, text: str | bytes, mode: int = 0o755) -> Path:
        """A file of the project."""
        path = self.project / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        path.chmod(mode)
        return path

    def count(self, table: str, where: str = "1") -> int:
        connection = sqlite3.connect(self.home.state_db)
        try:
            found = connection.execute(f"SELECT count(*) FROM {table} WHERE {where}")
            return int(found.fetchone()[0])
        finally:
            connection.close()

    @property
    def pending(self) -> int:
        return self.count("pending", "state = 'pending'")

    @property
    def committed(self) -> int:
        return self.count("committed")
