"""The data home, tokens, executables and package data."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from defenseclaw.errors import ConfigError
from defenseclaw.platform import (
    DataHome,
    UnsafeFileError,
    catalog_files,
    data_home,
    ensure_token,
    file_mode,
    find_executable,
    package_file,
    read_token,
    renew_token,
    rfc3339,
    sha256_of,
    user_home,
)


def test_the_environment_names_the_data_home(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}
    assert data_home(home).root == tmp_path / ".defenseclaw"
    assert data_home({**home, "DEFENSECLAW_HOME": "  "}).root == tmp_path / ".defenseclaw"
    assert data_home({**home, "DEFENSECLAW_HOME": "/a/../b é"}).root == Path("/b é")
    assert user_home(home) == tmp_path


@pytest.mark.parametrize("text", ["relative", "~/x", "/a\nb", "/a\x1b[0m"])
def test_an_unusable_data_home_is_refused(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        data_home({"DEFENSECLAW_HOME": text})
    assert caught.value.hint


def test_every_name_is_inside_the_data_home_and_unlike_the_others() -> None:
    home = DataHome(Path("/h"))
    names = [n for n in dir(DataHome) if isinstance(getattr(DataHome, n), property)]
    paths = [getattr(home, n) for n in names]
    paths += [home.hook_token("x"), home.hook_conf("x"), home.launcher("x")]
    assert len(set(paths)) == len(paths)
    assert all(p.is_relative_to("/h") for p in paths)


def test_the_folders_are_private(tmp_path: Path) -> None:
    home = DataHome(tmp_path / "deep" / "home")
    home.create()
    home.create()
    assert {file_mode(p) for p in (home.root, home.hooks, home.logs, home.backups)} == {0o700}


def test_a_token_is_made_once_and_renewed_on_request(tmp_path: Path) -> None:
    path = tmp_path / "t"
    token = ensure_token(path)
    assert len(token) == 64
    assert set(token) <= set("0123456789abcdef")
    assert file_mode(path) == 0o600
    assert ensure_token(path) == read_token(path) == token
    assert renew_token(path) != token


@pytest.mark.parametrize(
    "content", ["", "abc", "g" * 64, "A" * 64, "a" * 63, "a" * 64 + "\nb", "a" * 5000]
)
def test_a_file_that_holds_no_token_is_refused_and_kept(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t"
    path.write_text(content, encoding="ascii")
    path.chmod(0o600)
    with pytest.raises(UnsafeFileError) as caught:
        ensure_token(path)
    assert path.read_text(encoding="ascii") == content
    assert not content.strip() or content.strip() not in str(caught.value)


def program(path: Path, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="ascii")
    path.chmod(mode)
    return path


def find(tmp_path: Path, *folders: str, cwd: str = "work") -> Path | None:
    (tmp_path / cwd).mkdir(exist_ok=True)
    environment = {"PATH": os.pathsep.join(folders), "HOME": str(tmp_path / "home")}
    return find_executable(("tool", "other"), environment, tmp_path / cwd)


def test_the_first_usable_program_on_the_path_is_found(tmp_path: Path) -> None:
    program(tmp_path / "a" / "tool", 0o644)
    program(tmp_path / "b" / "tool", 0o757)
    (tmp_path / "c" / "tool").mkdir(parents=True)
    wanted = program(tmp_path / "d" / "other")
    program(tmp_path / "e" / "tool")
    folders = ["", ".", "rel", *(str(tmp_path / n) for n in ("none", "a", "b", "c", "d", "e"))]
    assert find(tmp_path, *folders) == wanted


def test_a_linked_program_is_judged_by_its_target(tmp_path: Path) -> None:
    real = program(tmp_path / "lib" / "tool.js")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tool").symlink_to(real)
    assert find(tmp_path, str(tmp_path / "bin")) == tmp_path / "bin" / "tool"
    (tmp_path / "lib").rename(tmp_path / "work")
    (tmp_path / "bin" / "tool").unlink()
    (tmp_path / "bin" / "tool").symlink_to(tmp_path / "work" / "tool.js")
    assert find(tmp_path, str(tmp_path / "bin")) is None


def test_nothing_of_the_whole_repository_is_found(tmp_path: Path) -> None:
    program(tmp_path / "repo" / "bin" / "tool")
    (tmp_path / "repo" / ".git").mkdir()
    assert find(tmp_path, str(tmp_path / "repo" / "bin"), cwd="repo/deep") is None
    assert find(tmp_path, str(tmp_path / "repo" / "bin")) is not None


def test_programs_of_the_user_are_found_from_the_home_itself(tmp_path: Path) -> None:
    wanted = program(tmp_path / "home" / ".local" / "bin" / "tool")
    assert find(tmp_path, str(wanted.parent), cwd="home") == wanted


def test_package_data_is_found() -> None:
    files = catalog_files()
    assert files
    assert all(name.endswith(".yaml") and data for name, data in files.items())
    boot = package_file("hook", "boot.py")
    assert sha256_of(boot) == hashlib.sha256(boot.read_bytes()).hexdigest()


def test_times_are_written_in_utc() -> None:
    assert rfc3339(1_234_567_890_123) == "2009-02-13T23:31:30.123Z"
