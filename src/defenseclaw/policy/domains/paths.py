"""Comparing paths by components, so that ``/opt/tools-of-another`` is not below ``/opt/tools``."""

from __future__ import annotations


def is_below(path: str, root: str) -> bool:
    """Whether a path is a root or below it. Relative paths and ``..`` are below nothing."""
    inner, outer = _components(path), _components(root)
    return bool(outer) and inner[: len(outer)] == outer


def _components(path: str) -> list[str]:
    """The components of an absolute and plain path, none for any other."""
    is_windows = path[1:2] == ":" or path.startswith("\\\\")
    plain = path.replace("\\", "/").casefold() if is_windows else path
    if not plain.startswith("/") and plain[1:3] != ":/":
        return []
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    return [] if ".." in parts else parts
