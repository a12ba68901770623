"""The data home, tokens, executables and package data."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from defenseclaw.core.tool import Platform
from defenseclaw.errors import ConfigError
from defenseclaw.platform import (
    DataHome,
    Host,
    data_home,
    file_mode,
    home_problem,
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


@pytest.mark.parametrize(
    "text,platform,said",
    [
        ("C:\\Users\\Zoë O'Neil\\.defenseclaw", Platform.WINDOWS, ""),
        ("C:/Users/x", Platform.WINDOWS, ""),
        ("\\\\host\\share\\x", Platform.WINDOWS, "drive"),
        ("\\\\?\\C:\\x", Platform.WINDOWS, "drive"),
        ("\\\\.\\pipe\\x", Platform.WINDOWS, "drive"),
        ("//host/share/x", Platform.WINDOWS, "drive"),
        ("\\x", Platform.WINDOWS, "drive|absolute"),
        ("C:x", Platform.WINDOWS, "absolute"),
        ("x", Platform.WINDOWS, "absolute"),
        ("C:\\a\nb", Platform.WINDOWS, "printable"),
        ("/home/x", Platform.POSIX, ""),
        ("C:\\x", Platform.POSIX, "absolute"),
    ],
)
def test_a_data_home_is_on_a_drive_of_this_machine(
    text: str, platform: Platform, said: str
) -> None:
    problem = home_problem(text, platform)
    assert bool(problem) is bool(said)
    assert re.search(said, problem)


def test_the_launcher_has_the_name_that_its_system_reads() -> None:
    posix, windows = (DataHome(Path("/h"), host=Host(p)) for p in Platform)
    names = {posix.launcher("x").name, windows.launcher("x").name}
    assert names == {"x.sh", "x.ps1"}
