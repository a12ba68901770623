"""Short names, older names, and drives that a Unix mounts."""

from __future__ import annotations

import pytest

from defenseclaw.core.tool import Platform
from defenseclaw.facts.labels import Scope, label
from defenseclaw.facts.paths import Place, locate
from defenseclaw.facts.windows.other_names import (
    MAX_READINGS,
    first_name,
    long_names,
    mounted_drive,
    stem,
)

WINDOWS = Scope(Place("C:\\Users\\dana smith\\project", "C:\\Users\\dana smith", Platform.WINDOWS))
LINUX = Scope(Place("/home/dana/project", "/home/dana"))
MOUNTED = Scope(Place("/mnt/c/work/app", "/home/dana"))


def labels(spelling: str, scope: Scope) -> set[str]:
    located = locate(spelling, scope.place)
    return {str(word) for word in label(located.resolved, located.flavor, scope, False)}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (r"C:\PROGRA~1\Git", "in-system-tree"),
        (r"C:\PROGRA~2", "system-tree"),
        (r"C:\Users\DANASM~1", "home-root"),
        (r"C:\Users\DANASM~1\.ssh\id_rsa", "ssh-private-key"),
        (r"C:\Users\DANASM~1\SSH~1\ID_ED2~1", "ssh-private-key"),
        (r"C:\Users\DANASM~1\AppData\Roaming\MICROS~1\Protect\k", "token-store"),
        (r"C:\Users\DANASM~1\DEFENS~1\config.toml", "own-state"),
        (r"C:\Users\DANASM~1\project\build\x", "project"),
        (r"C:\Users\DANASM~1\AppData\Local\Temp\x", "temp"),
        (
            r"C:\Documents and Settings\erin\Application Data\gcloud\access_tokens.db",
            "cloud-credential",
        ),
        (r"C:\Windows\Sysnative\config\SAM", "shadow"),
    ],
)
def test_other_name_is_called_what_it_can_stand_for(path: str, expected: str) -> None:
    assert expected in labels(path, WINDOWS)


def test_the_projects_short_name_is_not_outside() -> None:
    assert "outside" not in labels(r"C:\Users\DANASM~1\project\src", WINDOWS)


def test_unknown_short_names_stay_what_they_are() -> None:
    assert not list(long_names("c:/work/zzzzzz~1/x", ()))
    assert labels(r"C:\work\ZZZZZZ~1", WINDOWS) == {"outside"}


def test_readings_of_many_short_names_are_bounded() -> None:
    many = "/".join(["c:", *["microso~1", "micros~1", "progra~1", "docume~1"] * 40])
    assert len(list(long_names(many, ()))) <= MAX_READINGS


def test_stem_has_six_letters_and_the_suffix() -> None:
    assert stem("Program Files (x86)") == "progra"
    assert stem(".ssh") == "ssh"
    assert stem("My Long Name.config") == "mylong.con"


def test_todays_name_stays() -> None:
    assert first_name("c:/users/dana/appdata/x") == "c:/users/dana/appdata/x"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/mnt/c", "system-root"),
        ("/mnt/c/Windows", "system-tree"),
        ("/mnt/c/Users/dana", "other-home"),
        ("/mnt/d/Users", "outside"),
        ("/mnt/c/Users/dana/.aws/credentials", "cloud-credential"),
        ("/c/Users/dana/.ssh/id_rsa", "ssh-private-key"),
        ("/cygdrive/c/Windows/System32/config/SAM", "shadow"),
    ],
)
def test_a_mounted_drive_holds_what_the_drive_does(path: str, expected: str) -> None:
    assert expected in labels(path, LINUX)


def test_a_project_on_a_mounted_drive_is_the_project() -> None:
    assert labels("src/x", MOUNTED) == {"project"}
    assert "outside" not in labels("build", MOUNTED)


def test_other_folders_are_no_drives() -> None:
    assert [mounted_drive(p) for p in ("/mnt/data/x", "/c/x", "/mnt", "/media/c")] == [""] * 4
