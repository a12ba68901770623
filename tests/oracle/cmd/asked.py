"""Run on Windows: gives texts to cmd, with a printer in the place of every program.

A text of one line is the ``…`` of ``cmd /d /s /c "…"``; one of several lines is a batch file that
is called without arguments. Each runs in a fresh folder with a fixed environment, and PATH leads
only to the printer under several names.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from ctypes import wintypes
from typing import Any

PRINTERS = r"C:\printers"
LOG = r"C:\printers\log"
BATCH = "run.bat"
CASE_TIMEOUT_S = 20
STARTS = 3
FILES = {
    "one.txt": "first line\r\nsecond line\r\n",
    "two words.dat": "x\r\n",
    "sub\\three.txt": "",
    "frontend\\x": "",
}
shell = ctypes.WinDLL("shell32")
shell.CommandLineToArgvW.restype = ctypes.POINTER(wintypes.LPWSTR)


def split_line(line: str) -> list[str]:
    """The arguments that a program finds in its command line, as Windows splits it."""
    count = ctypes.c_int()
    found = shell.CommandLineToArgvW(line, ctypes.byref(count))
    return [found[number] or "" for number in range(count.value)]


def fresh_folder(folder: str) -> None:
    """An empty folder with the files that texts may find."""
    os.chdir("C:\\")
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in FILES.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", newline="", encoding="ascii") as file:
            file.write(text)


def written_files(folder: str) -> dict[str, str]:
    """The files that were not there before, or are different, with what is in them."""
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            relative = os.path.relpath(path, folder)
            with open(path, "rb") as file:
                text = readable(file.read())
            if relative != BATCH and FILES.get(relative) != text:
                found[relative] = text
    return found


def readable(raw: bytes) -> str:
    """Text in which printers wrote UTF-16 and cmd its own code page; all of it is ASCII."""
    return raw.replace(b"\0", b"").decode("latin-1")


def command_line(text: str, folder: str) -> str:
    """How cmd is started for a text."""
    if "\n" not in text:
        return f'cmd /d /s /c "{text}"'
    path = os.path.join(folder, BATCH)
    with open(path, "w", newline="\r\n", encoding="ascii") as file:
        file.write("@echo off\n" + text + "\n")
    return f"cmd /d /c {path}"


def ran() -> list[dict[str, Any]]:
    """The programs that were run since the log was last removed."""
    if not os.path.exists(LOG):
        return []
    with open(LOG, "rb") as file:
        parts = file.read().decode("utf-16-le").split("\0")[:-1]
    os.remove(LOG)
    return [
        {"line": line, "argv": split_line(line), "folder": cwd}
        for line, cwd in zip(parts[::2], parts[1::2], strict=True)
    ]


def start(line: str, **given: Any) -> subprocess.Popen[bytes]:
    """Start cmd; on a busy machine Wine sometimes loses a process before it begins."""
    for left in reversed(range(STARTS)):
        try:
            return subprocess.Popen(line, **given)
        except OSError:
            if not left:
                raise
    raise AssertionError


def ask(text: str, folder: str, environment: dict[str, str]) -> dict[str, Any]:
    """What cmd did with one text."""
    fresh_folder(folder)
    ran()  # what a text that was given up may have left
    os.makedirs(environment["TEMP"], exist_ok=True)  # cmd keeps what goes through pipes there
    env = {**environment, "PATH": PRINTERS, "PATHEXT": ".EXE;.BAT;.CMD"}
    quiet = {"stdin": subprocess.DEVNULL, "stderr": subprocess.STDOUT, "stdout": subprocess.PIPE}
    started = start(command_line(text, folder), cwd=folder, env=env, **quiet)
    try:
        printed, _ = started.communicate(timeout=CASE_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        started.kill()
        started.communicate()
        return {"ran": ran(), "printed": "", "status": None, "files": {}}
    finally:
        os.chdir("C:\\")
    return {
        "ran": ran(),
        "printed": readable(printed),
        "status": started.returncode,
        "files": written_files(folder),
    }
