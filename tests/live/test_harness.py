"""The harness itself: real agents obey a stub hook, so a later verdict can be trusted."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.harness import Sandbox
from tests.live import stub_hook
from tests.live.conftest import make_driver
from tests.live.drivers import DRIVERS, Outcome, TalkingDriver
from tests.live.matrix.course import Course

pytestmark = pytest.mark.live


def run_with_stub(agent: TalkingDriver, box: Sandbox, answer: str) -> tuple[Outcome, list[dict]]:
    log = box.root / "stub.jsonl"
    command = shlex.join([sys.executable, str(Path(stub_hook.__file__)), str(log), answer])
    agent.config_file(box).write_text(agent.user_config(box, command), encoding="utf-8")
    effect = box.project / "effect.txt"
    steps = [agent.shell(f"echo hi > {effect}")]
    outcome = agent.run(box, steps)
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return outcome, [json.loads(line) for line in lines]


def test_agent_runs_the_scripted_command_when_the_stub_allows(
    agent: TalkingDriver, box: Sandbox
) -> None:
    outcome, calls = run_with_stub(agent, box, "allow")
    assert (box.project / "effect.txt").read_text(encoding="utf-8") == "hi\n", outcome.output
    assert [call["tool_name"] for call in calls] == ["Bash"]
    assert len(outcome.turns) == 2
    assert outcome.exit == 0


def test_agent_does_not_run_the_command_when_the_stub_denies(
    agent: TalkingDriver, box: Sandbox
) -> None:
    outcome, calls = run_with_stub(agent, box, "deny")
    assert not (box.project / "effect.txt").exists()
    assert len(calls) == 1
    assert outcome.model_saw(stub_hook.REASON), outcome.output


# One agent does not run twice at once: some share a server, or a folder of packages.
@pytest.mark.parametrize(
    "key", [pytest.param(k, marks=pytest.mark.xdist_group(k), id=k) for k in sorted(DRIVERS)]
)
def test_every_call_of_the_course_really_happens_without_us(key: str, box: Sandbox) -> None:
    driver = make_driver(key)
    driver.prepare(box)
    course = Course(driver, box)
    outcome = driver.run(box, course.script(), arguments=driver.mcp_arguments(box))
    missing = [(act.check, act.refused) for act in course.acts if not act.happened(outcome)]
    assert missing == [], outcome.output
    assert outcome.exit == 0
    assert [len(told) for told in course.answers(outcome)] == [1] * len(course.alone)
