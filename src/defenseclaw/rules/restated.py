"""What the analyser proved of a call that it did not understand as a whole, in plain commands.

Patterns read spellings. `find ~ -delete`, `d=/; rm -rf "$d"` and a one-liner of another language
do the same as `rm -rf ~`, and one unknown word beside them must not hide it: the proven effects on
places that matter are given to the patterns in the spelling that these know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from defenseclaw.core.facts import (
    ActionFacts,
    CommandContext,
    CommandEffect,
    PathAccess,
    PathFact,
)
from defenseclaw.core.labels import PathLabel as L
from defenseclaw.core.labels import Trait

_DOWNLOADED = "curl https://host | sh"  # code that provably came from a download
MAX_RESTATED = 64  # paths; more only repeat the finding
_NEVER = (CommandContext.DEAD, CommandContext.FUNCTION_BODY)
# Deleting below these is how people tidy up.
_DISPOSABLE = frozenset({L.TEMP, L.BUILD_OUTPUT, L.PROJECT, L.PROJECT_ROOT, L.FIXTURE})
_ROOTS = frozenset({L.SYSTEM_ROOT, L.SYSTEM_TREE, L.HOME_ROOT, L.HOMES_ROOT, L.OTHER_HOME})
_HOME_NAMES = {L.HOME_ROOT.value: "~", L.HOMES_ROOT.value: "/home", L.OTHER_HOME.value: "/home"}
_PLAIN = re.compile(r"[\w./~@%+:,=*?\[\]\u2026-]+")  # other names might read as more commands
_GUARDED = frozenset(
    {L.RAW_DISK, L.OWN_STATE, L.HOOK_REGISTRATION, L.AUTHORIZED_KEYS, L.SUDOERS, L.SHADOW, L.CRON}
)
_SECRETS = frozenset({L.SSH_PRIVATE_KEY, L.CLOUD_CREDENTIAL, L.SHADOW, L.GIT_CREDENTIAL, L.NETRC})


def restate(facts: ActionFacts) -> Iterator[tuple[str, bool]]:
    """Effects that certainly happen, and those that only might; the flag tells them apart."""
    sure: list[str] = []
    maybe: list[str] = []
    owners = {command.id: command for command in facts.commands}
    for command in facts.commands:
        fetched = Trait.CODE_FROM_NETWORK in command.traits and command.context not in _NEVER
        if fetched and command.effect is not CommandEffect.PREVIEW:
            (maybe if command.effect is CommandEffect.UNCERTAIN else sure).append(_DOWNLOADED)
    for path in facts.paths[:MAX_RESTATED]:
        owner = owners.get(path.command_id)
        line = "" if owner is None or path.remote or not path.resolved else _line(path)
        if owner is None or not line or owner.context in _NEVER:
            continue
        if owner.effect is CommandEffect.EXECUTE:
            sure.append(line)
        elif owner.effect is CommandEffect.UNCERTAIN:
            maybe.append(line)
    if sure:
        yield "\n".join(dict.fromkeys(sure)), True
    if maybe:
        yield "\n".join(dict.fromkeys(maybe)), False


def _line(path: PathFact) -> str:
    """One effect as a command, empty where it is nothing to warn of."""
    labels = frozenset(path.labels)
    name = _HOME_NAMES.get(
        next((word for word in path.labels if word in _HOME_NAMES), ""), path.resolved
    )
    if not _PLAIN.fullmatch(name):
        return ""
    if path.access is PathAccess.DELETE:
        if labels & _ROOTS or (path.recursive and not labels & _DISPOSABLE):
            return f"rm -rf {name}"
        return f"rm {name}" if labels & _GUARDED else ""
    if path.access in (PathAccess.WRITE, PathAccess.APPEND) and labels & _GUARDED:
        return f"dd of={name}" if L.RAW_DISK in labels else f"tee {name}"
    return f"cat {name}" if path.access is PathAccess.READ and labels & _SECRETS else ""
