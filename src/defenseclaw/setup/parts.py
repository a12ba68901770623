"""The files that a registration changes, each with what it should hold and what of it is ours.

Most agents have one: a document with hooks. Some also keep a list of consents beside it, and some
load a file of ours instead.
"""

from __future__ import annotations

import copy
import json
import shlex
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any, Protocol

from defenseclaw.config import Document, DocumentError, json_document, same
from defenseclaw.connectors import COMMAND_MARK, Connector, Member
from defenseclaw.platform import DataHome, find_executable, package_file
from defenseclaw.setup.model import HOOKS, Hook, Lone, Options, Ownership, Slot, Target
from defenseclaw.setup.plan import check_switches, owned_slots, plan_hooks, refuse
from defenseclaw.setup.shelf import is_bare
from defenseclaw.setup.target import client_words, ownership, read_document, target_of
from defenseclaw.setup.trust import record_problems, with_records

PLUGIN_FOLDER = "plugins"


class Part(Protocol):
    """One file of a registration. Contents are bytes; None is a file that is not there."""

    target: Target

    @abstractmethod
    def after(self, before: bytes | None) -> bytes:
        """The content with ours in it. Raises SetupError."""

    @abstractmethod
    def problems(self, content: bytes | None) -> list[str]:
        """Every difference from what should be there. Raises SetupError."""

    @abstractmethod
    def without(self, content: bytes) -> bytes:
        """The content with ours taken out, and nothing else. Raises SetupError."""

    @abstractmethod
    def residue(self, content: bytes | None) -> list[str]:
        """What of ours an agent would still run, in words. Raises SetupError."""

    @abstractmethod
    def is_blank(self, content: bytes) -> bool:
        """Whether a content is worth nothing, so that the file need not stay."""


@dataclass(frozen=True, slots=True)
class HookFile(Part):
    """A document with an agent's hooks, and with the members that a registration needs."""

    connector: Connector
    target: Target
    owner: Ownership
    wanted: tuple[Hook, ...] = ()

    def after(self, before: bytes | None) -> bytes:
        registration = self.connector.registration
        document = self._document(before)
        off = check_switches(document.data, registration.switches)
        if off:
            refuse(
                f"{self.target.file} has {off}: {self.connector.label} would ignore every hook",
                "remove that setting, then run the command again",
            )
        data = self._planned(document.data, self.wanted)
        return self._edited(document, reduce(_with_member, registration.members, data))

    def problems(self, content: bytes | None) -> list[str]:
        document = self._document(content)
        owned = owned_slots(document.data, self.owner, self.connector.registration.layout)
        by_event = {hook.event: hook for hook in self.wanted}
        problems, slots = [], {}
        for event, slot, group in owned:
            hook = by_event.get(event)
            if hook is None or event in slots:
                problems.append(f"{HOOKS}.{event} holds a handler of ours too many")
                continue
            slots[event] = slot
            if not _is_wanted(group, slot, hook):
                problems.append(f"{HOOKS}.{event} differs from what setup writes")
        problems += [f"{HOOKS}.{event} is missing" for event in by_event if event not in slots]
        if self._positional:
            problems += record_problems(document.data, self.wanted, slots, self.target.sources)
        members = self.connector.registration.members
        return problems + [
            f"{'.'.join(member.path)} is missing"
            for member in members
            if not _has_member(document.data, member)
        ]

    def without(self, content: bytes) -> bytes:
        document = self._document(content)
        data = self._planned(document.data, ())
        return self._edited(
            document, reduce(_without_member, self.connector.registration.members, data)
        )

    def residue(self, content: bytes | None) -> list[str]:
        data = self._document(content).data
        registration = self.connector.registration
        owned = owned_slots(data, self.owner, registration.layout)
        left = [f"{HOOKS}.{event}" for event, _, _ in owned]
        return left + [".".join(m.path) for m in registration.members if _has_member(data, m)]

    def is_blank(self, content: bytes) -> bool:
        if content.strip() in (b"", b"{}"):
            return True
        document = self._document(content)
        bare = is_bare(document.data, self.connector.registration.layout)
        return bare and b"#" not in content and not document.extensions

    @property
    def _positional(self) -> bool:
        return self.connector.registration.keeps_records(self.target.file.name)

    def _document(self, content: bytes | None) -> Document:
        return read_document(self.connector.registration, content, str(self.target.file))

    def _planned(self, data: dict[str, Any], wanted: Sequence[Hook]) -> dict[str, Any]:
        layout = self.connector.registration.layout
        planned = plan_hooks(data, wanted, self.owner, layout, positional=self._positional)
        if not self._positional:
            return planned.data
        return with_records(planned, wanted, self.target.sources)

    def _edited(self, document: Document, data: dict[str, Any]) -> bytes:
        try:
            return document.edited(data)
        except DocumentError as error:
            refuse(f"{self.target.file}: {error}")


