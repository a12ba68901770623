"""The clients of the two registries: npm for one shared folder, pip for an environment each."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from dev import find_python

from tests.live.roster import Package, companion_folder

INSTALL_TIMEOUT_S = 1200.0  # the largest packages are some 200 MB each, over a slow line
ATTEMPTS = 2  # a registry that fails once for a moment must not fail the lane
AGENT_PYTHON = "3.12"  # what every Python agent of the roster supports
# Variables that would lead a new environment's interpreter to another one's packages.
FOREIGN = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")


class InstallError(Exception):
    """An agent could not be installed; the text says which and what to do."""


def attempt(argv: Sequence[str], folder: Path) -> str:
    """Run a client once; what went wrong, or nothing."""
    print("running:", " ".join(argv), flush=True)
    environment = {key: value for key, value in os.environ.items() if key not in FOREIGN}
    try:
        done = subprocess.run(argv, cwd=folder, timeout=INSTALL_TIMEOUT_S, env=environment)
    except subprocess.TimeoutExpired:
        return f"did not finish within {INSTALL_TIMEOUT_S:.0f} s"
    return f"ended with exit {done.returncode}; its messages are above" if done.returncode else ""


def fetch(what: str, argv: Sequence[str], folder: Path) -> None:
    """Run a client that uses the network, and once more when it failed."""
    for _ in range(ATTEMPTS):
        if not (problem := attempt(argv, folder)):
            return
    raise InstallError(f"{what}: {Path(argv[0]).name} {problem} ({ATTEMPTS} attempts)")


def npm_install(packages: Sequence[Package], folder: Path) -> None:
    """Let npm fetch the packages into the folder, and each companion into one of its own."""
    npm = shutil.which("npm")
    if npm is None:
        raise InstallError("npm was not found; install Node.js 20 or newer and run this again")
    npm_fetch(npm, [package.requirement for package in packages], folder)
    for package in packages:
        if package.companion:
            npm_fetch(npm, [package.companion_requirement], companion_folder(package, folder))


def npm_fetch(npm: str, requirements: Sequence[str], folder: Path) -> None:
    """One run of npm; what it finds in the folder and is not told to keep is gone afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    # Without a manifest of its own npm would look for one in the parent folders: the checkout.
    manifest = folder / "package.json"
    if not manifest.exists():
        manifest.write_text('{"private": true}\n', encoding="utf-8")
    argv = [npm, "install", "--prefix", str(folder), "--no-save", "--no-package-lock"]
    # Claude Code links its native program in an install script.
    argv += ["--ignore-scripts=false", "--no-audit", "--no-fund", *requirements]
    fetch(", ".join(requirements), argv, folder)


def pypi_install(package: Package, folder: Path) -> None:
    """Make an environment for one agent and let pip fill it with the pinned versions."""
    python = find_python(AGENT_PYTHON)
    if python is None:
        raise InstallError(
            f"{package.agent}: Python {AGENT_PYTHON} was not found; put python{AGENT_PYTHON} on "
            "the PATH or install it with pyenv (it need not be active), and run this again"
        )
    environment = (folder / package.binary).parents[1]
    if environment.exists():
        shutil.rmtree(environment)
    if problem := attempt([python, "-m", "venv", str(environment)], folder):
        raise InstallError(f"{package.agent}: making its environment {problem}")
    argv = [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-input"]
    argv += ["--disable-pip-version-check", "--prefer-binary"]
    fetch(package.agent, [*argv, "-c", str(package.constraints), package.requirement], folder)
