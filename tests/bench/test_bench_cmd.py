"""The cost of parsing cmd texts: everyday commands, and texts of the largest size made to hurt.

Processor time of this process, the best of several rounds: a busy machine tells little lies then.
"""

from __future__ import annotations

import statistics

import pytest

from defenseclaw.core.limits import MAX_COMMAND_BYTES
from defenseclaw.facts.cmd import Host, parse
from tests.bench.test_bench_posix import best_ms

pytestmark = pytest.mark.bench

TYPICAL_MS, HOSTILE_MS = 0.1, 100.0  # the budgets of this step
ROUNDS, REPEATS = 9, 60
HOST = Host("C:\\Users\\dev\\project", "C:\\Users\\dev")
TYPICAL = (
    "dir /b",
    "git status --short",
    "npm test 2>&1 | findstr /i error",
    "cd /d web && npm run build",
    'findstr /s /n "needle" src\\*.py',
    'git add -A && git commit -m "Fix the parser" && git push',
    "if exist dist rmdir /s /q dist",
    "set PYTHONPATH=src&& python -m tool",
    "for %f in (*.txt) do @echo %f",
    "(echo a & echo b) > notes.txt",
    "type logs\\app.log | more",
    'start "" /b cmd /c "npm run dev"',
    "@echo off\nsetlocal\nset OUT=dist\nif not exist %OUT% md %OUT%\ncopy /y a.txt %OUT%\nendlocal",
)
HOSTILE = {
    "blocks": "(", "closed blocks": "()\n", "pipes": "a|", "and lists": "a&&", "or lists": "a||",
    "lists": "a&", "carets": "^", "quotes": '"', "quoted words": '"a" ', "escaped quotes": '\\"',
    "percents": "%", "values": "%a%", "parts": "%a:~0,1%", "replacements": "%a:b=c%",
    "delayed values": "!a!", "words": "a ", "closing": ")", "lines": "a\n", "returns": "\r\n",
    "continued lines": "a^\n", "redirections": ">a ", "handles": "2>&1 ", "if": "if a==b ",
    "branches": "if exist a (b) else ", "loops": "for %i in (a b) do ", "sets": "for %i in (a",
    "counted loops": "for /l %i in (1,1,8) do ", "line loops": "for /f %i in ('a') do b\n",
    "labels": ":a\n", "jumps": ":a\ngoto a\n", "functions": "call :a\n:a\n", "calls": "call ",
    "starts": "start ", "growing values": "set a=%a%%a%\n", "arithmetic": "set /a a=1+",
    "assignments": "set a=b\n", "comments": "rem a\n", "folders": "pushd a\n",
    "scopes": "setlocal\n", "switches": "/a", "delimiters": ",; ", "marks": "@",
}  # fmt: skip
WHOLE = {
    "closed loops in loops": "for %i in (1 2 3 4 5 6 7 8) do (" * 50 + "x %i" + ")" * 50,
    "functions in a chain": "call :f0\nexit /b\n"
    + "".join(f":f{i}\ncall :f{i + 1}\ncall :f{i + 1}\nexit /b\n" for i in range(60)),
    "many variables": "".join(f"set a{i}=1\n" for i in range(6000)),
    "many branches": "".join(f"set a{i}=1\nif exist b (set a{i}=2)\n" for i in range(1500)),
    "a block of lines": "(\n" + "a\n" * 2000 + ")",
    "one long value": "set a=" + "b" * 8000 + "\n" + "c %a%\n" * 8000,
    "noise": "".join(chr(33 + (i * 7919) % 94) for i in range(MAX_COMMAND_BYTES)),
}


def test_typical_commands_take_a_tenth_of_a_millisecond() -> None:
    figures = {text: best_ms(lambda t=text: parse(t, HOST), REPEATS, ROUNDS) for text in TYPICAL}
    for text, figure in figures.items():
        print(f"{figure:8.3f} ms  {text.splitlines()[0]}")
    print(f"{statistics.median(figures.values()):8.3f} ms  median")
    assert statistics.median(figures.values()) <= TYPICAL_MS


def test_hostile_texts_stay_within_the_budget() -> None:
    texts = {name: piece * (MAX_COMMAND_BYTES // len(piece)) for name, piece in HOSTILE.items()}
    texts |= {name: text[:MAX_COMMAND_BYTES] for name, text in WHOLE.items()}
    figures = {n: best_ms(lambda t=text: parse(t, HOST), 1, 3) for n, text in texts.items()}
    for name, figure in sorted(figures.items(), key=lambda item: -item[1]):
        print(f"{figure:8.1f} ms  {name}")
    assert max(figures.values()) <= HOSTILE_MS
