"""Scripts as lines of text, so that fixtures can say what is expected in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable

from defenseclaw.core.facts import CommandContext
from defenseclaw.facts.posix import ShellEnv, parse
from defenseclaw.facts.script import Link, Redirect, Script, SimpleCommand, Word

ENV = ShellEnv(home="/home/dev", cwd="/w", arguments=())
PLAIN = re.compile(r"[^\s\"'<>]+\Z")


def word(item: Word) -> str:
    """A known word as it is, quoted where blanks need it; the known ends of an unknown one."""
    if item.value is None:
        return f"<{item.prefix}?{item.suffix}>" + ("+" if item.splits else "")
    text = item.value if PLAIN.match(item.value) else repr(item.value)
    return text + (" (pattern)" if item.glob else "") + (" (example)" if item.example else "")


def words(command: SimpleCommand) -> str:
    """Assignments and words."""
    parts = [f"{name}={word(value)}" for name, value in command.assignments]
    return " ".join([*parts, *map(word, command.words)])


def redirect(item: Redirect) -> str:
    """One redirection."""
    if item.duplicate:
        what = f"copy {item.source_fd}" if item.source_fd >= 0 else "closed"
    elif item.target is not None:
        what = f"{item.access.name.lower()} {word(item.target)}"
    else:
        what = f"body {item.body!r}" + ("" if item.body_static else " (expands)")
    return f"{item.fd}: {what}" + (" (inherited)" if item.inherited else "")


def links(command: SimpleCommand) -> str:
    """Parent, pipeline and standard input."""
    parts = []
    if command.parent_id or command.link:
        parts.append(f"{Link(command.link).name.lower()} of {command.parent_id}")
    if command.pipeline_id:
        parts.append(f"pipe {command.pipeline_id}.{command.pipeline_index}")
    if command.stdin_from:
        parts.append("reads " + ",".join(map(str, command.stdin_from)))
    return "; ".join(parts)


def context(command: SimpleCommand) -> str:
    """Guard and flags."""
    parts = []
    if command.context is not CommandContext.UNCONDITIONAL:
        parts.append(command.context.name.lower().replace("_", "-"))
    flags = ("top_level", "decides_exit", "negated", "after_exec", "function", "uncertain")
    parts += [name.replace("_", "-") for name in flags if getattr(command, name)]
    return ", ".join([*parts, *([] if command.reached else ["unreached"])])


def directory(command: SimpleCommand) -> str:
    """Where the command runs."""
    return "unknown" if command.cwd is None else command.cwd or "."


ASPECTS: dict[str, Callable[[SimpleCommand], str]] = {
    "words": words,
    "redirects": lambda command: ", ".join(map(redirect, command.redirects)),
    "links": links,
    "context": context,
    "directory": directory,
}


def lines(script: Script, aspects: list[str]) -> list[str]:
    """One line per command: its number, its words, then the other aspects in brackets."""
    found = []
    if script.issues:
        issues = " ".join(issue.name.lower() for issue in script.issues)
        found.append(f"{script.status.name.lower()}: {issues}")
    for command in script.commands:
        text = f"{command.id} {words(command)}".rstrip()
        for aspect in aspects:
            said = ASPECTS[aspect](command)
            text += f" [{said}]" if said else ""
        found.append(text)
    return found


def shown(source: str, *aspects: str) -> list[str]:
    """The same for a source text in the usual surroundings."""
    return lines(parse(source, ENV), list(aspects))


def values(source: str, number: int = -1) -> list[str | None]:
    """The word values of one command, by default the last."""
    return [item.value for item in parse(source, ENV).commands[number].words]
