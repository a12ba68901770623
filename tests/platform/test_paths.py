"""The data home, tokens, executables and package data."""

from __future__ import annotations

from pathlib import Path

import pytest

from defenseclaw.errors import ConfigError
from defenseclaw.platform import (
    DataHome,
    data_home,
    file_mode,
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
