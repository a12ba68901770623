"""Which files a diff changes, in every notation that the programs accept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.core.facts import OperationKind, PathAccess
from defenseclaw.core.limits import MAX_PATCH_DIRECTIVES
from defenseclaw.facts.typed.diff import Manner, parse_diff

UNIFIED = "--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n"


def paths(text: str, manner: Manner | None = None) -> list[tuple[str, PathAccess]]:
    return [(c.path, c.access) for c in parse_diff(text, manner or Manner())]


@pytest.mark.parametrize(
    ("strip", "name", "path"),
    [
        (0, "a/b/c", "a/b/c"),
        (1, "a/b/c", "b/c"),
        (2, "a/b/c", "c"),
        (9, "a/b/c", "c"),
        (None, "a/b/c", "c"),
        (0, "/etc/x", "/etc/x"),
        (1, "/etc/x", "etc/x"),
        (2, "/etc/x", "x"),
        (1, "a/../../x", "../../x"),
    ],
)
def test_leading_components_are_stripped_as_patch_does(
    strip: int | None, name: str, path: str
) -> None:
    text = UNIFIED.format(old=name, new=name)
    assert paths(text, Manner(strip)) == [(path, PathAccess.WRITE)]


def test_lines_of_a_hunk_are_never_headers() -> None:
    text = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/bait\n+++ b/bait\n keep\n"
    (change,) = parse_diff(text, Manner())
    assert (change.path, change.added) == ("x", ["++ b/bait"])


def test_several_files_without_git_headers() -> None:
    text = UNIFIED.format(old="a/x", new="b/x") + UNIFIED.format(old="a/y", new="b/y")
    assert [path for path, _ in paths(text)] == ["x", "y"]


def test_files_that_come_and_go() -> None:
    text = UNIFIED.format(old="/dev/null", new="b/new") + UNIFIED.format(
        old="a/old", new="/dev/null"
    )
    assert paths(text) == [("new", PathAccess.WRITE), ("old", PathAccess.DELETE)]
    assert paths(text, Manner(reverse=True)) == [
        ("new", PathAccess.DELETE),
        ("old", PathAccess.WRITE),
    ]


def test_reversed_change_adds_nothing_that_is_known() -> None:
    (change,) = parse_diff(UNIFIED.format(old="a/x", new="b/x"), Manner(reverse=True))
    assert change.added == []


def test_renames_and_copies_of_git() -> None:
    text = (
        "diff --git a/x b/y\nrename from x\nrename to y\n"
        "diff --git a/p b/q\ncopy from p\ncopy to q\n"
    )
    moved, copied = parse_diff(text, Manner())
    assert (moved.path, moved.target, moved.operation) == ("x", "y", OperationKind.MOVE)
    assert (copied.path, copied.target) == ("q", "")
    (back, _) = parse_diff(text, Manner(reverse=True))
    assert (back.path, back.target) == ("y", "x")


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ("diff --git a/two words b/two words", "two words"),
        ('diff --git "a/tab\\there" "b/tab\\there"', "tab\there"),
        ('diff --git "a/\\303\\251" "b/\\303\\251"', "é"),
        ('diff --git "a/quote\\"d" "b/quote\\"d"', 'quote"d'),
    ],
)
def test_file_without_text_is_named_by_its_first_line(header: str, path: str) -> None:
    text = f"{header}\nnew file mode 100644\n"
    assert paths(text) == [(path, PathAccess.WRITE)]
    assert paths(f"{header}\ndeleted file mode 100644\n") == [(path, PathAccess.DELETE)]


@pytest.mark.parametrize(
    "text", ["", "\n", "hello", "@@ -1 +1 @@\n-a\n+b", "--- only", "--- \n+++ "]
)
def test_other_text_names_no_file(text: str) -> None:
    assert paths(text) == []


def test_number_of_files_is_bounded() -> None:
    text = "".join(UNIFIED.format(old=f"a/{n}", new=f"b/{n}") for n in range(1000))
    assert len(parse_diff(text, Manner())) == MAX_PATCH_DIRECTIVES + 1


def test_hunk_that_announces_too_much_ends_with_the_text() -> None:
    text = "--- a/x\n+++ b/x\n@@ -1,999999999 +1,999999999 @@\n+b\n"
    assert paths(text) == [("x", PathAccess.WRITE)]


@pytest.mark.parametrize(
    "head",
    [
        'diff --git "a/\\8 x" "b/\\9 y"\n',
        'diff --git "a/\\ x" "b/\\"\n',
        "--- a/x\n+++ b/x\n@@ -1," + "9" * 5000 + " +1 @@\n",
        "--- a/x\n+++ b/x\n@@ -٣,٣ +٣ @@\n",
    ],
)
def test_broken_escapes_and_counts_are_read_over(head: str) -> None:
    assert len(parse_diff(head + "+a\n", Manner())) <= 1


@given(st.text(alphabet='diff-gtab/+@ 0189\\"\n,x\t', max_size=200))
def test_reading_never_fails(text: str) -> None:
    parse_diff("diff --git " + text, Manner())
