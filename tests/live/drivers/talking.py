"""Drivers of agents that a person can talk with, and whose configuration we write by hand."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path

from tests.harness import Sandbox
from tests.live.drivers.base import Driver, Outcome
from tests.live.drivers.conversation import Json
from tests.live.model_server import Step


class TalkingDriver(Driver):
    """One agent that asks a person over its standard streams."""

    @abstractmethod
    def config_file(self, box: Sandbox) -> Path:
        """The file that registers hooks."""

    def transcript(self, box: Sandbox) -> str:
        """What the agent itself wrote down about its sessions."""
        records = sorted(self.config_file(box).parent.rglob("*.jsonl"))
        return "".join(record.read_text(encoding="utf-8") for record in records)

    @abstractmethod
    def user_config(self, box: Sandbox, hook_command: str) -> str:
        """A user's own configuration with one foreign hook that runs before shell calls."""

    @abstractmethod
    def asking(self, command: str) -> Step:
        """Run a shell command that this agent asks a person about before it runs."""

    @abstractmethod
    def talk(
        self, box: Sandbox, steps: Sequence[Step], approve: bool
    ) -> tuple[Outcome, list[Json]]:
        """One turn with a person who answers every question alike; the questions asked."""
