"""The page of commands, from their own help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import click

from defenseclaw.cli.gateway_main import main as gateway
from defenseclaw.cli.main import main as operator
from defenseclaw.hook.entry import USAGE
from tools.pages.markdown import fence

WIDTH = 100
HEAD = """\
# Commands

Every command with its own help text. All commands end with 0 when they did what was asked, with 1
when they refused or failed, and with 2 when they were called in a wrong way. `--json` prints one
document, `{"schema":1,…}`; lists are `{"schema":1,"items":[…],"count":n}`. Text is for people and
may change; scripts read `--json`.
"""
HOOK = """
## defenseclaw-hook

Called by agents, through the launcher in the data home. It reads one payload from standard input,
prints the answer in the agent's own words, and ends with 0 or 2.

"""
PROGRAMS: Mapping[str, click.Command] = {"defenseclaw": operator, "defenseclaw-gateway": gateway}


def pages() -> Mapping[str, str]:
    """The page."""
    text = HEAD
    for name, command in PROGRAMS.items():
        for context in visible(name, command):
            mark = "##" if context.parent is None else "###"
            text += f"\n{mark} {context.command_path}\n\n"
            text += fence(context.command.get_help(context), "text")
    return {"cli.md": text + HOOK + fence(USAGE, "text")}


def visible(
    name: str, command: click.Command, parent: click.Context | None = None
) -> Iterator[click.Context]:
    """A command and all below it that are not hidden, in order."""
    if command.hidden:
        return
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(command, info_name=name, parent=parent, **settings)
    yield context
    if isinstance(command, click.Group):
        for word in command.list_commands(context):
            child = command.get_command(context, word)
            assert child is not None, f"{name} lists {word} and does not have it"
            yield from visible(word, child, context)
