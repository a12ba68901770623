"""A private Windows of Wine: made once, without a display and without a way to the host's files."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MAKE_TIMEOUT_S = 300.0  # a first start takes some 10 s on two idle processors
RUN_TIMEOUT_S = 60.0
END_TIMEOUT_S = 30.0
WINDOWS_VERSION = "win10"
DRIVE = "c:"
# No browser, no .NET runtime, no menus: these are what a first start would fetch or write.
LEFT_OUT = "mscoree,mshtml=;winemenubuilder.exe=d"
PYTHON = r"C:\python\python.exe"


class WineError(Exception):
    """Wine did not do what was asked; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A program that ended: its status and what it printed."""

    status: int
    stdout: bytes
    stderr: bytes


@dataclass(frozen=True, slots=True)
class Wine:
    """Programs run in the prefix below a folder."""

    folder: Path

    @property
    def drive(self) -> Path:
        """Where ``C:\\`` is."""
        return self.folder / "prefix" / "drive_c"

    def environment(self) -> dict[str, str]:
        """All that a program gets from outside; the home is the folder's own."""
        home = self.folder / "home"
        home.mkdir(parents=True, exist_ok=True)
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "WINEPREFIX": str(self.folder / "prefix"),
            "WINEARCH": "win64",
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": LEFT_OUT,
        }

    def start(self, argv: Sequence[str], cwd: Path | None = None) -> subprocess.Popen[bytes]:
        """Start a Windows program; everything that it prints goes through pipes."""
        self.close_off()
        return subprocess.Popen(
            ["wine", *argv], cwd=cwd or self.drive, env=self.environment(), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip

    def run(
        self, argv: Sequence[str], given: bytes = b"", wait_s: float = RUN_TIMEOUT_S
    ) -> Finished:
        """Run a Windows program to its end."""
        program = self.start(argv)
        try:
            printed, complained = program.communicate(given, wait_s)
        except subprocess.TimeoutExpired:
            self.kill(program)
            raise WineError(f"{argv[0]} did not end within {wait_s:.0f} s") from None
        return Finished(program.returncode, printed, complained)

    def kill(self, program: subprocess.Popen[bytes]) -> None:
        """Kill a program and, because its children belong to no group of ours, the whole prefix."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
        self.end()
        program.communicate()

    def make(self) -> None:
        """Make the prefix anew."""
        self.end()
        shutil.rmtree(self.folder / "prefix", ignore_errors=True)
        self.host(["wineboot", "-i"], MAKE_TIMEOUT_S)
        version = ["wine", "reg", "add", r"HKCU\Software\Wine", "/v", "Version"]
        self.host([*version, "/d", WINDOWS_VERSION, "/f"], RUN_TIMEOUT_S)
        self.close_off()
        self.end()

    def host(self, argv: Sequence[str], wait_s: float) -> None:
        """Run one of Wine's own tools."""
        quiet = subprocess.DEVNULL
        try:
            done = subprocess.run(
                argv,
                env=self.environment(),
                stdin=quiet,
                stdout=quiet,
                stderr=quiet,
                timeout=wait_s,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise WineError(f"{argv[0]} does not work: {error}") from error
        if done.returncode != 0:
            raise WineError(f"{' '.join(argv)} ended with exit {done.returncode}")

    def close_off(self) -> None:
        """Leave ``C:`` as the only drive: what runs must not reach the host by a letter."""
        for entry in (self.folder / "prefix" / "dosdevices").iterdir():
            if entry.name != DRIVE:
                entry.unlink()

    def end(self) -> None:
        """End every program of the prefix."""
        if shutil.which("wineserver") is None or not (self.folder / "prefix").exists():
            return
        for option in ("-k", "-w"):  # the first fails where nothing runs
            subprocess.run(
                ["wineserver", option], env=self.environment(), timeout=END_TIMEOUT_S,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
