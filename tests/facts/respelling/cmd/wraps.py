"""Respellings of whole texts in cmd: blocks, conditions, loops, labels, launchers, neighbours."""

from __future__ import annotations

import random
import re

from tests.facts.respelling.cmd.scan import Kind, Shape
from tests.facts.respelling.cmd.words import SCRIPTS, respelling
from tests.facts.respelling.model import NESTING, WINDOWS_NESTING, Rewrite, fresh


def _whole(*forms: str, lines: bool = True) -> Rewrite:
    """The text in a form: T the text, N a fresh name; without ``lines`` it must have one line."""

    def rewrite(text: str, _: Shape, chance: random.Random) -> str | None:
        form = chance.choice(forms)
        if "\n" in text and not (lines and re.fullmatch(r"(?:.*\n)?T(?:\n.*)?", form, re.DOTALL)):
            return None
        batch = form.lower().startswith("@echo off") or re.search(r":N|:EOF|%errorlevel%", form)
        if batch and re.search(r"%~?[A-Za-z]\b(?!\w*%)", text):
            return None  # a loop's letter has two percent signs in a batch file
        return _filled(form, T=text, N=fresh(text, "lb"))

    return rewrite


def _filled(form: str, **parts: str) -> str:
    return re.sub(rf"\b([{''.join(parts)}])\b", lambda m: parts[m[1]], form)


def _grouped(*forms: str) -> Rewrite:
    """The text in parentheses or behind a condition: its variables are expanded before it runs."""
    inner = _whole(*forms, lines=False)

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        if (
            re.search(r"[()]|\brem\b", text)
            or text.endswith("^")
            or text.lstrip().startswith((",", ";", "="))
        ):
            return None
        return inner(text, shape, chance)

    return rewrite


def _guarded(*forms: str) -> Rewrite:
    """The text behind another command, which guards only the first of several."""
    inner = _whole(*forms, lines=False)
    return lambda text, shape, chance: None if "&" in text else inner(text, shape, chance)


def _piped(*forms: str) -> Rewrite:
    """The text in a pipeline; not where something reads its standard input as code."""
    inner = _whole(*forms, lines=False)

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        reads = NESTING.search(text) or WINDOWS_NESTING.search(text)
        return None if reads else inner(text, shape, chance)

    return rewrite


def _child(*forms: str) -> Rewrite:
    """The text as another cmd's; carets and percent signs would be read twice."""
    inner = _whole(*forms, lines=False)

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        if set(text) & set("^%!()&|") or text.startswith(("@", '"')):
            return None  # parentheses and a first quote would be read in front already
        return inner(text, shape, chance)

    return rewrite


def _called(*forms: str) -> Rewrite:
    """Behind ``call``, which knows no ``if``, ``for`` or parentheses."""
    inner = _child(*forms)

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        return None if shape.opaque else inner(text, shape, chance)

    return rewrite


def _quoted_child(*forms: str) -> Rewrite:
    """The text in quotes, which must not have some of its own."""
    inner = _child(*forms)

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        return inner(text, shape, chance) if '"' not in text else None

    return rewrite


