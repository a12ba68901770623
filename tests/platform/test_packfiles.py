"""A pack's folder on disk: only plain files of its own are read, within bounds."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest

from defenseclaw.core.limits import (
    MAX_PACK_BYTES,
    MAX_PACK_DEPTH,
    MAX_PACK_ENTRIES,
    MAX_PACK_FILE_BYTES,
)
from defenseclaw.errors import RulePackError
from defenseclaw.platform import read_pack


def everything(names: Sequence[str]) -> Sequence[str]:
    return names


def yaml_only(names: Sequence[str]) -> Sequence[str]:
    return [name for name in names if name.endswith(".yaml")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "pack"
    (made / "rules").mkdir(parents=True)
    (made / "rules" / "a.yaml").write_bytes(b"a")
    (made / "README.md").write_bytes(b"r")
    return made


def refusal(root: Path) -> tuple[str, str]:
    with pytest.raises(RulePackError) as refused:
        read_pack(root, yaml_only)
    assert str(root) not in str(refused.value)
    return refused.value.code, refused.value.path


def test_the_chosen_files_are_read_in_the_chosen_order(folder: Path) -> None:
    assert list(read_pack(folder, everything).items()) == [
        ("README.md", b"r"),
        ("rules/a.yaml", b"a"),
    ]
    assert read_pack(folder, yaml_only) == {"rules/a.yaml": b"a"}


def test_only_the_folder_itself_may_be_a_link(folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "current"
    link.symlink_to(folder)
    assert read_pack(link, yaml_only) == {"rules/a.yaml": b"a"}


@pytest.mark.parametrize(
    "name, target",
    [
        ("rules/b.yaml", "a.yaml"),
        ("notes", "README.md"),
        ("judge", "rules"),
        ("rules/gone.yaml", "nowhere"),
        ("loop", "loop"),
    ],
)
def test_a_link_below_refuses_the_pack(folder: Path, name: str, target: str) -> None:
    (folder / name).symlink_to(target)
    assert refusal(folder) == ("file_type", name)


def test_a_named_pipe_is_refused_and_does_not_hold_the_reader_up(folder: Path) -> None:
    os.mkfifo(folder / "rules" / "b.yaml")
    assert refusal(folder) == ("file_type", "rules/b.yaml")


def test_a_socket_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        assert refusal(folder) == ("file_type", "s")


@pytest.mark.parametrize("swap", ["pipe", "link", "folder", "gone", "folder link"])
def test_what_is_swapped_in_after_the_inventory_is_not_read(folder: Path, swap: str) -> None:
    victim = folder / "rules" / "a.yaml"

    def select(names: Sequence[str]) -> Sequence[str]:
        victim.unlink()
        if swap == "pipe":
            os.mkfifo(victim)
        elif swap == "link":
            victim.symlink_to("/etc/hostname")
        elif swap == "folder":
            victim.mkdir()
        elif swap == "folder link":
            victim.parent.rmdir()
            victim.parent.symlink_to("/etc")
        return yaml_only(names)

    with pytest.raises(RulePackError) as refused:
        read_pack(folder, select)
    expected = "file_unreadable" if swap == "gone" else "file_type"
    assert (refused.value.code, refused.value.path) == (expected, "rules/a.yaml")


def test_sizes_are_bounded(folder: Path) -> None:
    big = folder / "rules" / "a.yaml"
    big.write_bytes(b"x" * MAX_PACK_FILE_BYTES)
    assert len(read_pack(folder, yaml_only)["rules/a.yaml"]) == MAX_PACK_FILE_BYTES
    for number in range(MAX_PACK_BYTES // MAX_PACK_FILE_BYTES):
        (folder / "rules" / f"b{number}.yaml").write_bytes(b"x" * MAX_PACK_FILE_BYTES)
    assert refusal(folder) == ("aggregate_size_limit", ".")
    big.write_bytes(b"x" * (MAX_PACK_FILE_BYTES + 1))
    assert refusal(folder) == ("file_size_limit", "rules/a.yaml")


def test_other_files_are_counted_and_not_read(folder: Path) -> None:
    (folder / "data.bin").write_bytes(b"x" * (MAX_PACK_BYTES + 1))
    for number in range(MAX_PACK_ENTRIES - 4):
        (folder / f"n{number}").touch()
    assert read_pack(folder, yaml_only) == {"rules/a.yaml": b"a"}
    (folder / "one-more").mkdir()
    assert refusal(folder) == ("inventory_limit", ".")


def test_depth_is_bounded(folder: Path) -> None:
    place = folder
    for _ in range(MAX_PACK_DEPTH + 2):
        place /= "d"
        place.mkdir()
    assert refusal(folder)[0] == "inventory_limit"


def test_a_folder_that_is_none(folder: Path, tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere") == ("directory_not_found", ".")
    assert refusal(folder / "README.md") == ("not_directory", ".")
    assert refusal(folder / "README.md" / "x") == ("not_directory", ".")
    assert refusal(Path("a\0b")) == ("directory_not_found", ".")
    (tmp_path / "loop").symlink_to("loop")
    assert refusal(tmp_path / "loop") == ("directory_unreadable", ".")


def test_names_that_are_no_text_are_not_shown(folder: Path) -> None:
    os.symlink("x", os.fsencode(folder / "rules") + b"/\xff.yaml")
    assert refusal(folder) == ("file_type", ".")


def test_no_descriptor_is_left_open(folder: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for _ in range(5):
        read_pack(folder, everything)
        (folder / "link").symlink_to("x")
        refusal(folder)
        (folder / "link").unlink()
    after = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    assert after == before


def test_unreadable_places_are_named(folder: Path) -> None:
    """By a name that is too long for the system: tests may run as a user who can read all."""
    name = "x" * 300 + ".yaml"
    with pytest.raises(RulePackError) as refused:
        read_pack(folder, lambda _names: [name])
    assert refused.value.code == "file_unreadable"
