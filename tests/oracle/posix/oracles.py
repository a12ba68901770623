"""What bash and shfmt say about a program, and what our parser says, in comparable form."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from defenseclaw.core.facts import ParseStatus
from defenseclaw.facts.posix import ShellEnv, parse
from defenseclaw.facts.posix.syntax.compound import ShellParser
from defenseclaw.facts.posix.syntax.cursor import Ledger, Places
from defenseclaw.facts.posix.syntax.tree import Simple, Subst
from tests.oracle.posix.generator import mutations, programs

HERE = Path(__file__).parent
GROWN, BROKEN, SEED = 1100, 1300, 20_260_101
LONGEST_GROWN = 700
SHFMT = Path(sys.executable).parent / "shfmt"
WARNING = re.compile(rb"^[^\n]*: warning: [^\n]*?(?:wanted `.*?'\))?$", re.MULTILINE | re.DOTALL)
WORDS_OF = {"CallExpr": "Args", "DeclClause": "Args", "LetClause": "Exprs"}
Command = tuple[str, ...]


def records(name: str) -> list[str]:
    """The records of a data file, without the sentence at its head."""
    text = (HERE / name).read_bytes().decode("utf-8")
    return text.removesuffix("\n%%\n").split("\n%%\n")[1:]


def corpus() -> list[str]:
    """Every program to compare, each once."""
    written = records("written.txt")
    grown = [text for text in programs(GROWN, SEED) if len(text) <= LONGEST_GROWN]
    broken = mutations([*written, *grown], BROKEN, SEED)
    return list(dict.fromkeys([*written, *grown, *(t for t in broken if "\0" not in t)]))


def disagreements() -> list[tuple[str, str, str]]:
    """The listed differences: kind, reason and program."""
    found = []
    for record in records("disagreements.txt"):
        head, _, text = record.partition("\n")
        kind, _, reason = head.partition(": ")
        found.append((kind, reason, text))
    return found


def bash_version() -> str:
    """Major and minor version; empty without bash."""
    bash = shutil.which("bash")
    if bash is None:
        return ""
    asked = [bash, "-c", "echo ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}"]
    return subprocess.run(asked, capture_output=True, text=True).stdout.strip()


def bash_accepts(text: str) -> bool:
    """bash's own syntax check, extended patterns on; it exits with 0 after some errors."""
    asked = ["bash", "--norc", "-O", "extglob", "-n"]
    done = subprocess.run(asked, input=text.encode(), capture_output=True)
    return done.returncode == 0 and not WARNING.sub(b"", done.stderr).strip()


def we_accept(text: str) -> bool:
    """Our parser takes the text for well-formed; what fails only at run time is partial."""
    return parse(text, ShellEnv()).status is not ParseStatus.INVALID


def shfmt_commands(text: str) -> list[Command] | None:
    """The words of each command as written, or None if shfmt refuses the text."""
    asked = [SHFMT, "-ln", "bash", "--to-json"]
    done = subprocess.run(asked, input=text.encode(), capture_output=True)
    if done.returncode != 0:
        return None
    raw = text.encode()
    return sorted(call_words(json.loads(done.stdout), raw))


def call_words(node: Any, raw: bytes) -> Iterator[Command]:
    """The commands below a node of shfmt's tree."""
    if isinstance(node, list):
        for item in node:
            yield from call_words(item, raw)
    elif isinstance(node, dict):
        key = WORDS_OF.get(node.get("Type", ""))
        if key is not None:
            # Of `let` and the declaring builtins the tree has the name apart from the arguments.
            head = () if key == "Args" and "Variant" not in node else (command_name(node, raw),)
            yield (*head, *(source_of(arg, raw) for arg in node.get(key) or []))
        for value in node.values():
            yield from call_words(value, raw)


def source_of(node: dict[str, Any], raw: bytes) -> str:
    """The text of a node of shfmt's tree."""
    return raw[node["Pos"]["Offset"] : node["End"]["Offset"]].decode("utf-8", "replace")


def command_name(node: dict[str, Any], raw: bytes) -> str:
    """The first word of a node."""
    return source_of(node, raw).split()[0]


def our_commands(text: str) -> list[Command]:
    """The same of our tree."""
    parser = ShellParser(text, 0, len(text), Ledger(), Places())
    return sorted(tree_words(parser.run(), text))


def tree_words(node: object, text: str) -> Iterator[Command]:
    """The simple commands below a node of our tree."""
    if isinstance(node, list | tuple):
        for item in node:
            yield from tree_words(item, text)
    elif is_dataclass(node):
        if isinstance(node, Subst) and not node.located:
            return
        if isinstance(node, Simple) and (node.words or node.assigns):
            yield tuple(text[word.start : word.end] for word in node.words)
        for field in fields(node):
            yield from tree_words(getattr(node, field.name), text)
