"""The course that every agent runs: calls of every kind, one that is fine and one that is refused.

Each act knows how its effect is seen, so the same course shows that everything really happens
without us, and what of it happens with us.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tests.harness import Sandbox
from tests.live.drivers import Driver, Outcome
from tests.live.drivers.base import PROMPT
from tests.live.matrix.checks import Check
from tests.live.model_server import Script, Step, together

KEY_TEXT = "not-a-real-key-0123456789"
TASK = "tidy the other folder up"
CHILD_TIMEOUT_S = 40.0
Seen = Callable[[Outcome], bool]


@dataclass(frozen=True, slots=True)
class Act:
    """One call, whether our rules refuse it, and whether its effect was seen."""

    check: Check
    refused: bool
    step: Step
    happened: Seen


def created(path: Path) -> Seen:
    """A file is there."""
    return lambda _: path.exists()


def lost(folder: Path) -> Seen:
    """A folder is gone."""
    return lambda _: not folder.exists()


def plant_file(path: Path, text: str) -> Path:
    """A file of the user, and its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def authorized_keys(home: Path) -> Path:
    """Where somebody would have to write to get in as this user."""
    return home / ".ssh" / "authorized_keys"


def shell_acts(agent: Driver, box: Sandbox) -> list[Act]:
    """A note that is written, and a folder that is deleted."""
    effect, planted = box.project / "effect.txt", box.plant()
    return [
        Act(Check.RUNS, False, agent.shell(f"echo hi > {effect}"), created(effect)),
        Act(Check.BLOCKED, True, agent.destroy(planted), lost(planted)),
    ]


def file_acts(agent: Driver, box: Sandbox) -> list[Act]:
    """The agent's own tools for files."""
    note, keys = box.project / "note.txt", agent.guarded_file(box)
    private = plant_file(box.home / ".ssh" / "id_ed25519", KEY_TEXT + "\n")
    public = plant_file(box.project / "public.txt", "nothing to hide\n")
    return [
        Act(Check.WRITE, False, agent.write(note, "hi\n"), created(note)),
        Act(Check.WRITE, True, agent.write(keys, "ssh-ed25519 AAAA x\n"), created(keys)),
        Act(Check.READ, False, agent.read(public), lambda seen: seen.model_saw("to hide")),
        Act(Check.READ, True, agent.read(private), lambda seen: seen.model_saw(KEY_TEXT)),
    ]


def server_acts(agent: Driver, box: Sandbox) -> list[Act]:
    """The tool of the stub server, which creates a file."""
    note, keys = box.project / "touched.txt", authorized_keys(box.root / "outside")
    keys.parent.mkdir(parents=True, exist_ok=True)
    return [
        Act(Check.TOOL_SERVER, False, agent.mcp("touch", path=str(note)), created(note)),
        Act(Check.TOOL_SERVER, True, agent.mcp("touch", path=str(keys)), created(keys)),
    ]


def parallel_acts(agent: Driver, box: Sandbox) -> list[Act]:
    """Two shell calls in one message."""
    note, planted = box.project / "beside.txt", box.plant("outside/beside")
    return [
        Act(Check.PARALLEL, False, agent.shell(f"echo hi > {note}"), created(note)),
        Act(Check.PARALLEL, True, agent.destroy(planted), lost(planted)),
    ]


def child_acts(agent: Driver, box: Sandbox) -> list[Act]:
    """What a subagent does."""
    note, planted = box.project / "below.txt", box.plant("outside/below")
    return [
        Act(Check.SUBAGENT, False, agent.shell(f"echo hi > {note}"), created(note)),
        Act(Check.SUBAGENT, True, agent.destroy(planted), lost(planted)),
    ]


def is_childs(request: str) -> bool:
    """Whether a model request is a subagent's: it has the task and not the user's words."""
    return TASK in request and PROMPT not in request


class Course:
    """All acts that one agent can do, and the script that plays them."""

    def __init__(
        self, agent: Driver, box: Sandbox, wanted: Callable[[Act], bool] = lambda act: True
    ) -> None:
        self.agent, self.wanted = agent, wanted
        alone = [*shell_acts(agent, box), *file_acts(agent, box), *server_acts(agent, box)]
        self.alone = self.possible(alone)
        self.beside = self.possible(parallel_acts(agent, box))
        self.below = self.possible(child_acts(agent, box))

    def possible(self, acts: Sequence[Act]) -> list[Act]:
        """The wanted acts that this agent can do."""
        cannot = self.agent.cannot
        return [act for act in acts if act.check not in cannot and self.wanted(act)]

    @property
    def acts(self) -> list[Act]:
        """Everything that is played."""
        return [*self.alone, *self.beside, *self.below]

    def script(self, before: Mapping[int, Callable[[], object]] = {}) -> Script:
        """The acts one after the other, then those beside each other, then the subagent's."""
        steps = [act.step for act in self.alone]
        if self.beside:
            steps.append(together(*(act.step for act in self.beside)))
        if not self.below:
            return Script(steps, before)
        child = Script([act.step for act in self.below])
        wait = {len(steps) + 1: lambda: child.finished.wait(CHILD_TIMEOUT_S)}
        steps.append(self.agent.delegate(TASK))
        return Script(steps, {**before, **wait}, [(is_childs, child)])

    def answers(self, outcome: Outcome) -> list[list[str]]:
        """What the model was told after each act that was alone."""
        turns = [turn.results for turn in outcome.turns if PROMPT in str(turn.body)]
        told = [after[len(before) :] for before, after in pairwise(turns)]
        return told[: len(self.alone)]
