"""Lexical resolution of POSIX and Windows spellings."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import PathFlavor
from defenseclaw.core.tool import Platform
from defenseclaw.facts.paths import Place, clean, glob_split, is_below, locate

POSIX = Place("/w/a", "/home/dev")
TOOL = Place("/w/a", "/home/dev", tilde=True)
WINDOWS = Place("C:\\w", "C:\\Users\\dev", Platform.WINDOWS, tilde=True)


@pytest.mark.parametrize(
    ("spelling", "normalized", "resolved"),
    [
        ("x", "x", "/w/a/x"),
        ("./x//y/.", "x/y", "/w/a/x/y"),
        ("../../etc/passwd", "../../etc/passwd", "/etc/passwd"),
        ("/../..//etc/./x", "/etc/x", "/etc/x"),
        ("~/x", "~/x", "/w/a/~/x"),
        ("a\\b", "a\\b", "/w/a/a\\b"),
        ("HKLM\\SAM", "HKLM\\SAM", "/w/a/HKLM\\SAM"),
    ],
)
def test_posix_spelling(spelling: str, normalized: str, resolved: str) -> None:
    located = locate(spelling, POSIX)
    assert (located.normalized, located.resolved) == (normalized, resolved)


def test_tilde_is_expanded_only_where_nobody_did_it_before() -> None:
    assert locate("~/k", TOOL).resolved == "/home/dev/k"
    assert locate("~bob/k", TOOL).resolved == "/w/a/~bob/k"
    assert locate("~/k", Place("/w", "", tilde=True)).resolved == ""


@pytest.mark.parametrize(
    ("spelling", "resolved"),
    [
        ("x", "C:/w/x"),
        ("..\\x", "C:/x"),
        ("C:x", "C:/w/x"),
        ("D:x", ""),
        ("\\x", "C:/x"),
        ("c:\\a\\..\\b", "C:/b"),
        ("\\\\srv\\share\\a", "//srv/share/a"),
        ("\\\\?\\C:\\a\\b", "C:/a/b"),
        ("/c/Users/dev", "C:/Users/dev"),
        ("~\\x", "C:/Users/dev/x"),
        ("\\\\.\\PhysicalDrive0", "//./PhysicalDrive0"),
        ("c:\\w\\claude.MD", "C:/w/CLAUDE.md"),
        ("sub\\.Aws\\Credentials", "C:/w/sub/.aws/Credentials"),
    ],
)
def test_windows_spelling(spelling: str, resolved: str) -> None:
    assert locate(spelling, WINDOWS).resolved == resolved


def test_windows_spelling_is_one_on_any_platform() -> None:
    located = locate("C:\\Windows\\x", POSIX)
    assert (located.resolved, located.flavor) == ("C:/Windows/x", PathFlavor.WINDOWS)


def test_relative_path_without_a_directory_stays_unresolved() -> None:
    assert locate("x", Place()).resolved == ""


def test_too_long_spelling_is_not_resolved() -> None:
    assert locate("/" + "a" * 5000, POSIX).resolved == ""


def test_clean_is_idempotent_on_odd_input() -> None:
    for text in ("", ".", "..", "/", "//", "a/../..", "/a/b/../../..", "a//b"):
        assert clean(clean(text)) == clean(text)


def test_folder_relations_and_patterns() -> None:
    assert is_below("/etc/x", "/etc")
    assert not is_below("/etcx", "/etc")
    assert is_below("/x", "/")
    assert glob_split("/etc/*/x") == ("/etc", "*/x")
    assert glob_split("/*") == ("/", "*")


def test_a_folder_on_no_drive_is_kept_on_windows() -> None:
    place = Place("/work/project", "C:\\Users\\dev", Platform.WINDOWS)
    assert locate("a\\b.key", place).resolved == "/work/project/a/b.key"
    assert locate("\\a", place).resolved == ""
    assert locate("D:a", place).resolved == ""
