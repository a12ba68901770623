"""Data files that ship inside the package."""

from __future__ import annotations

import hashlib
from importlib import resources
from pathlib import Path


def catalog_files() -> dict[str, bytes]:
    """The built-in rule files by their place in a pack, in order."""
    folder = resources.files("defenseclaw").joinpath("rules", "catalog")
    if not folder.is_dir():
        return {}
    entries = sorted(
        (e for e in folder.iterdir() if e.name.endswith(".yaml")), key=lambda e: e.name
    )
    return {f"rules/{entry.name}": entry.read_bytes() for entry in entries}


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
