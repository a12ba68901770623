"""Which declared server a call is bound to, and that files are read when they change."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, Connector, Environment
from defenseclaw.core.event import HookEvent
from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import McpServer, Platform
from defenseclaw.core.verdict import Mode, Profile
from defenseclaw.engine import Snapshot
from defenseclaw.gateway.advisories import Advisories
from defenseclaw.gateway.health import Health
from defenseclaw.gateway.pipeline import Pipeline
from defenseclaw.gateway.servers import MAX_SESSIONS, READ_AGAIN_S, Places, ServerWatch
from defenseclaw.platform import catalog_files
from defenseclaw.rules import build_generation, load_pack
from defenseclaw.store import AuditRow

CLAUDE, CODEX = CONNECTORS["claudecode"], CONNECTORS["codex"]
GOOD = {"command": "npx", "args": ["-y", "@cyanheads/filesystem-mcp-server"]}
UNKNOWN = {"command": "npx", "args": ["-y", "somebody-elses-server"]}


def toml_row(name: str, entry: dict[str, Any]) -> str:
    command, args = json.dumps(entry["command"]), json.dumps(entry["args"])
    return f"[mcp_servers.{name}]\ncommand = {command}\nargs = {args}\n"


def payload(cwd: Path, tool: str = "mcp__fs__delete_file", **args: str) -> dict[str, Any]:
    return {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "cwd": str(cwd),
        "tool_use_id": "c",
        "tool_name": tool,
        "tool_input": args,
    }


@dataclass
class Machine:
    """A home with agents' files, a project in it, and a clock."""

    home: Path
    now: float = 0.0
    folders: dict[str, Path] = field(default_factory=dict)

    @property
    def project(self) -> Path:
        return self.home / "work" / "project"

    def write(self, place: str, servers: dict[str, Any], **more: Any) -> Path:
        path = self.home / place
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"mcpServers": servers, **more})
        if path.suffix == ".toml":
            text = "".join(toml_row(name, entry) for name, entry in servers.items())
        path.write_text(text, encoding="utf-8")
        path.chmod(0o600)
        return path

    def watch(self) -> ServerWatch:
        return ServerWatch(lambda: Places(self.home, self.folders), lambda: self.now)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    found = Machine(tmp_path)
    found.project.mkdir(parents=True)
    return found


def event(connector: Connector, cwd: Path, tool: str = "mcp__fs__delete_file") -> HookEvent:
    spec = connector.event_index["PreToolUse"]
    environment = Environment("/home/dev", Platform.POSIX)
    return connector.decode(payload(cwd, tool, path="/etc"), spec, environment)


def server(watch: ServerWatch, connector: Connector, cwd: Path) -> McpServer | None:
    call = watch.bind(connector, event(connector, cwd)).call
    assert call is not None
    return call.mcp.server if call.mcp is not None else None


def words(found: McpServer | None) -> str:
    return found.command[-1] if found is not None else ""


@pytest.mark.parametrize(
    ("connector", "place"),
    [
        (CLAUDE, ".claude.json"),
        (CLAUDE, "work/project/.mcp.json"),
        (CLAUDE, "work/.mcp.json"),
        (CODEX, ".codex/config.toml"),
        (CODEX, "work/project/.codex/config.toml"),
    ],
)
def test_server_is_found_where_the_agent_reads_it(
    machine: Machine, connector: Connector, place: str
) -> None:
    machine.write(place, {"fs": GOOD})
    assert words(server(machine.watch(), connector, machine.project)) == GOOD["args"][-1]


def test_server_of_a_folder_in_the_users_file(machine: Machine) -> None:
    entry = {str(machine.project): {"mcpServers": {"fs": GOOD}}}
    machine.write(".claude.json", {}, projects=entry)
    watch = machine.watch()
    assert words(server(watch, CLAUDE, machine.project / "src")) == GOOD["args"][-1]
    assert server(watch, CLAUDE, machine.home / "work" / "other") is None


@pytest.mark.parametrize(
    "place", ["work/other/.mcp.json", "work/project/src/.mcp.json", "../.mcp.json"]
)
def test_file_of_another_folder_says_nothing(machine: Machine, place: str) -> None:
    path = machine.write(place, {"fs": GOOD})
    assert server(machine.watch(), CLAUDE, machine.project) is None
    path.unlink()


def test_configuration_home_of_its_own_has_its_own_file(machine: Machine) -> None:
    machine.folders = {CLAUDE.key: machine.home / "elsewhere"}
    machine.write(".claude.json", {"fs": UNKNOWN})
    machine.write("elsewhere/.claude.json", {"fs": GOOD})
    assert words(server(machine.watch(), CLAUDE, machine.project)) == GOOD["args"][-1]


def test_files_that_disagree_name_no_server(machine: Machine) -> None:
    machine.write(".claude.json", {"fs": GOOD})
    machine.write("work/project/.mcp.json", {"fs": UNKNOWN})
    assert server(machine.watch(), CLAUDE, machine.project) is None


def test_agents_do_not_share_their_servers(machine: Machine) -> None:
    machine.write(".claude.json", {"fs": GOOD})
    assert server(machine.watch(), CODEX, machine.project) is None


