"""Security descriptors as bytes: who owns a thing and who may do what with it. Pure.

The self-relative form, MS-DTYP 2.4.6, with its lists (2.4.5), entries (2.4.4) and identifiers
(2.4.2). Every entry that lets somebody do something counts; entries that deny are left out, which
can only make a thing look more open than it is.
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from dataclasses import dataclass

SYSTEM = "S-1-5-18"
ADMINISTRATORS = "S-1-5-32-544"
TRUSTED_INSTALLER = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464"
OWNER_RIGHTS = "S-1-3-4"  # stands for whoever owns the thing, who is judged apart
EVERYONE = "S-1-1-0"
MANAGERS = frozenset({SYSTEM, ADMINISTRATORS, TRUSTED_INSTALLER})

# Access rights, MS-DTYP 2.4.3 and the file rights of winnt.h.
READ_DATA, WRITE_DATA, APPEND_DATA, DELETE_CHILD = 0x1, 0x2, 0x4, 0x40
DELETE, READ_CONTROL, WRITE_DAC, WRITE_OWNER = 0x10000, 0x20000, 0x40000, 0x80000
GENERIC_ALL, GENERIC_WRITE, GENERIC_READ = 0x10000000, 0x40000000, 0x80000000
FULL = 0x1F01FF
TAKING = DELETE | WRITE_DAC | WRITE_OWNER | GENERIC_ALL
CHANGING = TAKING | WRITE_DATA | APPEND_DATA | GENERIC_WRITE
READING = TAKING | READ_DATA | GENERIC_READ
TOUCHING = READING | CHANGING
# What lets somebody put another thing in the place of one that lies in a folder.
SWAPPING = TAKING | DELETE_CHILD

INHERIT_ONLY, INHERITED = 0x08, 0x10
_TO_CHILDREN = 0x03  # to files and to folders
_ALLOWS = {0: 8, 9: 8}  # types whose identifier follows the rights at once
_DENIES = frozenset({1, 6, 10, 12})
_SELF_RELATIVE, _PROTECTED, _HAS_LIST = 0x8000, 0x1000, 0x0004
_HEAD, _LIST, _ENTRY = struct.Struct("<BBHIIII"), struct.Struct("<BBHHH"), struct.Struct("<BBHI")
_MAX_PARTS = 15  # MS-DTYP 2.4.2.2
_UNREADABLE = "?"  # somebody, and nobody that we know


class DescriptorError(ValueError):
    """Bytes that are no security descriptor."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody's rights; ``flags`` say whether they hold here or only for what is made inside."""

    trustee: str
    rights: int
    flags: int = 0


@dataclass(frozen=True, slots=True)
class Descriptor:
    """An owner and what others may do; ``entries`` is None where everybody may do everything.

    ``protected`` lists take nothing from the folder above.
    """

    owner: str
    entries: tuple[Entry, ...] | None
    protected: bool = False


def parse_descriptor(raw: bytes) -> Descriptor:
    """The owner and the list in these bytes. Raises DescriptorError."""
    try:
        _, _, control, owner, _, _, found = _HEAD.unpack_from(raw)
        entries = _entries(raw, found) if control & _HAS_LIST and found else None
        name = _identifier(raw, owner) if owner else ""
    except (struct.error, IndexError) as error:
        raise DescriptorError("a security descriptor is cut short") from error
    return Descriptor(name, entries, bool(control & _PROTECTED))


def pack_descriptor(descriptor: Descriptor) -> bytes:
    """The self-relative bytes of a descriptor."""
    owner = pack_identifier(descriptor.owner)
    control = _SELF_RELATIVE | (_PROTECTED if descriptor.protected else 0) | _HAS_LIST
    body, at = b"", 0
    if descriptor.entries is not None:
        body, at = _packed(descriptor.entries), _HEAD.size + len(owner)
    return _HEAD.pack(1, 0, control, _HEAD.size, 0, 0, at) + owner + body


def private_descriptor(user: str, *, folder: bool) -> Descriptor:
    """Ours: the user and the system, nobody else, nothing from above."""
    flags = _TO_CHILDREN if folder else 0
    entries = tuple(Entry(who, FULL, flags) for who in (user, SYSTEM))
    return Descriptor(user, entries, protected=True)


def strangers(descriptor: Descriptor, rights: int, friends: Collection[str]) -> tuple[str, ...]:
    """Who has any of these rights on the thing itself and is no friend."""
    if descriptor.entries is None:
        return (EVERYONE,)
    return tuple(
        entry.trustee
        for entry in descriptor.entries
        if not entry.flags & INHERIT_ONLY
        and entry.rights & rights
        and entry.trustee not in friends
        and entry.trustee != OWNER_RIGHTS
    )


def pack_identifier(text: str) -> bytes:
    """The bytes of a security identifier such as ``S-1-5-18``. Raises DescriptorError."""
    try:
        mark, revision, authority, *parts = text.split("-")
        numbers = [int(part) for part in parts]
        if mark != "S" or len(numbers) > _MAX_PARTS:
            raise DescriptorError("no security identifier")
        head = bytes([int(revision), len(numbers)]) + int(authority).to_bytes(6, "big")
        return head + struct.pack(f"<{len(numbers)}I", *numbers)
    except (ValueError, struct.error, OverflowError) as error:
        raise DescriptorError("no security identifier") from error


def parse_identifier(raw: bytes) -> str:
    """The text of a security identifier's bytes. Raises DescriptorError."""
    try:
        return _identifier(raw, 0)
    except (struct.error, IndexError) as error:
        raise DescriptorError("a security identifier is cut short") from error


def _identifier(raw: bytes, at: int) -> str:
    revision, count = raw[at], raw[at + 1]
    if count > _MAX_PARTS:
        raise DescriptorError("a security identifier has too many parts")
    authority = int.from_bytes(raw[at + 2 : at + 8], "big")
    parts = struct.unpack_from(f"<{count}I", raw, at + 8)
    return "-".join(["S", str(revision), str(authority), *map(str, parts)])


def _entries(raw: bytes, at: int) -> tuple[Entry, ...]:
    _, _, size, count, _ = _LIST.unpack_from(raw, at)
    end, at = at + size, at + _LIST.size
    found = []
    for _ in range(count):
        kind, flags, length, rights = _ENTRY.unpack_from(raw, at)
        if length < _ENTRY.size or at + length > min(end, len(raw)):
            raise DescriptorError("an access list is cut short")
        if kind not in _DENIES:
            start = _ALLOWS.get(kind)
            who = _UNREADABLE if start is None else _identifier(raw[: at + length], at + start)
            found.append(Entry(who, rights, flags))
        at += length
    return tuple(found)


def _packed(entries: tuple[Entry, ...]) -> bytes:
    rows = []
    for entry in entries:
        who = pack_identifier(entry.trustee)
        rows.append(_ENTRY.pack(0, entry.flags, _ENTRY.size + len(who), entry.rights) + who)
    body = b"".join(rows)
    return _LIST.pack(2, 0, _LIST.size + len(body), len(rows), 0) + body
