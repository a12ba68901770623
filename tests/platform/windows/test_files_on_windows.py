"""Files on Windows: what only its owners, lists, links and sharing can do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from defenseclaw.platform.fs import read_bounded, replace_keeping_mode, write_private
from defenseclaw.platform.trust import Owner, Trust, UnsafeFileError
from defenseclaw.platform.windows.descriptor import (
    ADMINISTRATORS,
    FULL,
    SYSTEM,
    TRUSTED_INSTALLER,
    Descriptor,
    Entry,
    private_descriptor,
)
from defenseclaw.platform.windows.files import WindowsFiles
from tests.harness.windows import ME, PROFILE, READ_ONLY, STRANGER, USERS, FakeWindows

MANAGED = Descriptor(
    ADMINISTRATORS,
    (Entry(SYSTEM, FULL), Entry(ADMINISTRATORS, FULL), Entry(USERS, READ_ONLY)),
)


def no_pause(_seconds: float) -> None:
    """Tests do not wait."""


def files_of(fake: FakeWindows) -> WindowsFiles:
    return WindowsFiles(fake, pause=no_pause)


@pytest.fixture
def fake() -> FakeWindows:
    return FakeWindows()


@pytest.fixture
def files(fake: FakeWindows) -> WindowsFiles:
    return files_of(fake)


def test_the_list_is_there_before_any_content(
    fake: FakeWindows, files: WindowsFiles, tmp_path: Path
) -> None:
    fake.default = Descriptor(ME, None)  # a folder in which everybody may do everything
    write_private(tmp_path / "f", b"secret", files=files)
    made = [call for call in fake.calls if call[0] == "open new"]
    assert len(made) == 1
    assert fake.list_of(tmp_path / "f") == private_descriptor(ME, folder=False)


def test_a_file_system_without_protection_is_refused(fake: FakeWindows, tmp_path: Path) -> None:
    fake.default, fake.keeps_lists = Descriptor(ME, None), False
    with pytest.raises(UnsafeFileError, match="does not keep it private"):
        write_private(tmp_path / "f", b"secret", files=files_of(fake))
    with pytest.raises(UnsafeFileError, match="does not keep it private"):
        files_of(fake).make_private_dir(tmp_path / "d")
    assert not (tmp_path / "f").exists()
    assert [p.name for p in tmp_path.iterdir()] == ["d"]


def test_a_file_that_gets_another_owner_is_refused(fake: FakeWindows, tmp_path: Path) -> None:
    fake.keeps_owner = STRANGER
    with pytest.raises(UnsafeFileError, match="belongs to another user"):
        write_private(tmp_path / "f", b"x", files=files_of(fake))


@pytest.mark.parametrize("owner", [STRANGER, ADMINISTRATORS, SYSTEM])
def test_another_owners_file_is_neither_ours_nor_replaced(
    fake: FakeWindows, files: WindowsFiles, tmp_path: Path, owner: str
) -> None:
    path = tmp_path / "f"
    write_private(path, b"x", files=files)
    fake.set(path, replace(fake.list_of(path), owner=owner))
    for trust in (Trust.OWN, Trust.SECRET):
        with pytest.raises(UnsafeFileError, match="belongs to another user"):
            read_bounded(path, 9, trust, files=files)
    with pytest.raises(UnsafeFileError, match="belongs to another user"):
        write_private(path, b"y", files=files)
    folder = tmp_path / "d"
    files.make_private_dir(folder)
    fake.set(folder, replace(fake.list_of(folder), owner=owner))
    with pytest.raises(UnsafeFileError, match="belongs to another user"):
        files.make_private_dir(folder)


def test_what_a_profile_hands_down_is_private_enough_to_read(
    fake: FakeWindows, files: WindowsFiles, tmp_path: Path
) -> None:
    (tmp_path / "f").write_bytes(b"x")  # the profile's own list: the user, the system, managers
    assert read_bounded(tmp_path / "f", 9, Trust.SECRET, files=files) == b"x"
    assert files.file_mode(tmp_path / "f") == 0o600


def test_a_folder_with_more_than_the_user_and_the_system_is_tightened(
    fake: FakeWindows, files: WindowsFiles, tmp_path: Path
) -> None:
    (tmp_path / "d").mkdir()
    files.make_private_dir(tmp_path / "d")
    files.make_private_dir(tmp_path / "d")
    assert [c for c, _ in fake.calls].count("set_access") == 1
    assert fake.list_of(tmp_path / "d") == private_descriptor(ME, folder=True)


def test_a_link_anywhere_on_the_way_is_refused(files: WindowsFiles, tmp_path: Path) -> None:
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "junction").symlink_to(tmp_path / "real")
    path = tmp_path / "junction" / "inner" / "f"
    path.write_bytes(b"x")
    for act in (
        lambda: write_private(path, b"y", files=files),
        lambda: replace_keeping_mode(path, b"y", files=files),
        lambda: read_bounded(path, 9, Trust.OWN, files=files),
        lambda: files.make_private_dir(path.parent / "d"),
    ):
        with pytest.raises(UnsafeFileError, match="through a link"):
            act()
    assert read_bounded(path, 9, files=files) == b"x"
    assert files.owner_of(path) is Owner.OTHER


@pytest.mark.parametrize("call", ["move", "exchange"])
@pytest.mark.parametrize("code", [5, 32, 33])
def test_a_file_in_use_is_tried_again_for_a_while(
    fake: FakeWindows, files: WindowsFiles, tmp_path: Path, call: str, code: int
) -> None:
    path = tmp_path / "f"
    write_private(path, b"1", files=files)
    writer = write_private if call == "move" else replace_keeping_mode
    fake.plant(call, "f", [code] * 3)
    writer(path, b"2", files=files)
    assert path.read_bytes() == b"2"
    fake.plant(call, "f", [code] * 99)
    with pytest.raises(UnsafeFileError, match="cannot be written"):
        writer(path, b"3", files=files)
    assert path.read_bytes() == b"2"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_another_error_is_not_tried_again(
    fake: FakeWindows, files: WindowsFiles, tmp_path: Path
) -> None:
    write_private(tmp_path / "f", b"1", files=files)
    fake.plant("move", "f", [87, 87])
    with pytest.raises(UnsafeFileError):
        write_private(tmp_path / "f", b"2", files=files)
    assert fake.planted["move", "f"] == [87]


@pytest.mark.parametrize("code", [1176, 1177])
def test_an_exchange_that_lost_the_old_file_is_completed(
    fake: FakeWindows, files: WindowsFiles, tmp_path: Path, code: int
) -> None:
    write_private(tmp_path / "f", b"1", files=files)
    fake.plant("exchange", "f", [code])
    replace_keeping_mode(tmp_path / "f", b"2", files=files)
    assert (tmp_path / "f").read_bytes() == b"2"


@pytest.mark.parametrize("trust", Trust)
@pytest.mark.parametrize("code,said", [(5, "cannot be opened"), (32, "in use by another program")])
def test_a_file_that_cannot_be_opened_says_why(
    fake: FakeWindows, tmp_path: Path, trust: Trust, code: int, said: str
) -> None:
    (tmp_path / "f").write_bytes(b"x")
    fake.plant("open follow" if trust is Trust.ANY else "open read", "f", [code])
    with pytest.raises(UnsafeFileError, match=said):
        read_bounded(tmp_path / "f", 9, trust, files=files_of(fake))


def test_protection_that_cannot_be_read_is_no_protection(
    fake: FakeWindows, files: WindowsFiles, tmp_path: Path
) -> None:
    (tmp_path / "f").write_bytes(b"x")
    fake.plant("security_of", "f", [5] * 9)
    assert files.file_mode(tmp_path / "f") == 0o606
    with pytest.raises(UnsafeFileError, match="protection that cannot be read"):
        read_bounded(tmp_path / "f", 9, Trust.OWN, files=files)
    with pytest.raises(UnsafeFileError, match="cannot be examined"):
        write_private(tmp_path / "f", b"y", files=files)
    assert files.owner_of(tmp_path / "f") is Owner.OTHER


@pytest.mark.parametrize("call", ["make_folder", "facts"])
def test_a_folder_that_cannot_be_made_says_so(
    fake: FakeWindows, files: WindowsFiles, tmp_path: Path, call: str
) -> None:
    fake.plant(call, "d", [5] * 5)
    with pytest.raises(UnsafeFileError, match="cannot be"):
        files.make_private_dir(tmp_path / "d")


def test_a_folder_that_cannot_be_tightened_is_refused(
    fake: FakeWindows, files: WindowsFiles, tmp_path: Path
) -> None:
    (tmp_path / "d").mkdir()
    fake.plant("set_access", "d", [5])
    with pytest.raises(UnsafeFileError, match="cannot be protected"):
        files.make_private_dir(tmp_path / "d")


@pytest.mark.parametrize(
    "folder,file,owner",
    [
        (MANAGED, MANAGED, Owner.SYSTEM),
        (replace(MANAGED, owner=SYSTEM), replace(MANAGED, owner=TRUSTED_INSTALLER), Owner.SYSTEM),
        (MANAGED, PROFILE, Owner.OTHER),
        (MANAGED, replace(MANAGED, owner=ME), Owner.OTHER),
        (MANAGED, replace(MANAGED, owner=STRANGER), Owner.OTHER),
        (MANAGED, Descriptor(ADMINISTRATORS, None), Owner.OTHER),
        (MANAGED, Descriptor(ADMINISTRATORS, (Entry(USERS, 0x2),)), Owner.OTHER),
        (MANAGED, Descriptor(ADMINISTRATORS, (Entry(ME, 0x40000),)), Owner.OTHER),
        # Users may add files beside it, as in every folder of programs' data: not replace it.
        (Descriptor(SYSTEM, (Entry(USERS, 0x6),)), MANAGED, Owner.SYSTEM),
        (Descriptor(SYSTEM, (Entry(USERS, 0x40),)), MANAGED, Owner.OTHER),
        (replace(MANAGED, owner=ME), MANAGED, Owner.OTHER),
    ],
)
def test_an_administrators_file_has_such_an_owner_and_nobody_else_writes(
    fake: FakeWindows, tmp_path: Path, folder: Descriptor, file: Descriptor, owner: Owner
) -> None:
    files = files_of(fake)
    path = tmp_path / "DefenseClaw" / "policy.toml"
    path.parent.mkdir()
    assert files.owner_of(path) is Owner.NOBODY
    path.write_bytes(b"version = 1\n")
    fake.set(path.parent, folder)
    fake.set(path, file)
    assert files.owner_of(path) is owner
    if owner is Owner.SYSTEM:
        assert read_bounded(path, 99, Trust.SYSTEM, files=files)
    elif file != MANAGED:
        with pytest.raises(UnsafeFileError):
            read_bounded(path, 99, Trust.SYSTEM, files=files)


@pytest.mark.parametrize(
    "rights,beside,above",
    [(0x40, True, True), (0x10000, True, True), (0x40000, True, True), (0x2, True, False),
     (0x4, False, False), (READ_ONLY, False, False)],
)  # fmt: skip
def test_rights_in_a_folder_expose_what_lies_in_it(
    fake: FakeWindows, tmp_path: Path, rights: int, beside: bool, above: bool
) -> None:
    files = files_of(fake)
    inner = tmp_path / "a"
    files.make_private_dir(inner)
    open_one = Descriptor(SYSTEM, (Entry(USERS, rights),))
    fake.set(inner, open_one)
    assert (files.exposed_folder(inner / "f") == inner) is beside
    files.make_private_dir(tmp_path / "b" / "c")
    fake.set(tmp_path / "b", open_one)
    assert (files.exposed_folder(tmp_path / "b" / "c" / "f") == tmp_path / "b") is above


def test_a_folder_of_another_user_exposes_what_lies_in_it(
    fake: FakeWindows, files: WindowsFiles, tmp_path: Path
) -> None:
    fake.set(tmp_path, Descriptor(STRANGER, ()))
    assert files.exposed_folder(tmp_path / "f") == tmp_path
