"""Install the pinned agents into a directory: ``python -m tests.live.install DIR AGENT…``.

Runs again only for agents whose wanted version changed or whose program is missing. Everything is
written below DIR, also npm's manifest, so that neither the checkout nor the user's settings change.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.live.clients import InstallError, npm_install, pypi_install
from tests.live.roster import Package, Source, companion_folder, read_roster

VERSION_TIMEOUT_S = 120.0  # the first start of a Python agent reads thousands of files
AT_ONCE = 2  # one client waits for the network while another unpacks
STAMP = ".installed.json"


def stamp_of(package: Package, folder: Path) -> str:
    """What an installation must look like: version, pinned dependencies and the program itself."""
    pins = digest_of(package.constraints) if package.constraints else "-"
    companion = "-"
    if package.companion:
        manifest = companion_folder(package, folder) / "node_modules" / package.companion
        companion = digest_of(manifest / "package.json")
    return f"{package.requirement} {pins} {companion} {digest_of(folder / package.binary)}"


def digest_of(file: Path) -> str:
    """Digest of a file's bytes, or a word that no digest equals."""
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else "missing"


def read_stamps(folder: Path) -> dict[str, str]:
    """What earlier runs installed."""
    try:
        recorded = json.loads((folder / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return recorded if isinstance(recorded, dict) else {}


def installed_version(package: Package, folder: Path) -> str:
    """The line in which the program itself names its version; this also proves that it starts."""
    program = folder / package.binary
    try:
        done = subprocess.run(
            [str(program), "--version"], capture_output=True, text=True, timeout=VERSION_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"{package.agent}: {program} does not start: {error}") from error
    text = (done.stdout + done.stderr).strip()
    lines = [line.strip() for line in text.splitlines() if package.version in line]
    if done.returncode != 0 or not lines:
        raise InstallError(f"{package.agent}: wanted {package.version}, the program says: {text}")
    return lines[0]


def plan(packages: Sequence[Package], folder: Path, stamps: Mapping[str, str]) -> list[Package]:
    """What has to be fetched. npm removes what it is not told, so its agents go together."""
    stale = [p for p in packages if stamps.get(p.agent) != stamp_of(p, folder)]
    if not any(p.kind is Source.NPM for p in stale):
        return stale
    kept = [p for p in read_roster().values() if p.kind is Source.NPM and p.agent in stamps]
    return stale + [p for p in kept if p not in stale]


def jobs_of(packages: Sequence[Package], folder: Path) -> list[Callable[[], None]]:
    """Independent runs of the registries' clients, longest first."""
    npm = [package for package in packages if package.kind is Source.NPM]
    pypi = [package for package in packages if package.kind is Source.PYPI]
    jobs: list[Callable[[], None]] = [partial(pypi_install, p, folder) for p in pypi]
    return [*jobs[:1], *([partial(npm_install, npm, folder)] if npm else []), *jobs[1:]]


def run_jobs(jobs: Sequence[Callable[[], None]]) -> list[str]:
    """Run all jobs to their end, also when one fails; what went wrong."""
    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        futures = [pool.submit(job) for job in jobs]
    return [str(error) for error in (future.exception() for future in futures) if error]


def install(folder: Path, agents: Sequence[str]) -> None:
    """Make the folder hold exactly the pinned versions of these agents."""
    roster = read_roster()
    if unknown := [agent for agent in agents if agent not in roster]:
        raise InstallError(f"no agent {', '.join(unknown)}; there are {', '.join(roster)}")
    stamps = read_stamps(folder)
    wanted = plan([roster[agent] for agent in agents], folder, stamps)
    if not wanted:
        print(f"{folder}: {', '.join(agents)} already installed")
        return
    folder.mkdir(parents=True, exist_ok=True)
    problems = run_jobs(jobs_of(wanted, folder))
    for package in wanted:
        try:
            print(f"{package.agent}: {installed_version(package, folder)}")
            stamps[package.agent] = stamp_of(package, folder)
        except InstallError as error:
            stamps.pop(package.agent, None)
            problems.append(str(error))
    (folder / STAMP).write_text(json.dumps(stamps, indent=1) + "\n", encoding="utf-8")
    if problems:
        raise InstallError("\n".join(problems))


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; exit 1 with one line for each thing that failed."""
    parser = argparse.ArgumentParser(description="Install pinned coding agents for live tests.")
    parser.add_argument("directory", type=Path, help="where the agents are installed")
    parser.add_argument("agents", nargs="*", metavar="AGENT", help=", ".join(read_roster()))
    options = parser.parse_args(arguments)
    try:
        install(options.directory.resolve(), options.agents or list(read_roster()))
    except InstallError as error:
        for line in str(error).splitlines():
            print(f"install: {line}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
