"""A throwaway user: home, data home, and stand-ins for agents' programs on the search path."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, replace
from pathlib import Path

from defenseclaw.connectors import CONNECTORS, Connector
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import Mode
from defenseclaw.platform import DataHome, host_platform
from defenseclaw.setup import (
    Options,
    RegistrationState,
    RemovalReport,
    SetupReport,
    register,
    residue,
    unregister,
    verify_registered,
)

KEYS = tuple(CONNECTORS)
ACTION = Posture(mode=Mode.ACTION)
VERSIONS = {"codex": "codex-cli 0.171.0", "claudecode": "2.1.197 (Claude Code)"}
# Layouts that a merge could spoil: comments, order, inline forms, tabs, line ends, marks.
LAYOUTS = {
    "codex": {
        "comments and a foreign hook": (
            '# mine\nmodel = "x" # why\n\n[[hooks.PreToolUse]]\nmatcher = "Bash"\n'
            '[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "/bin/a"\n\n'
            "# about b\n[b]\nc = 1\n"
        ),
        "inline groups": (
            '[hooks]\nStop = [{ hooks = [{ type = "command", command = "/bin/a" }] }]\n'
        ),
        "consent of the user": (
            '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "/bin/a"\n'
            '[hooks.state."/x:stop:0:0"]\ntrusted_hash = "sha256:00"\n[tui]\nx = 1'
        ),
        "a mark and CRLF": '\ufeffmodel = "x"\r\n[features]\r\nhooks = true\r\n',
        "blank": "\n",
    },
    "claudecode": {
        "a foreign hook": (
            '{\n    "model": "opus",\n    "hooks": {\n        "PreToolUse": [\n'
            '            {"matcher": "Bash", "hooks": [{"type":"command", "command":"a"}]}\n'
            '        ]\n    },\n    "permissions": {"allow": [ "Bash(ls:*)" ],  "deny": []}\n}\n'
        ),
        "one line": '{"model":"opus","env":{"A":"1"}}',
        "tabs, a mark and CRLF": '\ufeff{\r\n\t"model": "opus"\r\n}\r\n',
        "empty hooks": '{\n  "hooks": {},\n  "x": [ ]\n}\n',
        "blank": "",
    },
}
CASES = [(key, name) for key in KEYS for name in LAYOUTS[key]]


@dataclass(frozen=True, slots=True)
class World:
    """One user of one connector."""

    root: Path
    connector: Connector
    options: Options
    data: str = "data"

    @property
    def home(self) -> DataHome:
        return DataHome(self.root / self.data)

    @property
    def file(self) -> Path:
        registration = self.connector.registration
        place = self.root / "user" / registration.home_default
        return place / registration.files[host_platform()]

    @property
    def command(self) -> str:
        return str(self.home.launcher(self.connector.key))

    def write(self, content: str | bytes) -> bytes:
        raw = content.encode() if isinstance(content, str) else content
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(raw)
        return raw

    def register(self, posture: Posture = ACTION) -> SetupReport:
        return register(self.connector, self.home, posture, self.options)

    def unregister(self) -> RemovalReport:
        return unregister(self.connector, self.home, self.options)

    def verify(self) -> RegistrationState:
        return verify_registered(self.connector, self.home, self.options)

    def residue(self) -> tuple[str, ...]:
        return residue(self.connector, self.home, self.options)

    def using(self, **changes: object) -> World:
        """The same user with other options."""
        return replace(self, options=replace(self.options, **changes))  # type: ignore[arg-type]

    def program(self, text: str, name: str = "") -> Path:
        """Put a program of this text on the search path, under the agent's name."""
        path = self.root / "bin" / (name or self.connector.probe.executables[0])
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return path

    def agent(self, version: str) -> None:
        """Install an agent that answers nothing but its version."""
        self.program(f'#!/bin/sh\ntest "$1" = --version && echo "{version}"\n')

    def assert_clean(self) -> None:
        """Nothing of ours is left that an agent would call."""
        assert self.residue() == ()
        assert not self.verify().registered


def make_world(root: Path, key: str) -> World:
    """A user with an installed agent and nothing configured."""
    (root / "user").mkdir(exist_ok=True)
    (root / "project").mkdir(exist_ok=True)
    environment = {
        "HOME": str(root / "user"),
        "PATH": os.pathsep.join([str(root / "bin"), "/usr/bin", "/bin"]),
    }
    options = Options(environment=environment, cwd=root / "project")
    world = World(root, CONNECTORS[key], options)
    world.agent(VERSIONS[key])
    return world


def mode_of(path: Path) -> int:
    """The permission bits of a file or directory."""
    return stat.S_IMODE(path.stat().st_mode)
