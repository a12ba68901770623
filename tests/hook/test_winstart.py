"""Owners and lists on Windows, as the hook client reads them without our other packages."""

from __future__ import annotations

from pathlib import PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.hook import winstart
from defenseclaw.platform.windows import descriptor as full
from defenseclaw.platform.windows.locks import mutex_name
from defenseclaw.platform.windows.processes import BREAKAWAY, NEW_GROUP, NO_WINDOW

ME, STRANGER = "S-1-5-21-1-2-3-1001", "S-1-5-21-1-2-3-1002"
OWN = full.pack_identifier(ME)
TRUSTEES = st.sampled_from([ME, STRANGER, *full.MANAGERS, full.OWNER_RIGHTS, full.EVERYONE])
RIGHTS = st.sampled_from([0x1, 0x2, 0x4, 0x40, 0x10000, 0x40000, 0x80000, 0x10000000, 0x40000000])
ENTRIES = st.builds(full.Entry, TRUSTEES, RIGHTS, st.sampled_from([0, 3, 0x08, 0x10, 0x0B]))
DESCRIPTORS = st.builds(
    full.Descriptor, TRUSTEES, st.none() | st.lists(ENTRIES, max_size=4).map(tuple), st.booleans()
)


@given(DESCRIPTORS)
def test_the_client_judges_as_the_commands_do(found: full.Descriptor) -> None:
    friends = {ME, *full.MANAGERS}
    safe = found.owner in friends and not full.strangers(found, full.CHANGING, friends)
    assert winstart.is_ours(full.pack_descriptor(found), OWN) is safe


@given(st.binary(max_size=120))
def test_any_bytes_are_judged(raw: bytes) -> None:
    winstart.is_ours(raw, OWN)


@given(DESCRIPTORS, st.integers(0, 300))
def test_a_descriptor_that_is_cut_short_is_never_ours(found: full.Descriptor, at: int) -> None:
    raw = full.pack_descriptor(found)
    cut = raw[: at % len(raw)]
    assert not winstart.is_ours(cut, OWN) or found.entries == ()


def test_an_entry_of_an_unknown_kind_is_a_strangers() -> None:
    raw = bytearray(full.pack_descriptor(full.Descriptor(ME, (full.Entry(ME, 0x2),))))
    assert winstart.is_ours(bytes(raw), OWN)
    raw[int.from_bytes(raw[16:20], "little") + 8] = 5
    assert not winstart.is_ours(bytes(raw), OWN)


def test_names_and_descriptors_are_those_of_the_commands() -> None:
    home = "C:\\Users\\Zoë O'Neil\\.DefenseClaw"
    assert winstart.lock_name(home) == mutex_name(PureWindowsPath(home))  # type: ignore[arg-type]
    assert winstart.private(OWN) == full.pack_descriptor(full.private_descriptor(ME, folder=False))
    managers = [full.SYSTEM, full.ADMINISTRATORS, full.TRUSTED_INSTALLER]
    assert list(winstart.MANAGERS) == list(map(full.pack_identifier, managers))
    assert full.pack_identifier(full.OWNER_RIGHTS) == winstart.OWNER_RIGHTS
    assert winstart.CHANGING == full.CHANGING
    flags = (winstart.NO_WINDOW, winstart.NEW_GROUP, winstart.BREAKAWAY)
    assert flags == (NO_WINDOW, NEW_GROUP, BREAKAWAY)


@pytest.mark.parametrize(
    "path", ["", "x", "/usr/bin/python3", "\\\\server\\share\\p.exe", "\\\\?\\C:\\p.exe", "C:p.exe"]
)
def test_only_a_path_on_a_drive_can_be_safe(path: str) -> None:
    assert not winstart.is_safe(path)