def _program(*forms: str) -> Rewrite:
    """Only for one program with plain words; T is the text, P the name, A the arguments."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        command = shape.only
        if command is None or command.builtin or len(command.words) < 2 or command.redirected:
            return None
        plain = re.compile(r"[\w./\\:+-]+")
        if any(not plain.fullmatch(w.raw) or w.kind is Kind.TARGET for w in command.words):
            return None
        name, arguments = command.words[0], text[command.words[0].end :].strip()
        if name.raw.lower() in SCRIPTS or not text.startswith(name.raw):
            return None
        return _filled(chance.choice(forms), T=text, P=name.raw, A=arguments)

    return rewrite


def _printed(*forms: str) -> Rewrite:
    """The text as what ``echo`` prints; nothing in it may mean something to the first cmd."""
    inner = _whole(*forms, lines=False)

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        if set(text) & set('^%!&|<>()"') or text[-1].isdigit():  # a digit would name a stream
            return None
        return inner(text, shape, chance)

    return rewrite


_SHELL = frozenset({"CMD-BASH-C"})

WRAPS = (
    respelling("parentheses", _grouped("(T)", "( T )", "(\nT\n)", "((T))", "@(T)")),
    respelling(
        "if",
        _grouped(
            "if 1==1 T",
            "if not 1==2 T",
            "if a==a (T)",
            'if "x"=="x" T',
            "if /i A==a (T)",
            "if 1 equ 1 T",
            "IF 2 GTR 1 (T)",
            "if 1==1 (\nT\n)",
        ),
    ),
    respelling(
        "else",
        _grouped(
            "if 1==2 (echo no) else T", "if 1==2 (ver) else (T)", "if not 1==1 (ver) ELSE (T)"
        ),
    ),
    respelling(
        "if-exist",
        _grouped(
            "if exist C:\\ T",
            "if exist C:\\Windows\\System32 (T)",
            "if defined PATH T",
            "if not defined NOSUCH (T)",
            "if errorlevel 0 T",
            "if %errorlevel%==0 T",
            "if not exist C:\\no\\such T",
        ),
    ),
    respelling(
        "for",
        _grouped(
            "for %z in (1) do T",
            "for %z in (x) do (T)",
            "for /l %z in (1,1,1) do T",
            "for /l %Z in (1 1 1) do @(T)",
        ),
    ),
    respelling(
        "for-text",
        _grouped(
            'for /f %z in ("x") do T', "for /f %z in ('ver') do T", "for %z in (C:\\Windows) do (T)"
        ),
    ),
    respelling(
        "before",
        _whole(
            "T & ver",
            "T&ver",
            "T && ver",
            "T || ver",
            "T & echo done",
            "T & rem x",
            "T\nver",
            "T\necho done\n",
            "T && (echo yes) || (echo no)",
        ),
    ),
    respelling(
        "after",
        _whole(
            "ver & T",
            "ver&T",
            "echo hi & T",
            "ver>nul & T",
            "echo start\nT",
            "ver\n\nT",
            "title Build&T",
            "(echo hi) & T",
            "git status & T",
            "color 0a\nT",
        ),
    ),
    respelling(
        "guarded",
        _guarded(
            "git diff --exit-code || T",
            "dir nosuch 2>nul || T",
            '(ver | find "x") || T',
            "ver && T",
            "cd . && T",
        ),
    ),
    respelling("echo-off", _whole("@echo off\nT", "@ECHO OFF\r\nT\r\n", "echo off & T")),
    respelling(
        "comment",
        _whole(
            "rem start\nT",
            ":: start\nT",
            "REM it's \"x\nT",
            "T\nrem end",
            "rem a & b\nT",
            "@rem x\nT\n:: y\n",
        ),
    ),
    respelling("blank-lines", _whole("\nT\n", "  T  ", "\r\n\r\nT\r\n", "\t T")),
    respelling(
        "local", _whole("setlocal\nT\nendlocal", "@setlocal & T", "setlocal enableextensions\nT")
    ),
    respelling(
        "labels",
        _whole(
            ":N\nT", "goto N\necho no\n:N\nT", "goto :N\nver\n:N\nT\n", "@goto N\n:x1\nver\n:N\nT"
        ),
    ),
    respelling(
        "subroutine",
        _whole(
            "call :N\ngoto :eof\n:N\nT\nexit /b",
            "call :N\nexit /b\n:N\nT\ngoto :eof",
            "@call :N & exit /b 0\n:N\nT",
            "call :N x\ngoto :eof\n:N\nT",
        ),
    ),
    respelling("call", _called("call T", "CALL T", "@call T"), nests=1),
    respelling(
        "cmd",
        _child(
            "cmd /c T",
            "cmd.exe /c T",
            "CMD /C T",
            "cmd /d /c T",
            "cmd /q /d /c T",
            "cmd/c T",
            "%COMSPEC% /c T",
            "%ComSpec% /d /c T",
            "cmd /r T",
            "C:\\Windows\\System32\\cmd.exe /c T",
        ),
        adds=_SHELL,
        nests=1,
    ),
    respelling(
        "cmd-quoted",
        _quoted_child(
            'cmd /c "T"',
            'cmd /s /c "T"',
            'cmd /d /s /c "T"',
            'cmd.exe /s/c "T"',
            'cmd /C "T"',
            'cmd /v:on /c "T"',
            'cmd /v:on/c "T"',
            'cmd /e:on /c "T"',
            'cmd /c "(T)"',
        ),
        adds=_SHELL,
        nests=1,
    ),
    respelling(
        "cmd-piped",
        _printed("echo T| cmd", "echo T | cmd.exe", "(echo T)|cmd /q", "@echo T| cmd"),
        adds=_SHELL,
        nests=1,
    ),
    respelling(
        "cmd-delayed",
        _quoted_child('cmd /v:on /c "set N=1& T"', 'cmd /V /C "T & echo !date!"'),
        adds=_SHELL,
        nests=1,
    ),
    respelling(
        "start",
        _program(
            "start T",
            'start "" T',
            'start "" /wait /b T',
            "start /b T",
            'start "x y" /min T',
            "start /wait T",
            'START "" /B /WAIT T',
            "start /high T",
        ),
        nests=1,
    ),
    respelling(
        "start-cmd",
        _quoted_child('start cmd /c "T"', 'start "" /min cmd /c "T"', "start /b cmd /c T"),
        adds=_SHELL,
        nests=1,
    ),
    respelling(
        "powershell",
        _program(
            'powershell -Command "T"',
            "powershell -NoProfile -Command T",
            'pwsh -c "T"',
            'powershell "T"',
            "powershell -c \"& 'P' A\"",
            "powershell Start-Process P -ArgumentList 'A' -Wait",
        ),
        adds=_SHELL,
        nests=1,
    ),
    respelling(
        "forfiles",
        _quoted_child('forfiles /p C:\\Windows /m win.ini /c "cmd /c T"', 'forfiles /c "cmd /c T"'),
        adds=_SHELL,
        nests=2,
    ),
    respelling(
        "script-file",
        _printed(
            "echo T>run1.bat\nrun1.bat",
            "echo T> run1.cmd & run1.cmd",
            "@echo T>run1.bat&call run1.bat",
            "(echo @echo off& echo T)>run1.cmd\ncall run1.cmd",
        ),
        nests=1,
    ),
    respelling("piped", _piped("T | more", 'T|find "x"', "ver | T", "echo y| T", "echo.| T")),
    respelling(
        "conditional-errors",
        _whole("T\nif errorlevel 1 exit /b 1", "T\nif %errorlevel% neq 0 exit /b %errorlevel%"),
    ),
)