@dataclass(frozen=True, slots=True)
class ConsentFile(Part):
    """A list of the commands that an agent's user agreed to: ours, for the person who runs setup,
    and nothing else."""

    connector: Connector
    target: Target
    owner: Ownership
    wanted: tuple[Hook, ...] = ()

    def after(self, before: bytes | None) -> bytes:
        document = self._document(before)
        kept = self._kept(document.data)
        data = {**document.data, self._names.table: [*kept, *self._entries()]}
        if same(self._mine(document.data), self._entries()):
            data = document.data
        return self._edited(document, data)

    def problems(self, content: bytes | None) -> list[str]:
        mine = self._mine(self._document(content).data)
        return [
            f"{self.target.file.name} has no consent to the hook of {entry[self._names.event]}"
            for entry in self._entries()
            if entry not in mine
        ]

    def without(self, content: bytes) -> bytes:
        document = self._document(content)
        if not self._mine(document.data):
            return content
        data = {**document.data, self._names.table: self._kept(document.data)}
        return self._edited(document, data)

    def residue(self, content: bytes | None) -> list[str]:
        mine = self._mine(self._document(content).data)
        return [f"consent to the hook of {entry.get(self._names.event)}" for entry in mine]

    def is_blank(self, content: bytes) -> bool:
        data = self._document(content).data
        return not data or data == {self._names.table: []}

    @property
    def _names(self) -> Any:
        return self.connector.registration.consents

    def _entries(self) -> list[dict[str, str]]:
        names = self._names
        return [{names.event: hook.event, names.command: hook.command} for hook in self.wanted]

    def _rows(self, data: dict[str, Any]) -> list[Any]:
        rows = data.get(self._names.table, [])
        if not isinstance(rows, list):
            refuse(f"{self.target.file}: {self._names.table} is not a list")
        return rows

    def _mine(self, data: dict[str, Any]) -> list[Any]:
        return [row for row in self._rows(data) if self.owner.owns(row)]

    def _kept(self, data: dict[str, Any]) -> list[Any]:
        return [row for row in self._rows(data) if not self.owner.owns(row)]

    def _document(self, content: bytes | None) -> Document:
        try:
            return json_document(content or b"")
        except DocumentError as error:
            refuse(f"{self.target.file} cannot be read: {error}")

    def _edited(self, document: Document, data: dict[str, Any]) -> bytes:
        try:
            return document.edited(data)
        except DocumentError as error:
            refuse(f"{self.target.file}: {error}")


@dataclass(frozen=True, slots=True)
class PluginFile(Part):
    """A file of ours that an agent loads. One that somebody edited is theirs: it stays."""

    connector: Connector
    target: Target
    text: bytes

    def after(self, before: bytes | None) -> bytes:
        if before is not None and not self._is_marked(before):
            refuse(
                f"{self.target.file} is somebody else's",
                "move it away, then run the command again",
            )
        if self.target.file.is_symlink():
            refuse(f"{self.target.file} is a symbolic link", "remove it")
        return self.text

    def problems(self, content: bytes | None) -> list[str]:
        if content is None:
            return [f"{self.target.file} is missing"]
        return (
            [] if content == self.text else [f"{self.target.file} differs from what setup writes"]
        )

    def without(self, content: bytes) -> bytes:
        return b"" if content == self.text else content

    def residue(self, content: bytes | None) -> list[str]:
        return ["the plugin"] if content == self.text else []

    def is_blank(self, content: bytes) -> bool:
        return not content

    def _is_marked(self, content: bytes) -> bool:
        """Whether a file begins as ours do, in any revision."""
        plugin = self.connector.registration.plugin
        assert plugin is not None
        start = plugin.marker.rpartition("v")[0]
        return content.split(b"\n", 1)[0].decode("utf-8", "replace").startswith(start)


def _is_wanted(group: dict[str, Any], slot: Slot, hook: Hook) -> bool:
    """Whether a handler of ours, and the group around it, are as setup writes them."""
    stands_alone = isinstance(group, Lone) == hook.layout.is_flat(hook.event)
    matches = group.get("matcher") == hook.group_matcher
    return stands_alone and matches and same(group[HOOKS][slot[1]], hook.handler())


