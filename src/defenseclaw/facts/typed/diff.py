"""Unified, git and context diffs: which files applying one writes, moves and deletes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from defenseclaw.core.facts import OperationKind, PathAccess
from defenseclaw.core.limits import MAX_ARGS_JSON_BYTES, MAX_PATCH_DIRECTIVES, MAX_SCALAR_BYTES
from defenseclaw.facts.typed.envelope import Change

NO_FILE = "/dev/null"
_HUNK = re.compile(r"@@ -[0-9]+(?:,([0-9]{1,9}))? \+[0-9]+(?:,([0-9]{1,9}))? @@")
_GIT = "diff --git "
# Lines of git's extended header that name a file, and whether it is the old name.
_NAMES = {
    "--- ": "old",
    "+++ ": "new",
    "rename from ": "moved_from",
    "rename to ": "moved_to",
    "copy to ": "moved_to",
}
_STAMP = re.compile(r"\t.*$")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_CONTROLS = dict(zip(b"ntrabfv", b"\n\t\r\a\b\f\v", strict=True))


@dataclass(slots=True)
class Section:
    """The headers and added lines of one file."""

    names: dict[str, str] = field(default_factory=dict)
    deleted: bool = False
    added: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Manner:
    """How names are turned into paths: ``strip`` leading components go, None keeps the last one.

    ``folder`` is put in front; ``reverse`` takes the change back.
    """

    strip: int | None = 1
    folder: str = ""
    reverse: bool = False


def parse_diff(text: str, manner: Manner) -> list[Change]:
    """The changes of a diff in order, bounded; empty when the text is no diff that is known."""
    found: list[Change] = []
    for section in _sections(text[:MAX_ARGS_JSON_BYTES].split("\n")):
        change = _change(section, manner)
        if change is not None and len(change.path) <= MAX_SCALAR_BYTES:
            found.append(change)
        if len(found) > MAX_PATCH_DIRECTIVES:
            break
    return found


def _sections(lines: list[str]) -> Iterator[Section]:
    section = Section()
    at = 0
    while at < len(lines):
        line = lines[at].removesuffix("\r")
        hunk = _HUNK.match(line)
        if hunk:
            at = _take_hunk(section, lines, at + 1, hunk)
            continue
        if _starts(line, lines[at + 1] if at + 1 < len(lines) else "", section):
            yield section
            section = Section()
        _take_header(section, line)
        at += 1
    yield section


def _starts(line: str, following: str, section: Section) -> bool:
    """Whether a line begins the part of another file."""
    if line.startswith(_GIT):
        return True
    if line.startswith("*** ") and following.startswith("--- "):
        return True
    old_header = line.startswith("--- ") and following.startswith("+++ ")
    return old_header and "old" in section.names


def _take_header(section: Section, line: str) -> None:
    if line.startswith(_GIT):
        section.names.update(_git_names(line[len(_GIT) :]))
    elif line.startswith("deleted file mode"):
        section.deleted = True
    elif line.startswith("*** ") and "old" not in section.names:
        section.names["context"] = _name(line[4:])
    elif line.startswith("--- ") and "context" in section.names and "old" not in section.names:
        # The first line of a context diff has three stars for the old name.
        section.names["old"], section.names["new"] = section.names["context"], _name(line[4:])
    else:
        for start, role in _NAMES.items():
            if line.startswith(start):
                section.names[role] = _name(line[len(start) :])


def _take_hunk(section: Section, lines: list[str], at: int, hunk: re.Match[str]) -> int:
    """Consume the lines that a hunk announces; answer the index behind it."""
    left, right = (int(count) if count else 1 for count in hunk.groups())
    while at < len(lines) and (left > 0 or right > 0):
        mark = lines[at][:1]
        if mark == "+":
            section.added.append(lines[at][1:])
        if mark not in ("+", "\\"):
            left -= 1
        if mark not in ("-", "\\"):
            right -= 1
        at += 1
    return at


def _git_names(rest: str) -> dict[str, str]:
    """The two names of git's first header line, where they are plain or equal."""
    if rest.startswith('"'):
        old, _, new = rest.partition('" ')
        return {"git_old": _name(old + '"'), "git_new": _name(new)}
    half = len(rest) // 2
    old, new = rest[:half], rest[half + 1 :]
    if rest[half : half + 1] == " " and old.partition("/")[2] == new.partition("/")[2]:
        return {"git_old": old, "git_new": new}
    old, _, new = rest.partition(" ")
    return {"git_old": old, "git_new": new}


def _name(text: str) -> str:
    """A file name as a header spells it, without its time stamp and quotes."""
    text = _STAMP.sub("", text.removesuffix("\r")).strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        raw = text[1:-1].encode("utf-8", "replace")
        return _ESCAPE.sub(_unescape, raw).decode("utf-8", "replace")
    return text


def _unescape(match: re.Match[bytes]) -> bytes:
    code = match[1]
    if len(code) > 1:
        return bytes([int(code, 8) & 0xFF])
    return bytes([_CONTROLS.get(code[0], code[0])])


def _change(section: Section, manner: Manner) -> Change | None:
    names = section.names
    old = names.get("old") or names.get("git_old", "")
    new = names.get("new") or names.get("git_new", "")
    if section.deleted and "new" not in names:
        new = NO_FILE
    if manner.reverse:
        old, new = new, old
    added = [] if manner.reverse else section.added
    if "moved_to" in names:
        return _moved(names, manner)
    if new == NO_FILE:
        path = _path(old, manner)
        return Change(path, PathAccess.DELETE, OperationKind.DELETE) if path else None
    path = _path(new, manner) if old else ""
    return Change(path, PathAccess.WRITE, OperationKind.WRITE, added) if path else None


def _moved(names: dict[str, str], manner: Manner) -> Change | None:
    """A rename or copy; its names have no prefix to strip."""
    start, end = names.get("moved_from", ""), names["moved_to"]
    if manner.reverse and start:
        start, end = end, start
    bare = Manner(0, manner.folder)
    target = _path(end, bare)
    if not start:
        return Change(target, PathAccess.WRITE, OperationKind.WRITE) if target else None
    return Change(_path(start, bare), PathAccess.WRITE, OperationKind.MOVE, target=target)


def _path(name: str, manner: Manner) -> str:
    if not name or name == NO_FILE or "\0" in name:
        return ""
    parts = [part for part in name.split("/") if part] if manner.strip != 0 else [name]
    if manner.strip is None:
        parts = parts[-1:]
    elif manner.strip:
        # A leading slash counts as a component of its own.
        lead = 1 if name.startswith("/") else 0
        parts = parts[max(0, manner.strip - lead) :] or parts[-1:]
    path = "/".join(parts)
    return f"{manner.folder.rstrip('/')}/{path}" if manner.folder and path else path
