"""What the model says, step by step."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

IDLE_TEXT = "ok"
END_TEXT = "done"


class StepKind(StrEnum):
    """What a model can answer with."""

    TEXT = "text"
    TOOL = "tool"
    CUSTOM = "custom"  # a free-form call of the Responses format
    SEVERAL = "several"  # calls in one message


@dataclass(frozen=True, slots=True)
class Step:
    """One assistant message: text, a function call, a free-form call or several calls."""

    kind: StepKind
    name: str = ""
    value: Any = ""
    namespace: str = ""

    @property
    def is_call(self) -> bool:
        """Whether the agent has to run something."""
        return self.kind is not StepKind.TEXT

    @property
    def parts(self) -> tuple[Step, ...]:
        """The pieces of the message."""
        return self.value if self.kind is StepKind.SEVERAL else (self,)


def say(text: str) -> Step:
    """A message of plain text, which ends the turn."""
    return Step(StepKind.TEXT, value=text)


def tool(name: str, namespace: str = "", /, **arguments: Any) -> Step:
    """A call of a tool with JSON arguments."""
    return Step(StepKind.TOOL, name, arguments, namespace)


def custom(name: str, text: str) -> Step:
    """A call of a free-form tool."""
    return Step(StepKind.CUSTOM, name, text)


def together(*calls: Step) -> Step:
    """Several calls in one message, which an agent may run at the same time."""
    return Step(StepKind.SEVERAL, value=calls)


@dataclass(slots=True)
class Script:
    """A thread-safe queue of steps.

    ``before`` runs something just before a step is served. ``lanes`` are scripts of their own for
    the requests that they fit, such as those of a subagent. ``finished`` is set once the final
    text was served.
    """

    steps: Sequence[Step]
    before: Mapping[int, Callable[[], object]] = field(default_factory=dict)
    lanes: Sequence[tuple[Callable[[str], bool], Script]] = ()
    used: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    finished: threading.Event = field(default_factory=threading.Event)

    def take(self, request: str) -> Step:
        """The next step for a request, or the final text when all were used."""
        for fits, lane in self.lanes:
            if fits(request):
                return lane.take(request)
        with self.lock:
            if action := self.before.get(self.used):
                action()
            if self.used >= len(self.steps):
                self.finished.set()
                return say(END_TEXT)
            self.used += 1
            return self.steps[self.used - 1]
