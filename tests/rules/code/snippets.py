"""Snippets of code as labelled rows: a line ``=== path`` or ``=== path | RULE``, then the text.

What looks like a credential stands in two pieces with ``¦`` between them, so that no scanner takes
these files for a leak.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from defenseclaw.core.event import EventSpec, HookEvent, Route
from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import ToolCall
from defenseclaw.core.verdict import Mode, Profile
from defenseclaw.engine import Decision, Snapshot, decide_event
from defenseclaw.facts import GLOBAL_TOOLS
from defenseclaw.rules import build_generation
from tests.rules.test_catalog import PACK

HERE = Path(__file__).parent
PROJECT, HOME = "/home/dana/project", "/home/dana"
EVENT = EventSpec("PreToolUse", Route.PROPOSAL, can_block=True, can_ask=True)
SNAPSHOTS = {
    profile: Snapshot(build_generation([PACK], profile), Posture(mode=Mode.ACTION, profile=profile))
    for profile in Profile
}


@dataclass(frozen=True)
class Snippet:
    """One file's text, and the rule that has to speak about it, if one has."""

    place: str
    path: str
    text: str
    rule: str = ""


def snippets(folder: str) -> list[Snippet]:
    """All snippets of a folder."""
    return [item for file in sorted((HERE / folder).glob("*.txt")) for item in _read(file)]


def _read(file: Path) -> Iterator[Snippet]:
    for number, part in enumerate(file.read_text(encoding="utf-8").split("=== ")[1:]):
        head, _, text = part.partition("\n")
        path, _, rule = head.partition(" | ")
        yield Snippet(f"{file.stem}-{number}-{path}", path, text.replace("¦", ""), rule.strip())


def judge(path: str, text: str, profile: Profile = Profile.DEFAULT) -> Decision:
    """The decision about writing a file."""
    args = {"file_path": f"{PROJECT}/{path}", "content": text}
    call = ToolCall("Write", args, PROJECT, HOME, spec=GLOBAL_TOOLS["Write"])
    return decide_event(HookEvent("eval", EVENT, cwd=PROJECT, call=call), SNAPSHOTS[profile])
