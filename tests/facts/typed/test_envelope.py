"""The patch envelope: all of it or nothing."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import IssueCode, PathAccess
from defenseclaw.core.limits import MAX_PATCH_DIRECTIVES
from defenseclaw.facts.typed.envelope import PatchError, from_home, parse_patch, sketch_patch


def envelope(*lines: str) -> str:
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch"))


def test_add_update_delete_and_move() -> None:
    changes = parse_patch(
        envelope(
            "*** Add File: src/n.py",
            "+x = 1",
            "+*** Delete File: bait",
            "*** Update File: a.py",
            "*** Move to: b.py",
            "@@",
            "-old",
            "+new",
            "*** Delete File: c.py",
        )
    )
    assert [(c.path, c.access) for c in changes] == [
        ("src/n.py", PathAccess.WRITE),
        ("a.py", PathAccess.WRITE),
        ("c.py", PathAccess.DELETE),
    ]
    assert changes[0].added == ["x = 1", "*** Delete File: bait"]
    assert (changes[1].target, changes[1].added) == ("b.py", ["new"])


def test_carriage_returns_are_folded() -> None:
    text = envelope("*** Delete File: a").replace("\n", "\r\n") + "\r\n"
    assert parse_patch(text)[0].path == "a"


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["stray"],
        ["*** Add File: /etc/x", "+a"],
        ["*** Add File: C:\\x", "+a"],
        ["*** Add File: ~/x", "+a"],
        ["*** Add File: \\\\s\\x", "+a"],
        ["*** Add File: a", "no plus"],
        ["*** Update File: a", "*** Move to: b"],
        ["*** Update File: a"],
        ["*** Delete File: a", "+x"],
        ["*** Add File: ", "+a"],
        ["*** Add File: a\0", "+a"],
    ],
)
def test_malformed_envelope_is_refused_whole(lines: list[str]) -> None:
    with pytest.raises(PatchError) as caught:
        parse_patch(envelope(*lines))
    assert caught.value.issue is IssueCode.INVALID_SYNTAX


def test_same_file_twice_is_a_conflict() -> None:
    with pytest.raises(PatchError) as caught:
        parse_patch(envelope("*** Add File: d/../a", "+x", "*** Delete File: a"))
    assert caught.value.issue is IssueCode.CONFLICTING_SOURCES


def test_too_many_directives_are_refused() -> None:
    lines = [f"*** Delete File: f{n}" for n in range(MAX_PATCH_DIRECTIVES + 1)]
    with pytest.raises(PatchError) as caught:
        parse_patch(envelope(*lines))
    assert caught.value.issue is IssueCode.FACT_LIMIT


ENVELOPE = "*** Begin Patch\n*** Add File: {path}\n+planted\n*** End Patch"
# What agents apply beyond the reviewed form: never authoritative, and still seen.
UNREVIEWED = {
    "absolute": ENVELOPE,
    "blank lines around": f"\n\n{ENVELOPE}\n\n",
    "carriage returns": ENVELOPE.replace("\n", "\r\n"),
    "in a here-document": f"<<'EOF'\n{ENVELOPE}\nEOF",
    "indented": ENVELOPE.replace("*** ", "  *** "),
}


@pytest.mark.parametrize("form", list(UNREVIEWED))
def test_unreviewed_envelope_still_names_its_file(form: str) -> None:
    text = UNREVIEWED[form].format(path="/home/dev/.ssh/authorized_keys")
    (change,) = sketch_patch(text)
    assert (change.path, change.added) == ("/home/dev/.ssh/authorized_keys", ["planted"])


def test_sketch_of_a_move_and_a_delete_names_both_files() -> None:
    text = "*** Update File: /a\n*** Move to: /b\n+x\n*** Delete File: /c"
    assert [(c.path, c.access.name) for c in sketch_patch(text)] == [
        ("/a", "WRITE"),
        ("/b", "WRITE"),
        ("/c", "DELETE"),
    ]


def test_sketch_of_other_text_is_empty() -> None:
    assert sketch_patch("+ *** Add File\n*** Add File: \nno patch") == []


@pytest.mark.parametrize(
    ("path", "home", "shown"),
    [
        ("/h/u/.bashrc", "/h/u", "~/.bashrc"),
        ("/h/u/.bashrc", "/h/u/", "~/.bashrc"),
        ("/h/user/.bashrc", "/h/u", "/h/user/.bashrc"),
        ("/h/u/.bashrc", "", "/h/u/.bashrc"),
    ],
)
def test_path_below_the_home_is_shown_by_its_sign(path: str, home: str, shown: str) -> None:
    assert from_home(path, home) == shown
