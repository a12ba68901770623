"""The Windows interpreter of the Wine lane: one process that runs many pieces of code."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.wine.prefix import PYTHON, Wine, WineError

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("src", "tests")
CODE_TIMEOUT_S = 60.0
CHUNK = 65536


class GuestError(Exception):
    """The code failed on Windows; the text is its traceback and what it printed."""


class Guest:
    """Runs code on Windows; starts the interpreter when the first piece comes."""

    def __init__(self, wine: Wine) -> None:
        self.wine = wine
        self.process: subprocess.Popen[bytes] | None = None
        self.pending = b""

    def __call__(self, code: str, wait_s: float = CODE_TIMEOUT_S, **given: Any) -> Any:
        """Execute code that may use these names; what it left in ``result``."""
        process = self.process or self.begin()
        assert process.stdin is not None
        process.stdin.write(json.dumps({"code": code, "given": given}).encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(self.line(process, time.monotonic() + wait_s))
        if answer["error"]:
            raise GuestError(answer["error"] + answer["printed"])
        return answer["result"]

    def begin(self) -> subprocess.Popen[bytes]:
        """Start the interpreter on a fresh copy of the checkout."""
        copy_checkout(self.wine.drive / "checkout")
        serve = r"C:\checkout\tests\wine\serve.py"
        self.process = self.wine.start([PYTHON, "-I", "-X", "utf8", serve])
        self.pending = b""
        return self.process

    def line(self, process: subprocess.Popen[bytes], until: float) -> bytes:
        """The next line that the interpreter prints."""
        assert process.stdout is not None
        while b"\n" not in self.pending:
            ready, _, _ = select.select(
                [process.stdout], [], [], max(0.0, until - time.monotonic())
            )
            chunk = os.read(process.stdout.fileno(), CHUNK) if ready else b""
            if not chunk:
                reason = "ended" if ready else "did not answer in time"
                raise WineError(f"the Windows interpreter {reason}: {self.close()!r}")
            self.pending += chunk
        found, self.pending = self.pending.split(b"\n", 1)
        return found

    def close(self) -> bytes:
        """End the interpreter; what it complained about."""
        process, self.process = self.process, None
        if process is None:
            return b""
        try:
            return process.communicate(timeout=1.0)[1]
        except subprocess.TimeoutExpired:
            self.wine.kill(process)
            return b""


def copy_checkout(target: Path) -> None:
    """Bring the sources up to date, and keep what was compiled of those that did not change."""
    for name in COPIED:
        wanted = {path.relative_to(ROOT) for path in sources(ROOT / name)}
        for path in sources(target / name):
            if path.relative_to(target) not in wanted:
                path.unlink()
        for relative in wanted:
            copy_file(ROOT / relative, target / relative)
    shutil.copy2(ROOT / "pyproject.toml", target / "pyproject.toml")


def sources(folder: Path) -> list[Path]:
    """The files below a folder that somebody wrote."""
    return [p for p in folder.rglob("*") if p.is_file() and p.parent.name != "__pycache__"]


def copy_file(source: Path, target: Path) -> None:
    """Copy a file with its time unless that was done before."""
    have, want = target.stat() if target.exists() else None, source.stat()
    if have and (have.st_size, have.st_mtime_ns) == (want.st_size, want.st_mtime_ns):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
