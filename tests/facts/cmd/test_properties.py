"""What holds for any cmd text: totality, tags for every character, linear work."""

from __future__ import annotations

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from defenseclaw.core.facts import IssueCode, ParseStatus
from defenseclaw.core.limits import MAX_COMMAND_BYTES
from defenseclaw.facts.cmd import Host, parse
from defenseclaw.facts.cmd.walk.flow import MAX_WALKED
from tests.facts.cmd.cases import CWD, HOME, all_cases, analyzed
from tests.facts.invariants import check_result

_WORDS = (
    "del rd copy set set/a for if call goto :a cmd /c /f /l /r /d %i %%i in ( ) do else not exist"
    " defined == EQU %X% %X:~0,1% %X:a=b% %1 %* %~dp0 %% !X! ^ ^^ ^& & && || | > >> 2>&1 <"
    ' " "a C:\\x nul rem :: @ echo echo. setlocal enabledelayedexpansion endlocal exit /b :eof'
    " usebackq tokens=1,2 delims=, 'dir' `dir` pushd popd cd/d start powershell -c , ; ="
)
WORDS = [*_WORDS.split(), "\n", "\r\n", "(\n", "^\n", '"a b"', "\x01", "é"]
COMMANDS = [case.command for case in all_cases()]

texts = (
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=16).map(" ".join)
    | st.lists(st.sampled_from(WORDS), min_size=1, max_size=16).map("".join)
    | st.text(alphabet=string.printable + "é“", max_size=60)
    | st.lists(st.sampled_from(COMMANDS), min_size=2, max_size=3).map(" & ".join)
)


def check(text: str) -> None:
    """The invariants, and no fault of ours that became a refusal."""
    result = analyzed(text)
    check_result(result)
    assert IssueCode.INTERNAL_PARSER_FAILURE not in result.facts.parse.issues


@settings(max_examples=400, deadline=None)
@given(texts)
def test_any_text_ends_in_valid_facts(text: str) -> None:
    check(text)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(COMMANDS), st.integers(0, 60), st.sampled_from(WORDS))
def test_a_broken_command_ends_in_valid_facts(command: str, at: int, word: str) -> None:
    check(command[:at] + word + command[at:])
    check(command[:at])


@settings(max_examples=300, deadline=None)
@given(texts)
def test_a_script_refers_only_to_its_own_text_and_commands(text: str) -> None:
    script = parse(text, Host(CWD, HOME))
    ids = {command.id for command in script.commands}
    assert len(ids) == len(script.commands) <= MAX_WALKED
    for command in script.commands:
        assert command.parent_id == 0 or command.parent_id in ids
        assert set(command.stdin_from) <= ids
        for word in command.words:
            assert word.start < 0 or 0 <= word.start <= word.end <= len(text)
    reached = 0
    for span in script.spans:
        assert reached <= span.start < span.end <= len(text)
        reached = span.end


def test_work_is_bounded_for_hostile_texts() -> None:
    pieces = ["(", "a|", "a&", "^", '"', "%", "%a%", "!a!", ")", "a\n", "(\n", "if a==b ", "start "]
    pieces += ["for %i in (a b) do ", ":a\ngoto a\n", "call :a\n:a\n", "set a=%a%%a%\n", ">a "]
    for piece in pieces:
        text = piece * (MAX_COMMAND_BYTES // len(piece))
        status = parse(text, Host(CWD, HOME)).status
        assert status in (ParseStatus.LIMIT_EXCEEDED, ParseStatus.INVALID, ParseStatus.COMPLETE)


def test_a_longer_text_is_beyond_the_limit() -> None:
    script = parse("a" * (MAX_COMMAND_BYTES + 1), Host())
    assert script.status is ParseStatus.LIMIT_EXCEEDED


def test_values_do_not_grow_without_end() -> None:
    doubled = "set x=aaaaaaaaaaaaaaaa\n" + "set x=%x%%x%\n" * 60 + "rd %x%"
    check_result(analyzed(doubled))
    check_result(analyzed("for /l %i in (1,1,999999999) do rd %i"))
    check_result(analyzed("set /a x=1" + "<<30" * 99 + "\nrd %x%"))
    check_result(analyzed("set x=" + "a" * 9000 + "\n" + "rd %x%\n" * 400))
