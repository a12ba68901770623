"""What the bytes of a script are, and how far what they do may count for the call that runs it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from defenseclaw.artifact.limits import MAX_SHEBANG_BYTES
from defenseclaw.artifact.plan import POSIX, POWERSHELL, Candidate
from defenseclaw.core.facts import ActionFacts, ParseStatus, restricted
from defenseclaw.core.tool import ToolCall, ToolSpec

SHEBANG_SHELLS: Mapping[str, str] = {
    **dict.fromkeys(("sh", "bash", "zsh", "dash", "ksh", "mksh"), POSIX),
    **dict.fromkeys(("pwsh", "powershell", "pwsh.exe", "powershell.exe"), POWERSHELL),
}
HARMLESS_OPTIONS = frozenset("euxfhl")  # one group of letters that changes nothing about the text
_MOVING = frozenset({"cd", "pushd", "popd", "chdir", "set-location", "push-location"})


@dataclass(frozen=True, slots=True)
class Artifact:
    """A script as it will be read: ``text`` is what the language sees."""

    candidate: Candidate
    language: str
    text: str


def read_script(candidate: Candidate, body: bytes) -> Artifact | None:
    """The script in a file's bytes; None where nothing proves its language."""
    language = candidate.language or shebang_language(body)
    if not language:
        return None
    text = body.decode("utf-8", "replace")
    if body.startswith(b"#!"):
        text = text.partition("\n")[2]
    return Artifact(candidate, language, text)


def shebang_language(body: bytes) -> str:
    """The language that a first line proves: a shell by its path or by ``env``, at most with one
    group of options that change nothing; empty for anything else."""
    line = body[: MAX_SHEBANG_BYTES + 1].split(b"\n", 1)[0]
    if not line.startswith(b"#!") or len(line) > MAX_SHEBANG_BYTES or not line.isascii():
        return ""
    words = line[2:].decode("ascii").rstrip(" \t").split(" ")
    if not all(word.isprintable() and word for word in words):
        return ""  # also a carriage return at the end, which the system takes for a name's part
    if words[0] == "/usr/bin/env":
        words = _behind_env(words[1:])
    elif not words[0].startswith("/"):
        return ""
    if not words or not all(map(_is_harmless, words[1:])) or len(words) > 2:
        return ""
    return SHEBANG_SHELLS.get(words[0].rpartition("/")[2].lower(), "")


def _behind_env(words: list[str]) -> list[str]:
    """The interpreter that ``env`` starts, and its options where ``-S`` splits them."""
    if words and words[0] == "-S":
        words = words[1:]
    elif len(words) > 1:
        return []
    return words if words and "/" not in words[0] and "=" not in words[0] else []


def _is_harmless(word: str) -> bool:
    return len(word) > 1 and word[0] == "-" and set(word[1:]) <= HARMLESS_OPTIONS


def inner_call(
    artifact: Artifact, outer: ToolCall, facts: ActionFacts, specs: Mapping[str, ToolSpec]
) -> ToolCall:
    """The script as a command of its language, in the folder that it inherits.

    A call that moves before it runs the script leaves that folder unknown.
    """
    spec = specs[artifact.language]
    moves = any(command.program in _MOVING for command in facts.commands)
    return ToolCall(
        tool=spec.name,
        args={"command": artifact.text},
        cwd="" if moves else outer.cwd,
        home=outer.home,
        platform=outer.platform,
        spec=spec,
        own_paths=outer.own_paths,
        hook_paths=outer.hook_paths,
    )


def may_enforce(artifact: Artifact, inner: ActionFacts) -> bool:
    """Whether what the script does may stop the call: it is understood, and it surely runs."""
    return artifact.candidate.may_enforce and inner.parse.status is ParseStatus.COMPLETE


def exact_view(facts: ActionFacts) -> ActionFacts:
    """The facts of those commands that surely run, one after the other."""
    exact: Collection[int] = {command.id for command in facts.commands if command.exact}
    return restricted(facts, exact.__contains__)
