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

# Agents whose files have hooks in groups; what is the same for all is tried on ALL_KEYS.
KEYS = ("codex", "claudecode")
ALL_KEYS = tuple(CONNECTORS)
WINDOWS_KEYS = KEYS  # the plugin of the third agent there has tests of its own
ACTION = Posture(mode=Mode.ACTION)
VERSIONS = {
    "codex": "codex-cli 0.171.0",
    "claudecode": "2.1.197 (Claude Code)",
    "amp": "0.0.1790142911",
    "hermes": "Hermes Agent v0.19.0",
    "cursor": "3.1.0",
    "windsurf": "1.13.0",
    "geminicli": "0.61.0",
    "copilot": "GitHub Copilot CLI 1.0.102",
    "openhands": "OpenHands CLI 1.16.0",
    "antigravity": "1.2.7",
    "opencode": "1.18.33",
    "omnigent": "0.19.1",
}
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
    "hermes": {
        "comments and a foreign hook": (
            "# mine\nmodel: x  # why\nhooks:\n  # before every call\n  pre_tool_call:\n"
            "    - command: /bin/a\n      matcher: terminal\n\nagent:\n  max_turns: 3\n"
        ),
        "flow style": "{model: x, list: [1, 2]}\n",
        "a mark and CRLF": "\ufeffmodel: x\r\nnested:\r\n  a: 1\r\n",
        "no line end": "model: x",
        "blank": "\n",
    },
    "cursor": {
        "a foreign hook": (
            '{\n  "version": 1,\n  "hooks": {\n    "stop": [ {"command": "a"} ]\n  }\n}\n'
        ),
        "one line": '{"version":1,"hooks":{}}',
        "blank": "",
    },
    "windsurf": {
        "a foreign hook": (
            '{\n  "hooks": {\n    "pre_run_command": [\n      {"command": "a"}\n    ]\n  }\n}\n'
        ),
        "blank": "",
    },
    "geminicli": {
        "comments and a foreign hook": (
            '{\n  // mine\n  "theme": "x",\n  "hooks": {\n    "BeforeTool": [\n'
            '      {"matcher": "x", "hooks": [{"type":"command", "command":"a"}]},\n    ],\n'
            '    "disabled": ["other"]\n  }\n}\n'
        ),
        "one line": '{"theme":"x"}',
        "blank": "",
    },
    "copilot": {
        "a foreign hook": '{"version": 1, "hooks": {"preToolUse": [{"bash": "a"}]}}\n',
        "blank": "",
    },
    "openhands": {
        "a foreign hook": '{"stop": [{"matcher": "*", "hooks": [{"command": "a"}]}]}\n',
        "blank": "",
    },
    "omnigent": {
        "comments and a foreign policy": (
            "# mine\npolicy_modules:\n  - theirs  # a list\npolicies:\n  theirs:\n"
            "    type: function\n    handler: theirs.f\n"
        ),
        "blank": "",
    },
    "antigravity": {
        "a foreign set": '{"mine": {"enabled": false, "Stop": [{"command": "a"}]}}\n',
        "blank": "",
    },
}
CASES = [(key, name) for key in KEYS for name in LAYOUTS[key]]
ALL_CASES = [(key, name) for key in ALL_KEYS for name in LAYOUTS.get(key, {})]


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
        # A private environment of Python, for agents that load a module of ours.
        (self.root / "pyvenv.cfg").touch()
        (self.root / "lib" / "python3.12" / "site-packages").mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return path

    def agent(self, version: str) -> None:
        """Install an agent that answers nothing but its version."""
        asked = self.connector.probe.arguments[0]
        self.program(f'#!/bin/sh\ntest "$1" = {asked} && echo "{version}"\n')

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
