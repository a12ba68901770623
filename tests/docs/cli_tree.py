"""Whether a command line that a page or a message names really exists."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
from tools.pages.cli import visible

from defenseclaw.cli.gateway_main import main as gateway
from defenseclaw.cli.main import main as operator

PROGRAMS: dict[str, click.Command] = {"defenseclaw": operator, "defenseclaw-gateway": gateway}
_NAMED = re.compile(r"`(defenseclaw(?:-gateway)?(?: [^`]*)?)`")
_PLACEHOLDER = re.compile(r"<.*>|[A-Z][A-Z_]*|…|\.\.\.")


def every_command() -> list[tuple[str, click.Command]]:
    """(words of the command line, command) of every visible command."""
    return [
        (context.command_path, context.command)
        for name, command in PROGRAMS.items()
        for context in visible(name, command)
    ]


def problem_of(line: str) -> str:
    """Why a command line cannot be typed; empty when it can."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError as error:
        return str(error)
    if not words or words[0] not in PROGRAMS:
        return "not one of our programs"
    context = _context(PROGRAMS[words[0]], None)
    for word in words[1:]:
        if word.startswith("-") and word != "-":
            if _option(word) not in _options(context) and not context.ignore_unknown_options:
                return f"{context.command_path} has no {word}"
        elif isinstance(context.command, click.Group):
            child = _child(context, word)
            if child is None:
                return f"{context.command_path} has no command {word}"
            context = _context(child, context)
    return ""


def _context(command: click.Command, parent: click.Context | None) -> click.Context:
    return click.Context(command, parent, info_name=command.name, **command.context_settings)


def _option(word: str) -> str:
    return word.partition("=")[0] if word.startswith("--") else word[:2]


def _options(context: click.Context) -> set[str]:
    found = set(context.help_option_names)
    for parameter in context.command.params:
        found |= {*parameter.opts, *parameter.secondary_opts}
    return found


def _child(context: click.Context, word: str) -> click.Command | None:
    assert isinstance(context.command, click.Group)
    names = context.command.list_commands(context)
    wanted = names[0] if _PLACEHOLDER.fullmatch(word) else word
    return context.command.get_command(context, wanted)


def named_in(text: str) -> list[str]:
    """The command lines that stand in backquotes."""
    return [" ".join(found.split()) for found in _NAMED.findall(text)]


def messages(path: Path) -> Iterator[tuple[int, str]]:
    """(line, text) of every string in a module; what is filled in at run time is ``<…>``."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parts = {id(p) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for p in n.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            pieces = (p.value if isinstance(p, ast.Constant) else "<…>" for p in node.values)
            yield node.lineno, "".join(map(str, pieces))
        elif isinstance(node, ast.Constant) and id(node) not in parts:
            yield node.lineno, str(node.value)
