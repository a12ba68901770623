"""Commands in shell blocks: how they are split, what they promise, and what differs in output."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_EXIT = re.compile(r"\s+# exit (\d+)$")
_HEREDOC = re.compile(r"<<-?\s*['\"]?(\w+)")
# What is different in every run, in the order of replacement.
_VOLATILE = (
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?"), "TIME"),
    (re.compile(r"\b[0-9a-f]{16,64}\b"), "HEX"),
    (re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)*(?= ?(?:µs|ms|s|ns|MiB)\b)"), "N"),
    (re.compile(r"(?<=\bport )\d+"), "N"),
    (re.compile(r"(?<=\bpid )\d+"), "N"),
    (re.compile(r"(?<=\bPython )\d+\.\d+\.\d+"), "N"),
)


@dataclass(frozen=True, slots=True)
class Command:
    """One command as it is typed, and the exit status that the page promises."""

    text: str
    exit: int = 0


def commands_of(block: str) -> list[Command]:
    """The commands of a block: continued lines and here-documents belong together."""
    found = []
    for text in _joined(block):
        promise = _EXIT.search(text)
        plain = _EXIT.sub("", text)
        found.append(Command(plain, int(promise[1]) if promise else 0))
    return found


def _joined(block: str) -> Iterator[str]:
    lines = iter(block.splitlines())
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        text = line
        while text.endswith("\\"):
            text += "\n" + next(lines, "")
        if end := _HEREDOC.search(text):
            body = [text]
            for inner in lines:
                body.append(inner)
                if inner.strip() == end[1]:
                    break
            text = "\n".join(body)
        yield text


def masked(output: str, places: Mapping[str, str]) -> list[str]:
    """The lines of an output without what differs between runs; ``places`` maps paths to names."""
    for path, name in sorted(places.items(), key=lambda item: -len(item[0])):
        output = output.replace(path, name)
    for pattern, name in _VOLATILE:
        output = pattern.sub(name, output)
    # Columns are padded to the widest cell, which may have been one of those replaced.
    lines = (re.sub(r"[ \t]+", " ", line).strip() for line in output.splitlines())
    return [line for line in lines if line]
