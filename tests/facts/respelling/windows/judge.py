"""The verdict on text of a Windows dialect, and the commands that the respellings start from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from defenseclaw.core.tool import FieldRole, Platform, ToolCall, ToolFamily, ToolSpec
from tests.facts.respelling.judge import Judged, judge_call
from tests.facts.respelling.model import Respelling

CWD, HOME = "C:\\Users\\dana\\project", "C:\\Users\\dana"
FOLDER = Path(__file__).resolve().parent.parent
SPECS = {
    dialect: ToolSpec("shell", ToolFamily.SHELL, {"command": FieldRole.COMMAND}, dialect)
    for dialect in ("powershell", "cmd")
}


@dataclass(frozen=True, slots=True)
class Mention:
    """A form that names a text; None where it cannot hold it."""

    name: str
    form: Callable[[str], str | None]
    adds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Language:
    """A Windows dialect: its respellings, and its forms that only mention a command."""

    name: str
    respellings: tuple[Respelling, ...]
    mentions: tuple[Mention, ...]

    def judge(self, text: str) -> Judged:
        """The verdict on a text of this dialect."""
        return judge_call(call_of(self.name, text))

    def plains(self, kind: str) -> list[str]:
        """The commands of one kind, ``dangerous`` or ``harmless``."""
        return list(_rows(self.name)[kind])

    def seeds(self) -> dict[str, Judged]:
        """All commands with their verdicts."""
        return _seeds(self.name)


def call_of(dialect: str, text: str) -> ToolCall:
    """A call of a shell tool on Windows."""
    return ToolCall(
        "shell", {"command": text}, CWD, HOME, platform=Platform.WINDOWS, spec=SPECS[dialect]
    )


@cache
def _rows(dialect: str) -> Mapping[str, list[str]]:
    found: Mapping[str, list[str]] = yaml.safe_load(
        (FOLDER / dialect / "seeds.yaml").read_text(encoding="utf-8")
    )
    return found


@cache
def _seeds(dialect: str) -> dict[str, Judged]:
    texts = [text for rows in _rows(dialect).values() for text in rows]
    return {text: judge_call(call_of(dialect, text)) for text in texts}
