"""Where agents' files are, on either system."""

from __future__ import annotations

import pytest

from defenseclaw.connectors import CONNECTORS, config_folders, environment_of
from defenseclaw.core.tool import Platform


@pytest.mark.parametrize(
    ("platform", "home", "joined"),
    [
        (Platform.POSIX, "/home/dev", "/home/dev/{}"),
        (Platform.WINDOWS, "C:\\Users\\dev", "C:\\Users\\dev\\{}"),
    ],
)
def test_a_folder_is_the_chosen_one_or_the_agents_default(
    platform: Platform, home: str, joined: str
) -> None:
    folders = config_folders(dict.fromkeys(CONNECTORS, ""), home, platform)
    for key, connector in CONNECTORS.items():
        below = connector.registration.home_default
        if platform is Platform.WINDOWS:
            below = below.replace("/", "\\")
        assert folders[key] == joined.format(below)
    chosen = config_folders({"nobody": "", next(iter(CONNECTORS)): "/x"}, home, platform)
    assert chosen == {next(iter(CONNECTORS)): "/x"}


def test_the_environment_knows_every_file_that_holds_a_registration_and_our_own_places() -> None:
    folders = config_folders(dict.fromkeys(CONNECTORS, ""), "/home/dev", Platform.POSIX)
    environment = environment_of(folders, "/home/dev", ("/data",), Platform.POSIX)
    assert (environment.home, environment.own_paths) == ("/home/dev", ("/data",))
    for key, connector in CONNECTORS.items():
        for name in connector.registration.files.values():
            assert f"{folders[key]}/{name}" in environment.hook_paths
    assert len(set(environment.hook_paths)) == len(environment.hook_paths)