def plugin_text(connector: Connector, home: DataHome) -> bytes:
    """The plugin as this installation writes it: its only constant is how our client is started."""
    plugin = connector.registration.plugin
    assert plugin is not None
    source = package_file("connectors", f"{PLUGIN_FOLDER}/{plugin.resource}")
    text = source.read_text(encoding="utf-8")
    assert text.count(COMMAND_MARK) == 1, "the command stands in one place"
    assert text.startswith(plugin.marker + "\n"), "the first line is the marker"
    return text.replace(COMMAND_MARK, json.dumps(client_words(connector, home))).encode()


def private_packages(connector: Connector, options: Options) -> Path | None:
    """Where the packages are of the private environment that an agent runs in, if it has one."""
    program = find_executable(connector.probe.executables, options.environment, options.cwd)
    if program is None:
        return None
    root = program.resolve().parent.parent
    found = sorted(root.glob("lib/python3.*/site-packages"))
    return found[0] if (root / "pyvenv.cfg").is_file() and len(found) == 1 else None


def parts_of(
    connector: Connector,
    home: DataHome,
    target: Target,
    options: Options,
    wanted: tuple[Hook, ...] = (),
) -> list[Part]:
    """Every file of a registration, in the order in which they are written.

    A consent is there before the hook that needs it, a plugin before the setting that names it.
    """
    registration = connector.registration
    owner = ownership(connector, home)
    parts: list[Part] = []
    if registration.consents is not None:
        beside = target_of(target.config_home / registration.consents.file)
        parts.append(ConsentFile(connector, beside, owner, wanted))
    plugin = registration.plugin
    if plugin is not None and not plugin.module:
        parts.append(PluginFile(connector, target, plugin_text(connector, home)))
        return parts
    if plugin is not None and (folder := private_packages(connector, options)) is not None:
        place = target_of(folder / plugin.module)
        parts.append(PluginFile(connector, place, plugin_text(connector, home)))
    parts.append(HookFile(connector, target, owner, wanted))
    return parts


def check_environment(connector: Connector, options: Options) -> None:
    """Refuse an agent that needs a module of ours and has no private place for it."""
    plugin = connector.registration.plugin
    if plugin and plugin.module and private_packages(connector, options) is None:
        refuse(
            f"{connector.label} was not found in a private Python environment, where its policy "
            "has to be",
            "install it with `pipx` or `uv tool`, then run the command again",
        )


def _with_member(data: dict[str, Any], member: Member) -> dict[str, Any]:
    if _has_member(data, member):
        return data
    new = copy.deepcopy(data)
    *heads, last = member.path
    table = new
    for head in heads:
        table = table.setdefault(head, {})
        if not isinstance(table, dict):
            refuse(f"{head} is not a table")
    if member.in_list:
        items = table.setdefault(last, [])
        if not isinstance(items, list):
            refuse(f"{'.'.join(member.path)} is not a list")
        items.append(member.value)
    elif last in table:
        refuse(f"{'.'.join(member.path)} is somebody else's")
    else:
        table[last] = member.value
    return new


def _has_member(data: dict[str, Any], member: Member) -> bool:
    value: Any = data
    for name in member.path:
        value = value.get(name) if isinstance(value, dict) else None
    if member.in_list:
        return isinstance(value, list) and member.value in value
    return value is not None and same(value, member.value)


def _without_member(data: dict[str, Any], member: Member) -> dict[str, Any]:
    if not _has_member(data, member):
        return data
    new = copy.deepcopy(data)
    tables = [new]
    for head in member.path[:-1]:
        tables.append(tables[-1][head])
    last = member.path[-1]
    if member.in_list:
        tables[-1][last].remove(member.value)
    if not member.in_list or not tables[-1][last]:
        del tables[-1][last]
    for head, table in reversed(list(zip(member.path[:-1], tables[:-1], strict=True))):
        if not table[head]:
            del table[head]
    return new


def check_plain(connector: Connector, command: str) -> None:
    """Refuse a place whose path a shell would not take as it is, where the agent needs that."""
    if connector.registration.plain_command and shlex.quote(command) != command:
        refuse(
            f"{connector.label} takes no quoted command, and {command} would need quotes",
            "set DEFENSECLAW_HOME to a path of letters, digits, dots, dashes and slashes",
        )
