"""Finding a program on the search path without being led into a project's folder."""

from __future__ import annotations

import ntpath
import os
import posixpath
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from defenseclaw.core.tool import Platform
from defenseclaw.platform.fs import FILES
from defenseclaw.platform.paths import host_platform, user_home

# What Windows starts by its name alone, in the order in which it looks. Scripts for other hosts,
# such as the `.ps1` that npm puts beside a shim, are not among them.
_STARTED = (".com", ".exe", ".bat", ".cmd")
MAX_SEARCH_FOLDERS = 1024  # a search path of people has some dozens


def find_executable(names: Sequence[str], environment: Mapping[str, str], cwd: Path) -> Path | None:
    """The first of the names on PATH that a project could not have put there.

    Skipped are relative directories, everything inside the current project, and programs that
    other users can change.
    """
    project = project_root(cwd, user_home(environment))
    for text in candidates(names, environment, host_platform()):
        if is_trustworthy(Path(text), project):
            return Path(text)
    return None


def candidates(
    names: Sequence[str], environment: Mapping[str, str], platform: Platform
) -> Iterator[str]:
    """Every place where a program of these names may be, in the system's own order.

    Never the current folder, which Windows itself would search first.
    """
    windows = platform is Platform.WINDOWS
    paths = ntpath if windows else posixpath
    found = _variable(environment, "PATH", windows).split(paths.pathsep)
    suffixes = _suffixes(_variable(environment, "PATHEXT", windows)) if windows else ("",)
    for folder in found[:MAX_SEARCH_FOLDERS]:
        text = folder.strip().strip('"') if windows else folder
        if not paths.isabs(text) or (windows and not ntpath.splitdrive(text)[0]):
            continue
        for name in names:
            yield from (paths.join(text, f"{name}{suffix}") for suffix in suffixes)


def _variable(environment: Mapping[str, str], name: str, windows: bool) -> str:
    """A variable's text; its name may be written in any case on Windows."""
    if name in environment or not windows:
        return environment.get(name, "")
    return next((text for key, text in environment.items() if key.upper() == name), "")


def _suffixes(text: str) -> tuple[str, ...]:
    """The order that the user wants, as far as the system itself starts such files."""
    wanted = [suffix.strip().lower() for suffix in text.split(";")]
    return tuple(dict.fromkeys(s for s in wanted if s in _STARTED)) or _STARTED


def project_root(cwd: Path, home: Path) -> Path | None:
    """The repository or folder that a command was started in; None for a home or above it."""
    here = cwd.resolve()
    root = next((p for p in (here, *here.parents) if (p / ".git").exists()), here)
    return None if home.resolve().is_relative_to(root) else root


def is_trustworthy(path: Path, project: Path | None) -> bool:
    """Whether a path is a program outside the project that no other user can change."""
    try:
        real = path.resolve(strict=True)
        found = real.stat()
    except (OSError, RuntimeError):
        return False
    if not stat.S_ISREG(found.st_mode) or not os.access(real, os.X_OK):
        return False
    if project is not None and any(p.is_relative_to(project) for p in (path, real)):
        return False
    return not FILES.is_open_to_writers(real)
