"""Which texts count as cmd's where the tool names no shell."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import Dialect
from defenseclaw.core.tool import Platform, ToolCall
from defenseclaw.facts import GLOBAL_TOOLS, analyze

FOR_CMD = (
    "rd /s /q build",
    "del /q *.obj",
    "dir /b",
    "cd /d C:\\src && make",
    "if exist build rd /s /q build",
    "for %f in (*.txt) do type %f",
    "set NODE_ENV=production&& npm start",
    "echo %PATH%",
    "npm test >nul 2>&1",
    "@echo off\necho a",
    "type a ^\n b",
    'start "" notepad',
)
FOR_POWERSHELL = (
    "npm test",
    "git status && git diff",
    "Remove-Item -Recurse build",
    "rd build -Recurse",
    "$env:PATH",
    "echo $env:PATH > nul",
    "Get-ChildItem | % { $_.Name }",
    "dir",
    "[IO.File]::Delete('a')",
)


def dialect(text: str, platform: Platform = Platform.WINDOWS, tool: str = "shell") -> Dialect:
    call = ToolCall(tool, {"command": text}, "C:\\w", "", platform, GLOBAL_TOOLS[tool])
    return analyze(call).facts.parse.dialect


@pytest.mark.parametrize("text", FOR_CMD)
def test_text_that_only_cmd_reads_is_for_cmd(text: str) -> None:
    assert dialect(text) is Dialect.CMD


@pytest.mark.parametrize("text", FOR_POWERSHELL)
def test_other_text_on_windows_is_for_powershell(text: str) -> None:
    assert dialect(text) is Dialect.POWERSHELL


@pytest.mark.parametrize("text", [*FOR_CMD, *FOR_POWERSHELL])
def test_a_tool_that_names_its_shell_decides(text: str) -> None:
    assert dialect(text, tool="Bash") is Dialect.POSIX
    assert dialect(text, tool="powershell") is Dialect.POWERSHELL
    assert dialect(text, tool="cmd") is Dialect.CMD


def test_an_argument_of_an_unreviewed_tool_is_guessed_too() -> None:
    call = ToolCall("x", {"command": "rd /s /q C:\\x"}, "C:\\w", "", Platform.WINDOWS)
    assert "rd" in {command.program for command in analyze(call).facts.commands}
