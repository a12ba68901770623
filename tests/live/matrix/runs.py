"""One agent, one throwaway user and our product: what a run of the course left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.harness import Product, Sandbox, make_sandbox
from tests.live.drivers import DRIVERS, Driver, Outcome
from tests.live.matrix.checks import Check
from tests.live.matrix.course import Act, Course
from tests.live.roster import ROOT, installation, read_roster, shelve

Row = dict[str, Any]
OUR_NAMES = (b"DefenseClaw", b"defenseclaw-", b"defenseclaw_", b".defenseclaw")


@dataclass(frozen=True, slots=True)
class World:
    """A user who has one agent and our product, before anything is set up."""

    agent: Driver
    box: Sandbox
    product: Product

    def play(self, course: Course, **options: Any) -> Outcome:
        """Run the agent on a course."""
        arguments = self.agent.mcp_arguments(self.box)
        return self.agent.run(self.box, course.script(**options), arguments=arguments)

    def rows(self, **wanted: object) -> list[Row]:
        """Audit rows of the agent, oldest first."""
        return self.product.audit(self.agent.connector_key, **wanted)


@contextmanager
def make_world(key: str) -> Iterator[World]:
    """A new user with this agent; its gateway is stopped at the end."""
    agent = DRIVERS[key](read_roster()[key], installation())
    with make_sandbox() as box:
        agent.prepare(box)
        with closing(Product(box, shelve(box.root / "agents", [key]))) as product:
            yield World(agent, box, product)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What happened of each act, what the model was told, and what we recorded."""

    acts: Sequence[tuple[Act, bool]]
    answers: Sequence[tuple[Act, str]]
    rows: Sequence[Row]
    failures: Sequence[Row]
    outcome: Outcome

    def happened(self, check: Check) -> dict[bool, bool]:
        """For the act that is fine (False) and the one that is refused (True): did it happen."""
        return {act.refused: seen for act, seen in self.acts if act.check is check}

    def blocked_rules(self) -> set[str]:
        """Every rule of a blocked call."""
        return {rule for row in self.rows if row["action"] == "block" for rule in row["rules"]}

    def report(self) -> str:
        """What a failing test shows."""
        acts = [f"{act.check.name} refused={act.refused} ran={seen}" for act, seen in self.acts]
        told = [f"{act.check.name}: {text[:300]}" for act, text in self.answers]
        rows = [f"{row['event']} {row['tool']} {row['action']} {row['rules']}" for row in self.rows]
        return "\n".join([*acts, *told, *rows, *map(str, self.failures), self.outcome.output])


def run_course(
    world: World, wanted: Callable[[Act], bool] = lambda act: True,
    before: Mapping[int, Callable[[], object]] = {},
) -> Evidence:  # fmt: skip
    """Let the agent run the wanted acts of the course and look at what is there afterwards."""
    course = Course(world.agent, world.box, wanted)
    outcome = world.play(course, before=before)
    acts = [(act, act.happened(outcome)) for act in course.acts]
    told = zip(course.alone, map("\n".join, course.answers(outcome)), strict=False)
    return Evidence(acts, list(told), world.rows(), world.product.failures(), outcome)


def run_shell(world: World, before: Mapping[int, Callable[[], object]] = {}) -> Evidence:
    """Only the two shell calls of the course."""
    return run_course(world, lambda act: act.check in {Check.RUNS, Check.BLOCKED}, before)


def snapshot(*folders: Path) -> dict[Path, bytes]:
    """Every file below these folders; links are what they point to, not what is there."""
    return {
        path: str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def speaks_of_us(data: bytes, box: Sandbox) -> bool:
    """Whether a file names our data home or one of our programs; the checkout's name is no sign."""
    if str(box.data).encode() in data:
        return True
    rest = data.replace(str(box.root).encode(), b"").replace(str(ROOT).encode(), b"")
    return any(mark in rest for mark in OUR_NAMES)


def traces(before: Mapping[Path, bytes], after: Mapping[Path, bytes], box: Sandbox) -> list[Path]:
    """Files that are gone or changed, and new ones that speak of us; agents leave files too."""
    lost = [path for path, data in before.items() if after.get(path) != data]
    added = [path for path in after if path not in before]
    return lost + [path for path in added if speaks_of_us(after[path], box)]
