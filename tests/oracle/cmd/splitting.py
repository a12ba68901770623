"""Arguments of a command line as programs built with Microsoft's C library find them.

https://learn.microsoft.com/en-us/cpp/c-language/parsing-c-command-line-arguments. It differs from
CommandLineToArgvW, which Wine has, only in two quotes in a row inside a quoted part.
"""

from __future__ import annotations

import re

NAME = re.compile(r'(?:"[^"]*"|[^\s"])*')
ARGUMENT = re.compile(r"[ \t]*(?=[^ \t])")


def c_arguments(line: str) -> tuple[str, ...]:
    """The arguments behind the program's name."""
    named = NAME.match(line)
    at, found = named.end() if named else 0, []
    while start := ARGUMENT.match(line, at):
        text, at = argument(line, start.end())
        found.append(text)
    return tuple(found)


def argument(line: str, at: int) -> tuple[str, int]:
    """One argument and where it ends."""
    text, quoted = "", False
    while at < len(line) and (quoted or line[at] not in " \t"):
        slashes = len(line) - at - len(line[at:].lstrip("\\"))
        at += slashes
        if line[at : at + 1] != '"':
            text += "\\" * slashes
            if slashes == 0:
                text, at = text + line[at], at + 1
            continue
        text, at = text + "\\" * (slashes // 2), at + 1
        if slashes % 2:
            text += '"'
        elif quoted and line[at : at + 1] == '"':
            text, at = text + '"', at + 1
        else:
            quoted = not quoted
    return text, at
