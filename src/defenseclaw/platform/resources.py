"""Data files that ship inside the package."""

from __future__ import annotations

import hashlib
from importlib import resources
from pathlib import Path

from defenseclaw.platform.fs import read_bounded

MAX_TREE_FILES = 4096  # directory entries a rule pack may hold
MAX_TREE_FILE_BYTES = 1024 * 1024  # bytes of one of its files


def catalog_files() -> dict[str, bytes]:
    """The built-in rule files by name, in order."""
    folder = resources.files("defenseclaw").joinpath("rules", "catalog")
    if not folder.is_dir():
        return {}
    entries = sorted(
        (e for e in folder.iterdir() if e.name.endswith(".yaml")), key=lambda e: e.name
    )
    return {entry.name: entry.read_bytes() for entry in entries}


def package_file(*parts: str) -> Path:
    """The path of a file of this package, for programs that run it by path."""
    return Path(str(resources.files("defenseclaw").joinpath(*parts)))


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def read_tree(root: Path) -> dict[str, bytes]:
    """Every regular file below a folder, by its path with forward slashes.

    Raises UnsafeFileError for links, other special files and anything too large.
    """
    found: dict[str, bytes] = {}
    for path in sorted(root.rglob("*"))[:MAX_TREE_FILES]:
        if not path.is_dir() or path.is_symlink():
            name = path.relative_to(root).as_posix()
            found[name] = read_bounded(path, MAX_TREE_FILE_BYTES)
    return found
