"""Which files a call runs, sources or loads as scripts, and in which language.

The program that is named decides the language, or PowerShell and cmd their own suffixes. Where a
file is executed directly only its first line can say it.
"""

from __future__ import annotations

import ntpath
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass

from defenseclaw.artifact.limits import MAX_SCRIPTS
from defenseclaw.core.facts import (
    ActionFacts,
    CommandEffect,
    CommandFact,
    CommandKind,
    Dialect,
    IssueCode,
    ParseStatus,
    PathAccess,
    PathFact,
)
from defenseclaw.core.tool import Platform

POSIX, POWERSHELL, CMD = "posix", "powershell", "cmd"
INTERPRETERS: Mapping[str, str] = {
    **dict.fromkeys(("sh", "bash", "zsh", "dash", "ksh", "mksh"), POSIX),
    **dict.fromkeys(("pwsh", "powershell", "pwsh.exe", "powershell.exe"), POWERSHELL),
    **dict.fromkeys(("cmd", "cmd.exe"), CMD),
}
SOURCING = frozenset({"source", "."})
SUFFIXES: Mapping[Dialect, Mapping[str, str]] = {
    Dialect.POWERSHELL: {".ps1": POWERSHELL, ".psm1": POWERSHELL, ".cmd": CMD, ".bat": CMD},
    Dialect.CMD: {".cmd": CMD, ".bat": CMD},
}
_CHANGES = frozenset({PathAccess.WRITE, PathAccess.APPEND, PathAccess.DELETE})
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One script: its path, the language that is proven (empty: the first line has to say it),
    and whether its content may justify more than detection."""

    path: str
    language: str
    may_enforce: bool
    decides_exit: bool
    needs_execute_bit: bool


def plan(facts: ActionFacts, platform: Platform) -> tuple[Candidate, ...]:
    """The scripts of a call in the order of its facts, each once."""
    commands = {command.id: command for command in facts.commands}
    changed = {_key(p, platform) for p in facts.paths if p.access in _CHANGES}
    found: dict[tuple[str, str], Candidate] = {}
    for path in facts.paths:
        command = commands.get(path.command_id)
        if command is None or command.effect is not CommandEffect.EXECUTE or path.remote:
            continue
        language = _language(command, path)
        place = _place(path, platform)
        # What the same call writes is judged by the text that it writes.
        if language is None or not place or _folded(place, platform) in changed:
            continue
        key = (language, _folded(place, platform))
        found.setdefault(key, _candidate(facts, command, place, (language, platform)))
    return tuple(found.values())[:MAX_SCRIPTS]


def _candidate(
    facts: ActionFacts, command: CommandFact, place: str, proof: tuple[str, Platform]
) -> Candidate:
    language, platform = proof
    return Candidate(
        path=place,
        language=language,
        may_enforce=_is_only_uncertainty(facts, command) or _is_certain(facts, command),
        decides_exit=command.decides_exit,
        needs_execute_bit=not language and platform is Platform.POSIX,
    )


def _language(command: CommandFact, path: PathFact) -> str | None:
    """The proven language, empty where the first line has to say it, None for no script."""
    if command.program in SOURCING:
        return POWERSHELL if command.dialect is Dialect.POWERSHELL else POSIX
    if path.access is not PathAccess.EXECUTE:
        return None
    if command.program in INTERPRETERS:
        return INTERPRETERS[command.program]
    if not command.argv or path.value not in (command.argv[0], command.executable):
        return None  # an operand of a program with another language
    suffix = ntpath.splitext(path.value)[1].lower()
    return SUFFIXES.get(command.dialect, {}).get(suffix, "")


def _is_certain(facts: ActionFacts, command: CommandFact) -> bool:
    """All of the call is understood and all of it runs, this command at the top level."""
    return (
        facts.parse.status is ParseStatus.COMPLETE
        and command.exact
        and not command.wrappers
        and all(
            c.effect is CommandEffect.EXECUTE and c.kind is CommandKind.PROCESS
            for c in facts.commands
        )
    )


def _is_only_uncertainty(facts: ActionFacts, command: CommandFact) -> bool:
    """The one thing that is not understood is this script, and nothing stands around it."""
    places = {(p.resolved or p.normalized, p.command_id) for p in facts.paths}
    return (
        facts.parse.status is ParseStatus.PARTIAL
        and list(facts.parse.issues) == [IssueCode.OPAQUE_ARTIFACT]
        and len(facts.commands) == 1
        and len(places) == 1
        and command.kind is CommandKind.PROCESS
        and command.exact
        and command.argv_complete
        and not (command.pipeline_id or command.redirects or command.wrappers)
        and not any(argument.expands for argument in command.arguments)
    )


def _place(path: PathFact, platform: Platform) -> str:
    """The absolute path on this machine's own disks, or empty."""
    value = path.resolved or (path.normalized if path.absolute else "")
    if not value or "\0" in value:
        return ""
    if platform is Platform.POSIX:
        is_local = value.startswith("/") and not value.startswith("//")
        return posixpath.normpath(value) if is_local else ""
    return ntpath.normpath(value) if all(map(_is_plain, (value, path.value))) else ""


def _is_plain(value: str) -> bool:
    """Whether a Windows path has plain names below a drive or a folder: it is no share, device,
    stream or root of some drive, and no name of it would be cut."""
    drive = _DRIVE.match(value)
    rest = value[drive.end() :] if drive else value
    names = rest.replace("/", "\\").split("\\")
    return all(
        name in (".", "..") or (name and name[-1] not in ". " and ":" not in name) for name in names
    ) and not any(map(_DEVICES.match, names))


def _key(path: PathFact, platform: Platform) -> str:
    return _folded(_place(path, platform), platform)


def _folded(place: str, platform: Platform) -> str:
    return place.lower() if platform is Platform.WINDOWS else place
