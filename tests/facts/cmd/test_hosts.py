"""Text of cmd that other shells and vectors of words hand over."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import FactsResult
from defenseclaw.core.tool import Platform, ToolCall
from defenseclaw.facts import GLOBAL_TOOLS, analyze
from defenseclaw.facts.cmd import command_line, inner_text
from defenseclaw.facts.script import Word
from tests.facts.cmd.cases import CWD, HOME
from tests.facts.describe import analyze_shell, lines

DELETED = "path rd delete C:/x/y"

POSIX_TEXTS = (
    'cmd /c "rd /s /q C:\\\\x\\\\y"',
    "cmd /c 'rd /s /q C:\\x\\y'",
    "cmd //c 'rd /s /q C:\\x\\y'",
    "cmd.exe /d /s /c 'rd /s /q C:\\x\\y'",
    "cmd.exe /c rd /s /q 'C:\\x\\y'",
    "echo 'rd /s /q C:\\x\\y' | cmd",
    "cmd <<'E'\nrd /s /q C:\\x\\y\nE",
    "/c/Windows/System32/cmd.exe /c 'rd /s /q C:\\x\\y'",
)
POWERSHELL_TEXTS = (
    'cmd /c "rd /s /q C:\\x\\y"',
    "cmd /c 'rd /s /q C:\\x\\y'",
    "cmd /c rd /s /q C:\\x\\y",
    "& cmd /c rd /s /q C:\\x\\y",
    'cmd.exe /d /s /c "rd /s /q C:\\x\\y"',
    "Start-Process cmd -ArgumentList '/c','rd /s /q C:\\x\\y'",
    "Start-Process cmd.exe -ArgumentList '/c rd /s /q C:\\x\\y'",
    "Start-Process cmd '/c rd /s /q C:\\x\\y' -Wait",
    "'rd /s /q C:\\x\\y' | cmd",
    "& $env:ComSpec /c rd /s /q C:\\x\\y",
    "foreach ($d in 'C:\\x\\y') { cmd /c rd /s /q $d }",
    "Set-Content a.bat 'rd /s /q C:\\x\\y'; .\\a.bat",
    "Set-Content a.cmd 'rd /s /q %1'; cmd /c a.cmd C:\\x\\y",
)
VECTORS = (
    ["cmd", "/c", "rd /s /q C:\\x\\y"],
    ["cmd.exe", "/d", "/s", "/c", "rd /s /q C:\\x\\y"],
    ["cmd", "/c", "rd", "/s", "/q", "C:\\x\\y"],
    ["C:\\Windows\\System32\\cmd.exe", "/c", '"rd /s /q C:\\x\\y"'],
    ["cmd", "/v:on", "/c", "set T=C:\\x& rd /s /q !T!\\y"],
)


def deleted(result: FactsResult) -> bool:
    return DELETED in lines(result)


@pytest.mark.parametrize("text", POSIX_TEXTS)
def test_sh_text_hands_cmd_its_text(text: str) -> None:
    assert deleted(analyze_shell(text, cwd=CWD, home=HOME))


@pytest.mark.parametrize("text", POWERSHELL_TEXTS)
def test_powershell_text_hands_cmd_its_text(text: str) -> None:
    assert deleted(analyze_shell(text, cwd=CWD, home=HOME, shell="powershell"))


@pytest.mark.parametrize("words", VECTORS)
def test_a_vector_hands_cmd_its_text(words: list[str]) -> None:
    args = {"command": words}
    call = ToolCall("shell", args, CWD, HOME, Platform.WINDOWS, GLOBAL_TOOLS["shell"])
    assert deleted(analyze(call))


@pytest.mark.parametrize(
    "tail, plain, text",
    [
        ("a b", False, "a b"),
        ('"a b"', False, "a b"),
        ('"a" "b"', False, 'a" "b'),
        ('"C:\\a b\\c.exe"', False, '"C:\\a b\\c.exe"'),
        ('"C:\\a b\\c.exe"', True, "C:\\a b\\c.exe"),
        ('"C:\\a b\\c.exe" d', False, '"C:\\a b\\c.exe" d'),
        ('"C:\\a b\\c.exe" & d', False, '"C:\\a b\\c.exe" & d'),
        ('""C:\\a b\\c.exe" "d""', False, '"C:\\a b\\c.exe" "d"'),
        ('"a', False, "a"),
        ('a "b"', False, 'a "b"'),
        ("", False, ""),
    ],
)
def test_quotes_around_the_text_are_taken_away_as_documented(
    tail: str, plain: bool, text: str
) -> None:
    assert inner_text(tail, plain=plain) == text


@pytest.mark.parametrize(
    "line, words",
    [
        ("a b  c", ["a", "b", "c"]),
        ('a "b c" d', ["a", "b c", "d"]),
        ('a"b c"d', ["ab cd"]),
        ('"a\\"b"', ['a"b']),
        ('"a\\\\" b', ["a\\", "b"]),
        ("a\\b\\\\c", ["a\\b\\\\c"]),
        ('a\\\\\\"b', ['a\\"b']),
        ('"" a', ["", "a"]),
        ('"a""b"', ['a"b']),
        ('"C:\\a b\\"', ["C:\\a b\\"]),
        ("'a b'", ["'a", "b'"]),
    ],
)
def test_a_command_line_is_split_as_programs_do(line: str, words: list[str]) -> None:
    assert [word.value for word in command_line(Word(line))] == words
