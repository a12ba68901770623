"""Files: what may be read, how they are replaced, and what stays when something goes wrong."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from defenseclaw.platform import (
    Trust,
    UnsafeFileError,
    exposed_below,
    exposed_folder,
    file_mode,
    list_names,
    make_parents,
    make_private_dir,
    read_bounded,
    read_optional,
    remove_file,
    replace_keeping_mode,
    resolve_target,
    space_problem,
    sweep_temporaries,
    write_private,
)


def write(path: Path, data: bytes = b"x", mode: int = 0o600) -> Path:
    path.write_bytes(data)
    path.chmod(mode)
    return path


@pytest.mark.parametrize(
    "mode,trusted",
    [(0o600, set(Trust)), (0o644, {Trust.ANY, Trust.OWN}), (0o640, {Trust.ANY, Trust.OWN}),
     (0o660, {Trust.ANY}), (0o602, {Trust.ANY}), (0o604, {Trust.ANY, Trust.OWN})],
)  # fmt: skip
def test_permissions_decide_how_far_a_file_is_trusted(
    tmp_path: Path, mode: int, trusted: set[Trust]
) -> None:
    path = write(tmp_path / "f", mode=mode)
    if Trust.OWN in trusted and os.geteuid() == 0:
        trusted = {*trusted, Trust.SYSTEM}  # the administrator's own files are the system's
    for trust in Trust:
        if trust in trusted:
            assert read_bounded(path, 9, trust) == b"x"
        else:
            with pytest.raises(UnsafeFileError) as caught:
                read_bounded(path, 9, trust)
            assert caught.value.hint


def test_links_are_followed_only_for_foreign_files(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(write(tmp_path / "f"))
    assert read_bounded(link, 9) == b"x"
    for trust in (Trust.OWN, Trust.SECRET):
        with pytest.raises(UnsafeFileError, match="symbolic link"):
            read_bounded(link, 9, trust)


def test_the_limit_is_inclusive(tmp_path: Path) -> None:
    path = write(tmp_path / "f", b"abc")
    assert read_bounded(path, 3) == b"abc"
    with pytest.raises(UnsafeFileError, match="larger than 2"):
        read_bounded(path, 2)


@pytest.mark.parametrize("trust", Trust)
def test_special_files_are_refused_without_waiting(tmp_path: Path, trust: Trust) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(UnsafeFileError):
            read_bounded(path, 9, trust)


def test_a_missing_file_is_told_apart(tmp_path: Path) -> None:
    assert read_optional(tmp_path / "f", 9) is None
    with pytest.raises(FileNotFoundError):
        read_bounded(tmp_path / "f", 9)


def test_a_private_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = write(tmp_path / "f", b"old", 0o644)
    inode = path.stat().st_ino
    write_private(path, b"new")
    assert (path.read_bytes(), file_mode(path)) == (b"new", 0o600)
    assert path.stat().st_ino != inode
    assert list_names(tmp_path) == ["f"]


def test_the_mode_does_not_depend_on_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_private(tmp_path / "a", b"")
        write_private(tmp_path / "b", b"", 0o700)
        make_private_dir(tmp_path / "d" / "e")
        make_parents(tmp_path / "p" / "f")
    finally:
        os.umask(before)
    modes = [file_mode(tmp_path / name) for name in ("a", "b", "d/e", "p")]
    assert modes == [0o600, 0o700, 0o700, 0o700]


def test_a_users_file_keeps_its_mode_and_a_new_one_is_private(tmp_path: Path) -> None:
    old = write(tmp_path / "old", b"1", 0o664)
    replace_keeping_mode(old, b"2")
    replace_keeping_mode(tmp_path / "new", b"2")
    assert (file_mode(old), file_mode(tmp_path / "new")) == (0o664, 0o600)


@pytest.mark.parametrize("writer", [write_private, replace_keeping_mode])
def test_links_and_directories_are_never_replaced(tmp_path: Path, writer: object) -> None:
    target = write(tmp_path / "target", b"1")
    (tmp_path / "link").symlink_to(target)
    (tmp_path / "folder").mkdir()
    for name in ("link", "folder"):
        with pytest.raises(UnsafeFileError, match="not a regular file"):
            writer(tmp_path / name, b"2")  # type: ignore[operator]
    assert target.read_bytes() == b"1"
    assert (tmp_path / "link").is_symlink()


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = write(tmp_path / "f", b"old")
    with pytest.raises(TypeError):
        write_private(path, "text")  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    assert list_names(tmp_path) == ["f"]
    with pytest.raises(UnsafeFileError):
        write_private(tmp_path / "missing" / "f", b"")


def test_leftovers_of_interrupted_writes_are_swept_and_nothing_else(tmp_path: Path) -> None:
    keep = [".config.toml.swp", ".config.toml.tmp", "config.toml", ".other.defenseclaw-1.tmp"]
    for name in [*keep, ".config.toml.defenseclaw-00ff.tmp"]:
        write(tmp_path / name)
    sweep_temporaries(tmp_path / "config.toml")
    assert list_names(tmp_path) == sorted(keep)


def test_a_chain_of_links_ends_at_its_target(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    target = write(tmp_path / "deep" / "t")
    (tmp_path / "b").symlink_to("deep/t")
    (tmp_path / "a").symlink_to(tmp_path / "b")
    assert resolve_target(tmp_path / "a") == target
    assert resolve_target(target) == target
    assert resolve_target(tmp_path / "none") == tmp_path / "none"
    (tmp_path / "dangling").symlink_to("deep/new")
    assert resolve_target(tmp_path / "dangling") == tmp_path / "deep" / "new"


def test_a_circle_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(UnsafeFileError, match="too many"):
        resolve_target(tmp_path / "a")


def test_a_directory_of_ours_is_tightened_and_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir(mode=0o755)
    make_private_dir(tmp_path / "d")
    assert stat.S_IMODE((tmp_path / "d").stat().st_mode) == 0o700
    (tmp_path / "l").symlink_to(tmp_path / "d")
    write(tmp_path / "f")
    for name in ("l", "f"):
        with pytest.raises(UnsafeFileError):
            make_private_dir(tmp_path / name)


def test_removal_says_whether_there_was_anything(tmp_path: Path) -> None:
    path = write(tmp_path / "f")
    assert remove_file(path)
    assert not remove_file(path)
    assert file_mode(path) is None
    assert list_names(tmp_path / "none") == []


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX")
def test_folder_in_which_others_can_replace_a_file_is_found(tmp_path: Path) -> None:
    inner = tmp_path / "shared" / "inner"
    inner.mkdir(parents=True)
    file = inner / "program"
    file.write_text("x")
    assert exposed_folder(file) is None
    (tmp_path / "shared").chmod(0o777)
    assert exposed_folder(file) == tmp_path / "shared"
    link = tmp_path / "link"
    link.symlink_to(file)
    assert exposed_folder(link) == tmp_path / "shared"
    (tmp_path / "shared").chmod(0o1777)  # as temporary folders: only owners replace their files
    assert exposed_folder(file) is None


def test_writable_file_system_has_no_space_problem(tmp_path: Path) -> None:
    assert space_problem(tmp_path) == ""
    assert "cannot be examined" in space_problem(tmp_path / "missing") or os.name == "nt"


def test_what_others_can_change_in_a_folder_is_found(tmp_path: Path) -> None:
    root = tmp_path / "pack"
    (root / "rules").mkdir(parents=True)
    file = root / "rules" / "a.yaml"
    file.write_text("x")
    (root / "link").symlink_to("/tmp")
    assert exposed_below(root) is None
    file.chmod(0o666)
    assert exposed_below(root) == file
    assert exposed_below(root, limit=0) is None
    file.chmod(0o644)
    root.chmod(0o777)
    assert exposed_below(root) == root
    root.chmod(0o755)
    tmp_path.chmod(0o777)
    assert exposed_below(root) == tmp_path
    tmp_path.chmod(0o700)
