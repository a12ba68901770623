"""What a finding shows of the call: one short line without secrets."""

from __future__ import annotations

import re

from defenseclaw.core.facts import ActionFacts, CommandFact, NetworkFact, PathFact
from defenseclaw.rules.limits import MAX_SEEN_CHARS

_SPACE = re.compile(r"\s+")
# Long unbroken runs may be keys; what remains still tells the reader which place is meant.
_OPAQUE = re.compile(r"[A-Za-z0-9+/=_\-]{24,}")
_CREDENTIALS = re.compile(r"(?i)(://[^/\s:@]{0,64}:)[^@\s/]+@")
MATCH_CHARS = 80
MAX_PARTS = 2


def describe_action(facts: ActionFacts) -> str:
    """Program, paths with their labels, and hosts of the commands that a rule matched."""
    parts = [_command(command) for command in facts.commands[:MAX_PARTS]]
    parts += [_path(path) for path in facts.paths if path.labels][:MAX_PARTS]
    parts += [_host(target) for target in facts.network if target.host][:MAX_PARTS]
    return shorten("; ".join(part for part in parts if part))


def describe_match(text: str, start: int, end: int) -> str:
    """The matched text on one line, with long opaque runs and URL passwords left out."""
    matched = text[start : min(end, start + MATCH_CHARS)]
    hidden = _CREDENTIALS.sub(r"\1…@", matched)
    return shorten(_OPAQUE.sub(lambda run: run[0][:4] + "…", hidden))


def describe_secret(text: str, start: int, end: int) -> str:
    """Only the first characters and the length of what looks like a credential."""
    return f"{shorten(text[start : start + 4])}… ({end - start} characters)"


def shorten(text: str) -> str:
    """One line of bounded length."""
    line = _SPACE.sub(" ", text).strip()
    return line if len(line) <= MAX_SEEN_CHARS else line[: MAX_SEEN_CHARS - 1] + "…"


def _command(command: CommandFact) -> str:
    words = [command.program or command.executable, command.subcommand]
    words += [f"--{name}" for name in command.options[:3]]
    return " ".join(word for word in words if word)


def _path(path: PathFact) -> str:
    access = path.access.name.lower()
    value = _OPAQUE.sub(
        lambda run: run[0][:4] + "…", path.resolved or path.normalized or path.value
    )
    return f"{access} {value} ({', '.join(path.labels[:3])})"


def _host(target: NetworkFact) -> str:
    return f"{target.action.name.lower()} {target.normalized_host or target.host}"
