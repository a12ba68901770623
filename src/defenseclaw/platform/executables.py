"""Finding a program on the search path without being led into a project's folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from defenseclaw.platform.paths import user_home

_SUFFIXES = (".exe",) if os.name == "nt" else ("",)


def find_executable(names: Sequence[str], environment: Mapping[str, str], cwd: Path) -> Path | None:
    """The first of the names on PATH that a project could not have put there.

    Skipped are relative directories, everything inside the current project, and programs that
    other users can change.
    """
    project = project_root(cwd, user_home(environment))
    for text in environment.get("PATH", "").split(os.pathsep):
        if not os.path.isabs(text):
            continue
        for name in names:
            for suffix in _SUFFIXES:
                candidate = Path(text) / f"{name}{suffix}"
                if is_trustworthy(candidate, project):
                    return candidate
    return None


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
    return os.name == "nt" or not found.st_mode & stat.S_IWOTH