def test_project_file_that_others_may_change_is_not_believed(machine: Machine) -> None:
    machine.write("work/project/.mcp.json", {"fs": GOOD}).chmod(0o666)
    assert server(machine.watch(), CLAUDE, machine.project) is None


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b"[]", b" " * 300_000])
def test_broken_or_huge_file_names_no_server(machine: Machine, content: bytes) -> None:
    path = machine.write("work/project/.mcp.json", {"fs": GOOD})
    path.write_bytes(content)
    assert server(machine.watch(), CLAUDE, machine.project) is None


def test_folder_in_place_of_the_file_names_no_server(machine: Machine) -> None:
    (machine.project / ".mcp.json").mkdir()
    assert server(machine.watch(), CLAUDE, machine.project) is None


def test_change_is_seen_on_the_tick_and_not_on_the_call(machine: Machine) -> None:
    path = machine.write("work/project/.mcp.json", {"fs": GOOD})
    watch = machine.watch()
    assert words(server(watch, CLAUDE, machine.project)) == GOOD["args"][-1]
    machine.write("work/project/.mcp.json", {"fs": UNKNOWN})
    assert words(server(watch, CLAUDE, machine.project)) == GOOD["args"][-1]
    watch.refresh()  # a file that keeps changing is not read more often than that
    assert words(server(watch, CLAUDE, machine.project)) == GOOD["args"][-1]
    machine.now += READ_AGAIN_S
    watch.refresh()
    assert words(server(watch, CLAUDE, machine.project)) == UNKNOWN["args"][-1]
    path.unlink()
    watch.refresh()
    assert server(watch, CLAUDE, machine.project) is None


def test_number_of_remembered_folders_is_bounded(machine: Machine) -> None:
    machine.write(".claude.json", {"fs": GOOD})
    watch = machine.watch()
    for number in range(MAX_SESSIONS + 20):
        assert server(watch, CLAUDE, machine.home / str(number)) is not None
    watch.refresh()
    assert server(watch, CLAUDE, machine.home / "0") is not None


def test_other_calls_and_events_are_left_alone(machine: Machine) -> None:
    watch = machine.watch()
    for tool in ("Bash", "unknown", "mcp__fs__"):
        given = event(CLAUDE, machine.project, tool)
        assert watch.bind(CLAUDE, given) is given
    given = event(CLAUDE, Path("relative"))
    assert watch.bind(CLAUDE, given) is given


# --- through the pipeline ---


@dataclass
class RealRuntime:
    """The catalogue in action mode."""

    environment: Environment
    generation: Any = field(
        default_factory=lambda: build_generation(
            [load_pack(catalog_files(), name="catalog")], Profile.DEFAULT
        )
    )

    def snapshot(self, _key: str) -> Snapshot:
        return Snapshot(self.generation, Posture(mode=Mode.ACTION))

    def block_message(self, _key: str) -> str:
        return ""


@dataclass
class Line:
    """A pipeline that binds calls, with what it recorded and what went wrong."""

    machine: Machine
    rows: list[AuditRow] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def judged(self, watch: ServerWatch, connector: Connector, call: dict[str, Any]) -> AuditRow:
        runtime = RealRuntime(Environment(str(self.machine.home), Platform.POSIX))
        pipeline = Pipeline(
            runtime=runtime,  # type: ignore[arg-type]
            health=Health(0),
            record=self.rows.append,
            digest_key=b"k" * 32,
            log_exception=self.faults.append,
            disarmed=lambda _connector, _event: "",
            advisories=Advisories(lambda: 0.0),
            bind=watch.bind,
        )
        assert pipeline.handle(connector, json.dumps(call).encode(), "").status == 200
        return self.rows[-1]


def deleted(machine: Machine, connector: Connector) -> AuditRow:
    call = payload(machine.project, path="/etc")
    return Line(machine).judged(machine.watch(), connector, call)


PLACES = {CLAUDE.key: ".claude.json", CODEX.key: ".codex/config.toml"}


@pytest.mark.parametrize("connector", [CLAUDE, CODEX], ids=lambda c: c.key)
def test_file_tool_of_a_reviewed_server_is_judged_by_its_path(
    machine: Machine, connector: Connector
) -> None:
    machine.write(PLACES[connector.key], {"fs": GOOD})
    row = deleted(machine, connector)
    assert (row.parse, row.action) == ("complete", "block")
    assert row.rules


@pytest.mark.parametrize("connector", [CLAUDE, CODEX], ids=lambda c: c.key)
def test_same_name_of_an_unknown_server_has_an_identity_only(
    machine: Machine, connector: Connector
) -> None:
    machine.write(PLACES[connector.key], {"fs": UNKNOWN})
    row = deleted(machine, connector)
    assert (row.parse, row.action, row.rules) == ("partial", "allow", ())
    assert row.tool == "mcp__fs__delete_file"


def test_failure_of_the_look_up_leaves_the_call_judged(machine: Machine) -> None:
    watch, line = machine.watch(), Line(machine)
    machine.folders = None  # type: ignore[assignment]
    row = line.judged(watch, CLAUDE, payload(machine.project, "mcp__fs__x", command="rm -rf /"))
    assert line.faults == ["servers"]
    assert row.action == "block"
