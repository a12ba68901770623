"""Install the pinned agents into a directory: ``python -m tests.live.install DIR AGENT…``.

Runs again only when the wanted versions changed or a program is missing. Everything is written
below DIR, also npm's manifest, so that neither the checkout nor the user's settings change.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.live.roster import Package, read_roster

NPM_TIMEOUT_S = 1200.0  # two native packages of some 200 MB each over a slow line
VERSION_TIMEOUT_S = 60.0
STAMP = ".installed.json"


class InstallError(Exception):
    """An agent could not be installed; the text says which and what to do."""


def stamp_of(packages: Sequence[Package], folder: Path) -> dict[str, str]:
    """What an installation must look like: version and program digest per agent."""
    return {p.agent: f"{p.requirement} {program_digest(folder / p.binary)}" for p in packages}


def program_digest(program: Path) -> str:
    """Digest of a program's bytes, or a word that no digest equals."""
    if not program.exists():
        return "missing"
    return hashlib.sha256(program.read_bytes()).hexdigest()


def is_current(packages: Sequence[Package], folder: Path) -> bool:
    """Whether the stamp of an earlier run still describes what is there."""
    try:
        recorded = json.loads((folder / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    wanted = stamp_of(packages, folder)
    return all(recorded.get(agent) == line for agent, line in wanted.items())


def npm_install(packages: Sequence[Package], folder: Path) -> None:
    """Let npm fetch the packages into the folder."""
    npm = shutil.which("npm")
    if npm is None:
        raise InstallError("npm was not found; install Node.js 20 or newer and run this again")
    # Without a manifest of its own npm would look for one in the parent folders: the checkout.
    manifest = folder / "package.json"
    if not manifest.exists():
        manifest.write_text('{"private": true}\n', encoding="utf-8")
    argv = [npm, "install", "--prefix", str(folder), "--no-save", "--no-package-lock"]
    # Claude Code links its native program in an install script.
    argv += [
        "--ignore-scripts=false",
        "--no-audit",
        "--no-fund",
        *(p.requirement for p in packages),
    ]
    print("running:", " ".join(argv), flush=True)
    try:
        done = subprocess.run(argv, cwd=folder, timeout=NPM_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        raise InstallError(f"npm did not finish within {NPM_TIMEOUT_S:.0f} s") from None
    if done.returncode != 0:
        raise InstallError(f"npm ended with exit {done.returncode}; its messages are above")


def installed_version(package: Package, folder: Path) -> str:
    """What the program itself says; this also proves that it starts."""
    program = folder / package.binary
    try:
        done = subprocess.run(
            [str(program), "--version"], capture_output=True, text=True, timeout=VERSION_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"{package.agent}: {program} does not start: {error}") from error
    text = (done.stdout + done.stderr).strip()
    if done.returncode != 0 or package.version not in text:
        raise InstallError(f"{package.agent}: wanted {package.version}, the program says: {text}")
    return text


def install(folder: Path, agents: Sequence[str]) -> None:
    """Make the folder hold exactly the pinned versions of these agents."""
    roster = read_roster()
    if unknown := [agent for agent in agents if agent not in roster]:
        raise InstallError(f"no agent {', '.join(unknown)}; there are {', '.join(roster)}")
    packages = [roster[agent] for agent in agents]
    if is_current(packages, folder):
        print(f"{folder}: {', '.join(agents)} already installed")
        return
    folder.mkdir(parents=True, exist_ok=True)
    npm_install(packages, folder)
    for package in packages:
        print(f"{package.agent}: {installed_version(package, folder)}")
    stamp = json.dumps(stamp_of(packages, folder), indent=1) + "\n"
    (folder / STAMP).write_text(stamp, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; exit 1 with one line when something failed."""
    parser = argparse.ArgumentParser(description="Install pinned coding agents for live tests.")
    parser.add_argument("directory", type=Path, help="where the agents are installed")
    parser.add_argument("agents", nargs="+", metavar="AGENT", help=", ".join(read_roster()))
    options = parser.parse_args(arguments)
    try:
        install(options.directory.resolve(), options.agents)
    except InstallError as error:
        print(f"install: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
