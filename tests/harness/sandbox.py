"""A throwaway user: home, project, agents' configuration homes and our data home."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Neither temporary nor a cache: rules treat what lies in such places as disposable.
SANDBOXES = ROOT / ".sandboxes"
KEEP_VARIABLE = "DEFENSECLAW_KEEP_SANDBOX"
INHERITED = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Directories of one test; nothing outside ``root`` is written."""

    root: Path

    @property
    def home(self) -> Path:
        """The user's home."""
        return self.root / "home"

    @property
    def project(self) -> Path:
        """The agent's working directory, a repository of its own."""
        return self.root / "project"

    @property
    def data(self) -> Path:
        """Our data home."""
        return self.root / "data"

    @property
    def claude_home(self) -> Path:
        """Configuration home of Claude Code."""
        return self.home / ".claude"

    @property
    def codex_home(self) -> Path:
        """Configuration home of Codex."""
        return self.home / ".codex"

    def plant(self, place: str = "outside/planted") -> Path:
        """A directory with a file in it, outside the project, that a test tries to lose."""
        folder = self.root / place
        folder.mkdir(parents=True)
        (folder / "keep.txt").write_text("keep\n", encoding="utf-8")
        return folder

    def environment(self) -> dict[str, str]:
        """What every process of this user sees; the homes are this user's own."""
        kept = {name: os.environ[name] for name in INHERITED if name in os.environ}
        return {
            **kept,
            "HOME": str(self.home),
            "TERM": "dumb",
            "NO_COLOR": "1",
            "CI": "1",
            "NO_PROXY": "127.0.0.1,localhost",
            "CLAUDE_CONFIG_DIR": str(self.claude_home),
            "CODEX_HOME": str(self.codex_home),
        }


@contextmanager
def make_sandbox(name: str = "user-") -> Iterator[Sandbox]:
    """A new sandbox, removed at the end unless the environment asks to keep it."""
    SANDBOXES.mkdir(parents=True, exist_ok=True)
    box = Sandbox(Path(tempfile.mkdtemp(prefix=name, dir=SANDBOXES)))
    for folder in (box.home, box.project, box.claude_home, box.codex_home):
        folder.mkdir()
    subprocess.run(["git", "init", "-q", str(box.project)], check=True, env=box.environment())
    try:
        yield box
    finally:
        if not os.environ.get(KEEP_VARIABLE):
            shutil.rmtree(box.root, ignore_errors=True)


def free_port() -> int:
    """A loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
