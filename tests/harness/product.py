"""The project's own commands as a user runs them: real processes, one data home."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from defenseclaw.platform import ProcessIdentity, is_running
from tests.harness.sandbox import Sandbox, free_port

COMMAND_TIMEOUT_S = 60.0
# pytest's own interpreter decides which installation is under test.
PROGRAMS = Path(sys.executable).parent


@dataclass(frozen=True, slots=True)
class Ran:
    """One finished command."""

    argv: tuple[str, ...]
    exit: int
    stdout: str
    stderr: str

    @property
    def text(self) -> str:
        """Everything printed."""
        return self.stdout + self.stderr

    @property
    def json(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.stdout)

    def expect(self, code: int = 0) -> Ran:
        """This result, if it ended with the given status."""
        assert self.exit == code, f"{' '.join(self.argv)} ended with {self.exit}:\n{self.text}"
        assert "Traceback" not in self.text, self.text
        return self


class Product:
    """Commands of one data home in one sandbox; ``extra_path`` is where agents are found."""

    def __init__(self, box: Sandbox, extra_path: Path | None = None) -> None:
        self.box = box
        self.port = free_port()
        self.extra_path = extra_path
        box.data.mkdir(mode=0o700)
        text = f"config_version = 1\n\n[gateway]\nport = {self.port}\n"
        config = box.data / "config.toml"
        config.touch(mode=0o600)
        config.write_text(text, encoding="utf-8")

    @property
    def environment(self) -> dict[str, str]:
        """The user's environment with our data home and our programs first on the path."""
        env = self.box.environment()
        path = [str(PROGRAMS), str(self.extra_path or ""), env.get("PATH", "")]
        env["PATH"] = os.pathsep.join(part for part in path if part)
        return {**env, "DEFENSECLAW_HOME": str(self.box.data)}

    def run(self, program: str, *arguments: str, stdin: bytes | None = None, **extra: str) -> Ran:
        """Run one of our programs to its end."""
        argv = (str(PROGRAMS / program), *arguments)
        return self.spawn(argv, {**self.environment, **extra}, stdin)

    def spawn(self, argv: tuple[str, ...], env: dict[str, str], stdin: bytes | None) -> Ran:
        """Run any program in the project folder."""
        done = subprocess.run(
            argv,
            cwd=self.box.project,
            env=env,
            input=b"" if stdin is None else stdin,
            capture_output=True,
            timeout=COMMAND_TIMEOUT_S,
        )
        decode = "utf-8", "replace"
        return Ran(argv, done.returncode, done.stdout.decode(*decode), done.stderr.decode(*decode))

    def cli(self, *arguments: str) -> Ran:
        """``defenseclaw ARGUMENTS``."""
        return self.run("defenseclaw", *arguments)

    def gateway(self, *arguments: str) -> Ran:
        """``defenseclaw-gateway ARGUMENTS``."""
        return self.run("defenseclaw-gateway", *arguments)

    def hook(self, connector: str, payload: bytes, *arguments: str, **extra: str) -> Ran:
        """``defenseclaw-hook CONNECTOR`` with a payload on standard input."""
        return self.run("defenseclaw-hook", connector, *arguments, stdin=payload, **extra)

    def registered_hook(self, connector_key: str, payload: bytes, **extra: str) -> Ran:
        """What an agent runs: the launcher in the data home, with the agent's environment."""
        argv = (str(self.box.data / "hooks" / f"{connector_key}.sh"),)
        return self.spawn(argv, {**self.box.environment(), **extra}, payload)

    def items(self, *arguments: str) -> list[dict[str, Any]]:
        """The rows of a list command."""
        document = self.cli(*arguments, "--json").expect().json
        assert document["schema"] == 1
        assert document["count"] == len(document["items"])
        return list(document["items"])

    def identity(self) -> dict[str, Any]:
        """The running gateway's identity record."""
        return dict(json.loads((self.box.data / "gateway.pid").read_text(encoding="utf-8")))

    def kill_gateway(self) -> int:
        """End the gateway the hard way, as a crash would; its process id."""
        record = self.identity()
        identity = ProcessIdentity(int(record["pid"]), str(record["started"]))
        if not is_running(identity):  # its number may already be somebody else's
            raise ProcessLookupError(identity.pid)
        os.kill(identity.pid, signal.SIGKILL)
        return identity.pid

    def failures(self) -> list[dict[str, Any]]:
        """What hook clients wrote about calls without a verdict."""
        log = self.box.data / "logs" / "hook-failures.jsonl"
        if not log.exists():
            return []
        return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]

    def close(self) -> None:
        """Stop the gateway of this data home, whatever state the test left it in."""
        if (self.box.data / "gateway.pid").exists():
            self.gateway("stop")

    def protect(self, connector: str, mode: str = "action", *options: str) -> Ran:
        """Set an agent up; this also starts the gateway."""
        return self.cli("setup", connector, "--mode", mode, *options, "--yes").expect()

    def audit(self, connector: str, **wanted: object) -> list[dict[str, Any]]:
        """Audit rows of a connector whose fields have these values, oldest first."""
        rows = self.items("audit", "list", "--connector", connector, "--limit", "1000")
        fits = [row for row in rows if all(row[k] == v for k, v in wanted.items())]
        return list(reversed(fits))
