"""What holds for every text, well-formed or not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.core.facts import ParseStatus
from defenseclaw.facts.posix import parse
from defenseclaw.facts.posix.syntax.compound import ShellParser
from defenseclaw.facts.posix.syntax.cursor import Ledger, Places
from defenseclaw.facts.posix.syntax.tree import Simple
from tests.facts.posix.rendering import ENV
from tests.facts.posix.shape import check_shape

TOKENS = (
    "a", "rm", "x=1", "y=(", "for i in", "do", "done", "if", "then", "else", "fi", "case", "esac",
    "in", "while", "{", "}", "(", ")", "((", "))", "[[", "]]", ";", ";;", "&", "&&", "|", "||",
    "|&", "\n", " ", "!", "time", "<<E", "<<'E'", "<<-E", "E\n", "<<<", ">", "2>&1", "<(", "&>",
    "$(", "`", "${x", "${x:-", "}", "$x", "$((", "'", '"', "\\", "\\\n", "#", "*", "~", "{a,b}",
    "{1..3}", "@(", "$'", "f()", "function", "coproc", "eval", "read x", "exit", "return", "cd /",
    "set -- a", "trap", "alias a=b", "unset x", "é", "\t", "=", "[", "]", ",",
)  # fmt: skip
PIECES = st.lists(st.sampled_from(TOKENS), max_size=40)
SHELLISH = PIECES.map(" ".join) | PIECES.map("".join)
HOSTILE = (
    "$(", '"$(', "(", "((", "a|", "a | ", "${x:-", '"${x:-', "<<a ", "cat <<E\nx\nE\n", "''", '""',
    "'\"'\"'\"'", "\\a", "`a`", "`", "a ", "a=1 ", "a=1;", "a;", "a&", "a&&", "\n", "#\n", "{a,",
    "{a,b}", "{", "if a;then ", "for i in 1 2 3;do ", "f(){ g;};f;", "case x in a) ", "[[ a && ",
    "$((", "@(a|", "a[", "<(", ">a ", "$a ", "[a", "eval a=1;", "cd a;", "while a;do b;done;",
    "alias a=b;", "x=$x$x;", "[[ ( ", "${a[", "a=(", "$'\\x41", "~ ",
)  # fmt: skip


@given(SHELLISH | st.text(max_size=200))
def test_every_text_gives_a_sound_script(source: str) -> None:
    check_shape(parse(source, ENV))


@given(st.binary(max_size=200))
def test_every_byte_string_gives_a_sound_script(raw: bytes) -> None:
    check_shape(parse(raw.decode("utf-8", "surrogateescape"), ENV))


@given(SHELLISH)
def test_parsing_is_deterministic(source: str) -> None:
    assert parse(source, ENV) == parse(source, ENV)


def simple_commands(node: object) -> Iterator[Simple]:
    """The simple commands below a tree node."""
    if isinstance(node, list | tuple):
        for item in node:
            yield from simple_commands(item)
    elif is_dataclass(node) and not isinstance(node, type):
        if isinstance(node, Simple):
            yield node
        for field in fields(node):
            yield from simple_commands(getattr(node, field.name))


@given(SHELLISH)
def test_no_command_of_a_wellformed_text_is_lost(source: str) -> None:
    # A default that is not used never runs, and is not listed.
    script = parse(source, ENV)
    if script.status is not ParseStatus.COMPLETE or "${" in source or "`" in source:
        return
    parser = ShellParser(source, 0, len(source), Ledger(), Places())
    wanted = {s.start for s in simple_commands(parser.run()) if s.words or s.assigns or s.redirects}
    assert wanted <= {c.start for c in script.commands}


PLAIN = st.text(st.sampled_from("ab/._-é \t$'\"\\*?[]{}~#;&|<>()!`\n,="), min_size=1, max_size=12)


def spellings(text: str) -> list[str]:
    """Ways to write a text as one word."""
    single = "'" + text.replace("'", "'\\''") + "'"
    double = '"' + "".join("\\" + c if c in '"\\$`' else c for c in text) + '"'
    escaped = "".join(f"'{c}'" if c == "\n" else "\\" + c for c in text)
    ansi = "$'" + "".join(f"\\u{ord(c):04x}" for c in text) + "'"
    return [single, double, escaped, ansi, double + "''", '""' + single]


@given(PLAIN)
def test_every_spelling_of_a_word_has_the_same_value(text: str) -> None:
    for spelling in spellings(text):
        script = parse(f'c {spelling}; x={spelling}; d "$x" "${{x}}"', ENV)
        first, _, last = script.commands
        assert [w.value for w in first.words] == ["c", text], spelling
        assert [w.value for w in last.words] == ["d", text, text], spelling
        assert not first.words[1].glob


@given(PLAIN)
def test_printed_text_comes_back(text: str) -> None:
    single = "'" + text.replace("'", "'\\''") + "'"
    words = parse(f'c "$(printf %s {single})"', ENV).commands[0].words
    assert words[1].value == text.rstrip("\n")


class Meter:
    """Counts calls of Python functions."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, frame: FrameType, event: str, arg: object) -> None:
        """Profile hook."""
        self.calls += event in ("call", "c_call")


def effort(source: str) -> int:
    """How many calls a parse takes."""
    meter = Meter()
    before = sys.getprofile()
    sys.setprofile(meter)
    try:
        parse(source, ENV)
    finally:
        sys.setprofile(before)
    return meter.calls


@pytest.mark.parametrize("piece", HOSTILE)
def test_effort_grows_no_faster_than_the_text(piece: str) -> None:
    # Four times the text may cost six times the calls; below every limit, so nothing is cut.
    small, large = piece * (1000 // len(piece)), piece * (4000 // len(piece))
    assert effort(large) <= 6 * effort(small) + 2000


@pytest.mark.parametrize("piece", HOSTILE)
def test_largest_texts_stay_sound(piece: str) -> None:
    check_shape(parse(piece * (65_536 // len(piece.encode())), ENV))
