"""Security descriptors: their bytes, and who counts as a stranger."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.platform.windows.descriptor import (
    ADMINISTRATORS,
    CHANGING,
    EVERYONE,
    FULL,
    INHERIT_ONLY,
    MANAGERS,
    OWNER_RIGHTS,
    READING,
    SYSTEM,
    TRUSTED_INSTALLER,
    Descriptor,
    DescriptorError,
    Entry,
    pack_descriptor,
    pack_identifier,
    parse_descriptor,
    parse_identifier,
    private_descriptor,
    strangers,
)
from tests.harness.windows import ME, READ_ONLY, STRANGER, USERS

IDENTIFIERS = st.builds(
    lambda authority, parts: "-".join(["S-1", str(authority), *map(str, parts)]),
    st.integers(0, 2**48 - 1),
    st.lists(st.integers(0, 2**32 - 1), max_size=15),
)
ENTRIES = st.builds(Entry, IDENTIFIERS, st.integers(0, 2**32 - 1), st.integers(0, 255))
DESCRIPTORS = st.builds(
    Descriptor, IDENTIFIERS, st.none() | st.lists(ENTRIES, max_size=6).map(tuple), st.booleans()
)
# Written down from `O:BAD:P(A;;FA;;;SY)(D;;FR;;;WD)(A;;FR;;;BU)` by the rules of MS-DTYP.
RECORDED = bytes.fromhex(
    "01000490 14000000 00000000 00000000 24000000"
    "01020000000000052000000020020000"
    "0200 4800 0300 0000"
    "00001400ff011f00010100000000000512000000"
    "0100140089001200010100000000000100000000"
    "000018008900120001020000000000052000000021020000".replace(" ", "")
)


@given(DESCRIPTORS)
def test_a_descriptor_survives_its_bytes(descriptor: Descriptor) -> None:
    assert parse_descriptor(pack_descriptor(descriptor)) == descriptor


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        found = parse_descriptor(raw)
    except DescriptorError:
        return
    assert isinstance(found, Descriptor)


@given(DESCRIPTORS, st.integers(0, 400), st.binary(min_size=1, max_size=4))
def test_damaged_bytes_are_read_or_refused(descriptor: Descriptor, place: int, junk: bytes) -> None:
    raw = bytearray(pack_descriptor(descriptor))
    place %= len(raw)
    raw[place : place + len(junk)] = junk
    for text in (bytes(raw), bytes(raw[:place])):
        try:
            parse_descriptor(text)
        except DescriptorError:
            continue


def test_recorded_bytes_are_read_as_the_system_writes_them() -> None:
    found = parse_descriptor(RECORDED)
    assert found.owner == ADMINISTRATORS
    assert found.protected
    # What is denied takes nothing away from what is allowed: that can only look more open.
    assert found.entries == (Entry(SYSTEM, FULL), Entry(USERS, 0x120089))


@pytest.mark.parametrize(
    "text", ["", "S", "S-1", "x-1-5-18", "S-1-5-x", "S-1-5--1", "S-1-5-" + "-".join("1" * 16),
             "S-1-281474976710656", "S-256-5-18", "S-1-5-4294967296"],
)  # fmt: skip
def test_a_text_that_is_no_identifier_is_refused(text: str) -> None:
    with pytest.raises(DescriptorError):
        pack_identifier(text)


def test_identifiers_are_read_up_to_their_own_end() -> None:
    assert parse_identifier(pack_identifier(TRUSTED_INSTALLER) + b"more") == TRUSTED_INSTALLER
    with pytest.raises(DescriptorError):
        parse_identifier(pack_identifier(ME)[:-1])


def test_ours_lets_in_the_user_and_the_system_and_nothing_from_above() -> None:
    file, folder = (private_descriptor(ME, folder=kind) for kind in (False, True))
    assert file.protected
    assert folder.protected
    assert file.entries == (Entry(ME, FULL), Entry(SYSTEM, FULL))
    assert all(entry.flags == 3 for entry in folder.entries or ())
    assert not strangers(file, READING, {ME, SYSTEM})


@pytest.mark.parametrize(
    "entry,reads,writes",
    [
        (Entry(ME, FULL), False, False),
        (Entry(ADMINISTRATORS, FULL), False, False),
        (Entry(TRUSTED_INSTALLER, FULL), False, False),
        (Entry(OWNER_RIGHTS, FULL), False, False),
        (Entry(USERS, READ_ONLY), True, False),
        (Entry(USERS, 0x20000), False, False),  # may look at the list, at nothing else
        (Entry(EVERYONE, FULL), True, True),
        (Entry(STRANGER, 0x2), False, True),
        (Entry(STRANGER, 0x4), False, True),
        (Entry(STRANGER, 0x10000), True, True),
        (Entry(STRANGER, 0x40000), True, True),
        (Entry(STRANGER, 0x80000), True, True),
        (Entry(STRANGER, 0x10000000), True, True),
        (Entry(STRANGER, 0x80000000), True, False),
        (Entry(STRANGER, FULL, INHERIT_ONLY), False, False),
    ],
)
def test_rights_make_strangers(entry: Entry, reads: bool, writes: bool) -> None:
    found = Descriptor(ME, (entry,))
    friends = {ME, *MANAGERS}
    assert bool(strangers(found, READING, friends)) is reads
    assert bool(strangers(found, CHANGING, friends)) is writes


def test_no_list_lets_everybody_in_and_an_empty_one_nobody() -> None:
    assert strangers(Descriptor(ME, None), READING, {ME}) == (EVERYONE,)
    assert strangers(Descriptor(ME, ()), READING, {ME}) == ()


def test_an_entry_of_an_unknown_kind_is_a_strangers() -> None:
    raw = bytearray(pack_descriptor(Descriptor(ME, (Entry(ME, FULL),))))
    start = struct.unpack_from("<I", raw, 16)[0] + 8
    raw[start] = 5  # an entry for an object's property, with other fields before the identifier
    assert strangers(parse_descriptor(bytes(raw)), READING, {ME})
