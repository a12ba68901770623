"""The Begin Patch / End Patch envelope: which files it adds, changes, moves and deletes."""

from __future__ import annotations

from dataclasses import dataclass, field

from defenseclaw.core.facts import IssueCode, OperationKind, PathAccess
from defenseclaw.core.limits import MAX_ARGS_JSON_BYTES, MAX_PATCH_DIRECTIVES, MAX_SCALAR_BYTES
from defenseclaw.facts.paths import clean, has_drive

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_ADD, _UPDATE, _DELETE = "*** Add File: ", "*** Update File: ", "*** Delete File: "
_MOVE, _EOF = "*** Move to: ", "*** End of File"
_DIRECTIVES = {
    _ADD: (PathAccess.WRITE, OperationKind.WRITE),
    _UPDATE: (PathAccess.WRITE, OperationKind.WRITE),
    _DELETE: (PathAccess.DELETE, OperationKind.DELETE),
    _MOVE: (PathAccess.WRITE, OperationKind.MOVE),
}


class PatchError(Exception):
    """The envelope is malformed; ``issue`` says how."""

    def __init__(self, issue: IssueCode) -> None:
        super().__init__(issue.name)
        self.issue = issue


@dataclass(slots=True)
class Change:
    """One directive: the accesses it stands for and the lines that it adds."""

    path: str
    access: PathAccess
    operation: OperationKind
    added: list[str] = field(default_factory=list)
    target: str = ""  # where an update is moved to
    hunks: int = 0
    lines: int = 0


def parse_patch(text: str) -> list[Change]:
    """Read an envelope. Raises PatchError; nothing of a malformed one is used."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_ARGS_JSON_BYTES:
        raise PatchError(IssueCode.INPUT_LIMIT)
    lines = text.replace("\r\n", "\n").strip("\n").split("\n")
    if "\0" in text or any("\r" in line for line in lines):
        raise PatchError(IssueCode.INVALID_SYNTAX)
    if len(lines) < 3 or lines[0].rstrip() != _BEGIN or lines[-1].rstrip() != _END:
        raise PatchError(IssueCode.INVALID_SYNTAX)
    changes: list[Change] = []
    for line in lines[1:-1]:
        _line(changes, line)
    _check(changes)
    return changes


def sketch_patch(text: str) -> list[Change]:
    """What an envelope outside the reviewed form seems to do, for detection only.

    Agents apply more than the reviewed form: absolute paths, indented directives, other line ends.
    """
    changes: list[Change] = []
    for raw in text[:MAX_ARGS_JSON_BYTES].splitlines():
        line = raw.strip()
        start = next((word for word in _DIRECTIVES if line.startswith(word.strip())), "")
        path = line[len(start.strip()) :].strip() if start else ""
        if path and len(path) <= MAX_SCALAR_BYTES:
            changes.append(Change(path, *_DIRECTIVES[start]))
        elif changes and raw.lstrip().startswith("+"):
            changes[-1].added.append(raw.lstrip()[1:])
        if len(changes) == MAX_PATCH_DIRECTIVES:
            break
    return changes


def from_home(path: str, home: str) -> str:
    """The path as patterns know it: they know a home by its sign, not by where it happens to be."""
    home = home.rstrip("/")
    return f"~{path[len(home) :]}" if home and path.startswith(f"{home}/") else path


def _line(changes: list[Change], line: str) -> None:
    if line.startswith(_ADD):
        changes.append(Change(line[len(_ADD) :], PathAccess.WRITE, OperationKind.WRITE))
    elif line.startswith(_UPDATE):
        changes.append(Change(line[len(_UPDATE) :], PathAccess.WRITE, OperationKind.WRITE))
        changes[-1].hunks = -1
    elif line.startswith(_DELETE):
        changes.append(Change(line[len(_DELETE) :], PathAccess.DELETE, OperationKind.DELETE))
    elif not changes:
        raise PatchError(IssueCode.INVALID_SYNTAX)
    else:
        _body(changes[-1], line)
    if len(changes) > MAX_PATCH_DIRECTIVES:
        raise PatchError(IssueCode.FACT_LIMIT)


def _body(change: Change, line: str) -> None:
    """One line below a directive."""
    updates = change.hunks != 0
    if change.access is PathAccess.DELETE:
        raise PatchError(IssueCode.INVALID_SYNTAX)
    if not updates:
        if not line.startswith("+"):
            raise PatchError(IssueCode.INVALID_SYNTAX)
        change.added.append(line[1:])
    elif line.startswith(_MOVE) and change.hunks == -1 and not change.target:
        change.target = line[len(_MOVE) :]
    elif line.startswith("@@"):
        change.hunks = max(change.hunks, 0) + 1
    elif line != _EOF:
        _hunk_line(change, line)


def _hunk_line(change: Change, line: str) -> None:
    if line and line[0] not in "+- ":
        raise PatchError(IssueCode.INVALID_SYNTAX)
    change.hunks = max(change.hunks, 1)
    change.lines += 1
    if line.startswith("+"):
        change.added.append(line[1:])


def _check(changes: list[Change]) -> None:
    if not changes:
        raise PatchError(IssueCode.INVALID_SYNTAX)
    seen: set[str] = set()
    for change in changes:
        if change.hunks and not change.lines:
            raise PatchError(IssueCode.INVALID_SYNTAX)
        for path in (change.path, change.target) if change.target else (change.path,):
            _check_path(path)
            key = clean(path.replace("\\", "/"))
            if key in seen:
                raise PatchError(IssueCode.CONFLICTING_SOURCES)
            seen.add(key)


def _check_path(path: str) -> None:
    if len(path) > MAX_SCALAR_BYTES:
        raise PatchError(IssueCode.INPUT_LIMIT)
    if not path or path != path.strip() or path[0] in "/\\~" or has_drive(path):
        raise PatchError(IssueCode.INVALID_SYNTAX)
