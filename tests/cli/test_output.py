"""Printing: one document for scripts, plain text without a terminal, errors with a next step."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import click
import pytest
from click.testing import CliRunner

from defenseclaw.cli.main import COMMANDS, main
from defenseclaw.cli.output import (
    as_utf8,
    confirm,
    fail,
    paint,
    print_items,
    print_table,
    reports_errors,
)
from defenseclaw.errors import DefenseClawError


def run(function: Callable[[], None]) -> tuple[int, str, str]:
    result = CliRunner().invoke(click.command()(reports_errors(function)))
    return result.exit_code, result.stdout, result.stderr


def test_items_are_one_versioned_document() -> None:
    code, out, _ = run(lambda: print_items([{"a": 1}]))
    assert code == 0
    assert json.loads(out) == {"schema": 1, "items": [{"a": 1}], "count": 1}


def test_table_is_aligned_and_plain_without_a_terminal() -> None:
    _, out, _ = run(lambda: print_table(("a", "b"), [("xxx", "block"), ("y", "allow")]))
    assert out == "a    b\nxxx  block\ny    allow\n"


def test_words_have_no_colour_without_a_terminal() -> None:
    result = CliRunner().invoke(click.command()(lambda: click.echo(paint("block"))), color=True)
    assert result.stdout == "block\n"


def test_error_says_what_it_means_and_what_to_do() -> None:
    def broken() -> None:
        raise DefenseClawError("it broke", impact="nothing is protected", hint="run `x`")

    code, out, err = run(broken)
    assert (code, out) == (1, "")
    assert err.splitlines() == [
        "error: it broke",
        "  this means: nothing is protected",
        "  next: run `x`",
    ]


def test_question_without_a_terminal_is_refused_and_never_assumed() -> None:
    code, _, err = run(lambda: confirm("Really?", yes=False))
    assert code == 1
    assert "--yes" in err


def test_yes_answers_the_question() -> None:
    assert run(lambda: confirm("Really?", yes=True))[0] == 0


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_listed_command_exists_and_explains_itself(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage:")


def test_unknown_command_is_a_usage_error() -> None:
    assert CliRunner().invoke(main, ["nonsense"]).exit_code == 2


def test_help_imports_no_command() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert all(name in result.stdout for name in COMMANDS)


HOSTILE = "a\x1b[2Jb\u202ec\x9bd\x07"


def test_table_shows_what_would_act_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("name", "what"), [(HOSTILE, HOSTILE)])
    printed = capsys.readouterr().out
    assert all(line.isprintable() for line in printed.splitlines())


def test_error_shows_what_would_act_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        fail(DefenseClawError(f"{HOSTILE}\nsecond line", impact=HOSTILE, hint=HOSTILE))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 4
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii", "utf-8"])
def test_every_letter_can_be_written_into_a_pipe(encoding: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
    as_utf8(stream)
    stream.write("Zoë → データ\n")
    stream.flush()
    assert raw.getvalue() == "Zoë → データ\n".encode()


def test_a_program_without_a_window_has_no_stream_and_needs_none() -> None:
    as_utf8(None)
