"""The many spellings of one place of Windows."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import PathFlavor
from defenseclaw.core.tool import Platform
from defenseclaw.facts.paths import Place, locate
from defenseclaw.facts.windows.spelling import git_bash_drive, is_stream, tidy

WINDOWS = Place("C:\\Users\\dana\\project", "C:\\Users\\dana", Platform.WINDOWS, tilde=True)
SHELL = Place("/c/Users/dana/project", "/c/Users/dana", Platform.WINDOWS)


@pytest.mark.parametrize(
    ("spelling", "resolved"),
    [
        (r"\\?\C:\a\b", "C:/a/b"),
        (r"\\.\C:\a", "C:/a"),
        (r"\??\C:\a", "C:/a"),
        ("//?/C:/a", "C:/a"),
        (r"\\?\UNC\host\share\a", "//host/share/a"),
        (r"\\localhost\c$\Users\dana", "C:/Users/dana"),
        (r"\\127.0.0.1\D$\a", "D:/a"),
        (r"\\?\UNC\localhost\C$\a", "C:/a"),
        (r"\\localhost\admin$\System32", "C:/Windows/System32"),
        (r"\\host\c$\a", "//host/c$/a"),
        (r"\\srv\share\a", "//srv/share/a"),
        (r"\\?\GLOBALROOT\Device\HarddiskVolumeShadowCopy3\Windows\x", "C:/Windows/x"),
        (r"\\.\GLOBALROOT\Device\Harddisk0\Partition1\x", "C:/x"),
        (r"\\?\Volume{0b1c-2d}\x", "C:/x"),
        (r"\\?\PhysicalDrive0", "//./PhysicalDrive0"),
        (r"\\.\C:", "//./C:"),
        ("//./pipe/docker_engine", "//./pipe/docker_engine"),
        (r"C:\a.\b ", "C:/a/b"),
        (r"C:\a\x.txt:stream", "C:/a/x.txt"),
        ("x.txt::$DATA", "C:/Users/dana/project/x.txt"),
        ("C:/a\\../b", "C:/b"),
        ("D:", "D:/"),
        ("D:x", ""),
        ("//c/Users/dana", "C:/Users/dana"),
        ("/mnt/c/x", "C:/x"),
        ("/cygdrive/d/x", "D:/x"),
        ("NUL", "//./NUL"),
        (r"C:\a\con", "//./con"),
        (r"..\x", "C:/Users/dana/x"),
    ],
)
def test_spelling_leads_to_one_place(spelling: str, resolved: str) -> None:
    assert locate(spelling, WINDOWS).resolved == resolved


@pytest.mark.parametrize(
    ("spelling", "resolved"),
    [
        (r"\\wsl$\Ubuntu\home\dana\x", "/home/dana/x"),
        (r"\\wsl.localhost\Debian\etc\shadow", "/etc/shadow"),
        ("//var/run/docker.sock", "/var/run/docker.sock"),
        ("/etc/hosts", "/etc/hosts"),
    ],
)
def test_what_only_a_unix_has_is_a_path_of_one(spelling: str, resolved: str) -> None:
    located = locate(spelling, WINDOWS)
    assert (located.resolved, located.flavor) == (resolved, PathFlavor.POSIX)


def test_a_shell_of_windows_starts_from_its_own_spelling() -> None:
    assert locate("x", SHELL).resolved == "C:/Users/dana/project/x"
    assert locate("/c/Users", SHELL).resolved == "C:/Users"


def test_only_the_last_name_has_a_stream() -> None:
    assert tidy("/a:b/c:d") == "/a:b/c"
    assert tidy("/:stream") == "/:stream"
    assert tidy("/a/../b") == "/a/../b"


def test_a_device_is_one_in_every_folder_and_case() -> None:
    assert is_stream("C:/x/Nul")
    assert is_stream("lpt1 ")
    assert is_stream("con:")
    assert not is_stream("nul.txt")
    assert not is_stream("console")


def test_what_is_no_drive_stays() -> None:
    for path in ("/etc", "/", "/mnt/data/x", "//c"):
        assert git_bash_drive(path) == path
