"""The seed corpus: our own texts, from files of this folder and of the tests beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from defenseclaw.core.jsontext import parse_object
from defenseclaw.core.limits import MAX_PAYLOAD_DEPTH
from tests.facts.cases import all_cases
from tests.facts.cmd import cases as cmd_cases
from tests.facts.powershell import cases as powershell_cases
from tests.fuzz.targets import CANARY, LANGUAGES, OPERATIONS

HERE = Path(__file__).resolve().parent
PAYLOADS = HERE.parent / "connectors" / "payloads"
SEPARATOR = "\n%%\n"


def records(name: str) -> Iterator[bytes]:
    """The records of a seed file."""
    text = (HERE / "seeds" / f"{name}.txt").read_bytes().decode("utf-8")
    for record in text.removesuffix("\n").split(SEPARATOR):
        yield record.encode()


def commands() -> Iterator[bytes]:
    """Every command of the fixtures, and the seeds for what they do not have."""
    yield from (case.command.encode() for case in all_cases())
    yield from records("posix")


def bodies() -> Iterator[bytes]:
    """Bodies of other languages; the first line of a record names the language."""
    for record in records("inline"):
        language, _, body = record.partition(b"\n")
        yield bytes([LANGUAGES.index(language.decode())]) + body


def own(name: str) -> Callable[[], Iterator[bytes]]:
    """The seed file of a target, as it is."""
    return lambda: records(name)


def payloads(connector: str) -> Callable[[], Iterator[bytes]]:
    """What the agent really sent."""

    def found() -> Iterator[bytes]:
        for path in sorted((PAYLOADS / connector).glob("*.json")):
            yield path.read_bytes()

    return found


def calls() -> Iterator[bytes]:
    """The arguments of the tool calls in those payloads, under several tools."""
    for path in sorted(PAYLOADS.glob("*/*.json")):
        document = parse_object(path.read_bytes(), max_depth=MAX_PAYLOAD_DEPTH)
        if isinstance(document.get("tool_input"), dict):
            for tool in (0, 3, 7):
                yield bytes([tool]) + json.dumps(document["tool_input"]).encode()


def operations() -> Iterator[bytes]:
    """Plain arguments for every operation of the reviewed MCP servers."""
    for number, spec in enumerate(OPERATIONS):
        args = {name: f"./{name}" for name in spec.fields}
        yield number.to_bytes(2, "big") + json.dumps(args).encode()


SEEDS: Mapping[str, Callable[[], Iterator[bytes]]] = {
    "posix": commands,
    "powershell": lambda: (case.command.encode() for case in powershell_cases.all_cases()),
    "cmd": lambda: (case.command.encode() for case in cmd_cases.all_cases()),
    "inline": bodies,
    "arguments": calls,
    "operations": operations,
    "canary": lambda: iter((b"quiet", CANARY)),
    **{
        name: own(name)
        for name in ("patch", "diff", "expression", "toml", "json", "settings", "servers")
    },
    **{f"payload-{path.name}": payloads(path.name) for path in sorted(PAYLOADS.iterdir())},
}
