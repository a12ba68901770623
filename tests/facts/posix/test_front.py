"""The whole front end: places in the source, limits, and what surroundings change."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import ByteKind, Dialect, IssueCode, ParseStatus
from defenseclaw.facts.posix import ShellEnv, parse
from defenseclaw.facts.script import Word
from tests.facts.posix.rendering import ENV, shown, values


def covered(source: str, kind: ByteKind) -> list[str]:
    """The source text of the spans of one kind."""
    return [source[s.start : s.end] for s in parse(source, ENV).spans if s.kind is kind]


def test_empty_text_is_complete_and_has_no_commands() -> None:
    script = parse("", ENV)
    assert (script.status, script.dialect) == (ParseStatus.COMPLETE, Dialect.POSIX)
    assert script.commands == []


def test_comments_are_spans() -> None:
    assert covered("a # one\n#two\necho '#no' x#no", ByteKind.COMMENT) == ["# one", "#two"]


def test_heredoc_bodies_are_spans_without_the_code_in_them() -> None:
    source = "cat <<E\nsome $(date) text\nE\n"
    assert covered(source, ByteKind.UNKNOWN) == ["some ", " text\n"]


def test_quoted_heredoc_body_is_one_span() -> None:
    assert covered("cat <<'E'\n$(rm x)\nE\n", ByteKind.UNKNOWN) == ["$(rm x)\n"]


def test_here_string_is_a_span() -> None:
    assert covered("bash <<< 'rm x'", ByteKind.UNKNOWN) == ["'rm x'"]


def test_code_ranges_are_the_outermost_substitutions() -> None:
    source = 'a "$(b $(c))" `d` <(e) $((1 + $(f)))'
    ranges = [source[start:end] for start, end in parse(source, ENV).code_ranges]
    assert ranges == ["$(b $(c))", "`d`", "<(e)", "$(f)"]


def test_words_and_commands_know_their_place() -> None:
    source = "x=1 rm  'a b' | cat"
    first, second = parse(source, ENV).commands
    assert source[first.start : first.end] == "x=1 rm  'a b'"
    assert [source[w.start : w.end] for w in first.words] == ["rm", "'a b'"]
    assert source[second.start : second.end] == "cat"


def test_code_in_escaped_backquotes_has_the_place_of_the_backquotes() -> None:
    source = r"a `b \`c d\`` e"
    inner = parse(source, ENV).commands[2]
    assert inner.words[0].value == "c"
    assert source[inner.start : inner.end] == r"`b \`c d\``"
    assert {source[w.start : w.end] for w in inner.words} == {r"`b \`c d\``"}


def test_ids_start_where_the_caller_says() -> None:
    script = parse("a | b $(c)", ShellEnv(first_id=40))
    assert [c.id for c in script.commands] == [40, 41, 42]
    assert script.commands[1].stdin_from == (40,)
    assert script.commands[2].parent_id == 41


def test_variables_and_arguments_come_from_the_surroundings() -> None:
    env = ShellEnv(variables={"A": "/a", "B": None}, arguments=(Word("one"), Word(None)))
    words = parse('c $A "$B" $1 "$2" $3', env).commands[0].words
    assert [w.value for w in words] == ["c", "/a", None, "one", None]


def test_without_arguments_positional_parameters_are_unknown() -> None:
    assert parse('c "$1"', ShellEnv()).commands[0].words[1].value is None


def test_unknown_home_keeps_the_tilde() -> None:
    words = parse('c ~/.ssh "$HOME/x"', ShellEnv()).commands[0].words
    assert [w.value for w in words] == ["c", "~/.ssh", "~/x"]


def test_unknown_directory_is_followed_relative_to_itself() -> None:
    commands = parse("cd a; b; cd /c; d", ShellEnv()).commands
    assert [c.cwd for c in commands] == ["", "a", "a", "/c"]


def test_commands_carry_the_variables_before_them() -> None:
    script = parse("a=1; export b=2; c=3 bash -c x; trap y EXIT", ENV)
    shell, trap = script.commands[2], script.commands[3]
    assert dict(shell.variables) == {"a": "1", "b": "2", "c": "3"}
    assert shell.exported == {"b", "c"}
    assert dict(trap.variables) == {"a": "1", "b": "2"}
    assert script.variables == {"a": "1", "b": "2"}


def test_functions_name_the_commands_of_their_bodies() -> None:
    script = parse("f() { a; b; }; g() { c; }; f", ENV)
    assert script.functions == {"f": (2, 3), "g": (4,)}
    assert [c.reached for c in script.commands] == [True, True, True, False]


def test_text_over_the_byte_limit_is_refused() -> None:
    script = parse("é" * 32_769, ENV)
    assert script.status is ParseStatus.LIMIT_EXCEEDED
    assert script.issues == [IssueCode.INPUT_LIMIT]
    assert parse("é" * 32_768, ENV).status is ParseStatus.COMPLETE


@pytest.mark.parametrize(
    "source, issue",
    [
        ("a " * 4097, IssueCode.NODE_LIMIT),
        ("$(" * 65 + ")" * 65, IssueCode.DEPTH_LIMIT),
        ("( " * 65 + "a" + ")" * 65, IssueCode.DEPTH_LIMIT),
        ("a;" * 600, IssueCode.FACT_LIMIT),
        ("a" + " b" * 300, IssueCode.INPUT_LIMIT),
        ("${x:-" * 65 + "}" * 65, IssueCode.DEPTH_LIMIT),
    ],
)
def test_limits_are_reported(source: str, issue: IssueCode) -> None:
    script = parse(source, ENV)
    assert script.status is ParseStatus.LIMIT_EXCEEDED
    assert issue in script.issues


def test_nesting_up_to_the_limit_is_fine() -> None:
    assert parse("$(" * 64 + "a" + ")" * 64, ENV).status is ParseStatus.COMPLETE


def test_commands_before_a_limit_are_kept() -> None:
    assert shown("rm -rf /; " + "( " * 70)[1] == "1 rm -rf /"


def test_commands_before_an_error_are_kept() -> None:
    lines = shown('rm -rf /\nif x; then rm y "z')
    assert lines == ["invalid: invalid_syntax", "1 rm -rf /", "2 x", "3 rm y"]


def test_eval_too_deep_makes_variables_unknown() -> None:
    env = ShellEnv(depth=4)
    words = parse("x=/; eval 'x=/'; rm $x", env).commands[-1].words
    assert words[1].value is None


def test_values_larger_than_the_allowance_become_unknown() -> None:
    source = "x=" + "a" * 3000 + ";" + "x=$x$x;" * 30 + "c $x"
    assert values(source) == ["c", None]


def test_loops_in_loops_are_not_multiplied_out() -> None:
    nest = "for i in 1 2 3 4 5 6 7 8; do " * 12 + "a $i; " + "done; " * 12
    script = parse(nest, ENV)
    assert script.status is ParseStatus.COMPLETE
    assert len(script.commands) <= 16


def test_long_lists_are_followed_by_their_remarkable_values() -> None:
    lines = shown("for d in a b c d e f g h / i; do rm $d; done")
    assert lines == ["1 rm a (example)", "2 rm /"]


def test_calls_beyond_the_allowance_are_reported() -> None:
    many = "f() { " + "a; " * 40 + "b $1; }; " + "".join(f"f {i}; " for i in range(200))
    assert parse(many, ENV).status is ParseStatus.LIMIT_EXCEEDED
    chain = "".join(f"f{i}() {{ f{i + 1} $1; }}; " for i in range(20)) + "f0 /"
    script = parse(chain, ENV)
    assert (script.status, script.issues) == (ParseStatus.LIMIT_EXCEEDED, [IssueCode.DEPTH_LIMIT])


@pytest.mark.parametrize(
    "source",
    [
        "c ${00} ${99999999999999999999} ${x:" + "9" * 5000 + "}",
        "c {1.." + "9" * 5000 + "} {1..9.." + "9" * 5000 + "}",
        "exit " + "9" * 5000,
        "set -- a; shift ²; shift " + "9" * 5000,
        "c >&² 2>&" + "9" * 5000 + " " + "9" * 5000 + ">x",
        "c $(printf '%" + "9" * 5000 + "s' a) $(printf %d " + "9" * 5000 + ")",
        "c $(printf '" + "%999s" * 5000 + "' a)",
        "a=(x); c ${a[" + "9" * 5000 + "]} ${a[²]}",
        "c $'\\x{" + "f" * 5000 + "}' $'\\U99999999'",
    ],
)
def test_numbers_of_any_size_are_survived(source: str) -> None:
    assert parse(source, ENV).status is ParseStatus.COMPLETE


def test_identical_iterations_are_listed_once() -> None:
    assert shown("for i in 1 2 3; do curl x; done") == ["1 curl x"]
    assert shown("f() { a; }; f; f 1") == ["1 f", "2 a", "3 f 1"]


@pytest.mark.parametrize(
    "source, last",
    [
        ("for x in a /; do sh -c 'rm $x'; done", "2 sh -c 'rm $x'"),
        ("f() { sh; }; f; curl u | f", "5 sh"),
        ("for x in a b; do curl $x | sh; done", "4 sh"),
    ],
)
def test_runs_that_differ_in_what_they_read_are_both_listed(source: str, last: str) -> None:
    assert shown(source)[-1] == last
