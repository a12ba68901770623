"""What both systems promise about files: the same tests over the real one and the stand-in."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from defenseclaw.platform.fs import (
    exposed_below,
    read_bounded,
    replace_keeping_mode,
    write_private,
)
from defenseclaw.platform.posix.files import PosixFiles
from defenseclaw.platform.trust import Files, Trust, UnsafeFileError
from defenseclaw.platform.windows.descriptor import Descriptor, Entry
from defenseclaw.platform.windows.files import WindowsFiles
from tests.harness.windows import ME, PROFILE, READ_ONLY, USERS, FakeWindows

OPEN_RIGHTS = {0o604: READ_ONLY, 0o602: 0x2, 0o606: READ_ONLY | 0x2}


class Twin:
    """One system's files, and how others are let in there."""

    def __init__(self, files: Files, share: Callable[[Path, int], None]) -> None:
        self.files, self.share = files, share


@pytest.fixture(params=["posix", "windows"])
def twin(request: pytest.FixtureRequest) -> Twin:
    """Each system in turn."""
    if request.param == "posix":
        return Twin(PosixFiles(), lambda path, mode: path.chmod(mode))
    fake = FakeWindows()

    def share(path: Path, mode: int) -> None:
        rights = OPEN_RIGHTS[mode & 0o606]
        entries = (*(PROFILE.entries or ()), Entry(USERS, rights, 3))
        fake.set(path, Descriptor(ME, entries))

    return Twin(WindowsFiles(fake), share)


def test_a_private_file_is_private_at_once_and_replaced_as_a_whole(
    twin: Twin, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    twin.files.make_private_dir(home)
    path = home / "f"
    for data in (b"one", b"two"):
        write_private(path, data, files=twin.files)
        assert read_bounded(path, 9, Trust.SECRET, files=twin.files) == data
        assert twin.files.file_mode(path) == 0o600
    assert [entry.name for entry in home.iterdir()] == ["f"]


@pytest.mark.parametrize("mode,trusted", [(0o604, {Trust.OWN}), (0o602, set()), (0o606, set())])
def test_what_others_may_do_decides_how_far_a_file_is_trusted(
    twin: Twin, tmp_path: Path, mode: int, trusted: set[Trust]
) -> None:
    path = tmp_path / "f"
    write_private(path, b"x", files=twin.files)
    twin.share(path, mode)
    assert twin.files.file_mode(path) == mode
    assert read_bounded(path, 9, files=twin.files) == b"x"
    for trust in (Trust.OWN, Trust.SECRET):
        if trust in trusted:
            assert read_bounded(path, 9, trust, files=twin.files) == b"x"
        else:
            with pytest.raises(UnsafeFileError, match="by other users"):
                read_bounded(path, 9, trust, files=twin.files)


def test_links_are_followed_only_for_foreign_files(twin: Twin, tmp_path: Path) -> None:
    write_private(tmp_path / "f", b"x", files=twin.files)
    (tmp_path / "link").symlink_to(tmp_path / "f")
    assert read_bounded(tmp_path / "link", 9, files=twin.files) == b"x"
    for trust in (Trust.OWN, Trust.SECRET):
        with pytest.raises(UnsafeFileError, match="symbolic link"):
            read_bounded(tmp_path / "link", 9, trust, files=twin.files)


@pytest.mark.parametrize("writer", [write_private, replace_keeping_mode])
def test_links_and_folders_are_never_replaced(
    twin: Twin, tmp_path: Path, writer: Callable[..., None]
) -> None:
    write_private(tmp_path / "target", b"x", files=twin.files)
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "folder").mkdir()
    for name in ("link", "folder"):
        with pytest.raises(UnsafeFileError, match="not a regular file"):
            writer(tmp_path / name, b"y", files=twin.files)
    assert (tmp_path / "target").read_bytes() == b"x"


def test_a_users_file_keeps_who_may_read_it_and_a_new_one_is_private(
    twin: Twin, tmp_path: Path
) -> None:
    old = tmp_path / "old"
    write_private(old, b"1", files=twin.files)
    twin.share(old, 0o604)
    replace_keeping_mode(old, b"2", files=twin.files)
    replace_keeping_mode(tmp_path / "new", b"2", files=twin.files)
    assert (old.read_bytes(), twin.files.file_mode(old)) == (b"2", 0o604)
    assert twin.files.file_mode(tmp_path / "new") == 0o600


def test_a_folder_of_ours_is_made_with_those_above_it_or_tightened(
    twin: Twin, tmp_path: Path
) -> None:
    folder = tmp_path / "a" / "b"
    twin.files.make_private_dir(folder)
    assert twin.files.file_mode(folder) == 0o700
    twin.share(folder, 0o706 if isinstance(twin.files, WindowsFiles) else 0o755)
    assert twin.files.file_mode(folder) != 0o700
    twin.files.make_private_dir(folder)
    assert twin.files.file_mode(folder) == 0o700


def test_a_link_or_a_file_is_no_folder_of_ours(twin: Twin, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").write_bytes(b"")
    for name in ("link", "file"):
        with pytest.raises(UnsafeFileError, match="not a directory of its own"):
            twin.files.make_private_dir(tmp_path / name)


def test_parents_of_a_users_file_are_private_where_they_are_new(twin: Twin, tmp_path: Path) -> None:
    twin.files.make_parents(tmp_path / "p" / "q" / "f")
    twin.files.make_parents(tmp_path / "p" / "q" / "f")
    assert twin.files.file_mode(tmp_path / "p" / "q") == 0o700


def test_a_missing_file_is_told_apart(twin: Twin, tmp_path: Path) -> None:
    assert twin.files.file_mode(tmp_path / "f") is None
    assert twin.files.target_problem(tmp_path / "f") == ""
    for trust in Trust:
        with pytest.raises(FileNotFoundError):
            read_bounded(tmp_path / "f", 9, trust, files=twin.files)


def test_what_others_may_change_below_a_folder_is_found(twin: Twin, tmp_path: Path) -> None:
    root = tmp_path / "pack"
    twin.files.make_private_dir(root / "rules")
    write_private(root / "rules" / "f", b"", files=twin.files)
    assert exposed_below(root, files=twin.files) is None
    twin.share(root / "rules" / "f", 0o602)
    assert exposed_below(root, files=twin.files) == root / "rules" / "f"


def test_a_folder_in_which_others_replace_things_is_found(twin: Twin, tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    twin.files.make_private_dir(inner)
    assert twin.files.exposed_folder(inner / "f") is None
    twin.share(inner, 0o602 if isinstance(twin.files, WindowsFiles) else 0o777)
    assert twin.files.exposed_folder(inner / "f") == inner


def test_a_lock_file_is_made_private_and_opened_again(twin: Twin, tmp_path: Path) -> None:
    for _ in range(2):
        os.close(twin.files.open_private(tmp_path / "lock", os.O_RDWR | os.O_CREAT))
    assert twin.files.file_mode(tmp_path / "lock") == 0o600
    (tmp_path / "link").symlink_to(tmp_path / "lock")
    with pytest.raises(OSError, match=r"symbolic|code|Too many"):
        twin.files.open_private(tmp_path / "link", os.O_RDWR | os.O_CREAT)
