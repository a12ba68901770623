"""Asking the agent: what it says counts, silence is reported, and nothing hangs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from defenseclaw.errors import SetupError
from defenseclaw.setup import trust_status
from defenseclaw.setup.introspect import is_managed_only
from tests.setup.world import World

SERVER = """\
#!{python}
import json, sys
answers = json.loads({answers!r})
if "--version" in sys.argv:
    print("codex-cli 0.171.0")
    sys.exit()
print("noise before the first answer", flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        answer = answers.get(message["method"], {{"result": {{}}}})
        print(json.dumps({{"jsonrpc": "2.0", "id": message["id"], **answer}}), flush=True)
"""


def serve(world: World, **answers: object) -> None:
    text = json.dumps({name.replace("_", "/"): answer for name, answer in answers.items()})
    world.program(SERVER.format(python=sys.executable, answers=text))


def listed(world: World, **hook: object) -> dict[str, object]:
    entry = {"command": world.command, "eventName": "stop", "trustStatus": "trusted", **hook}
    return {"result": {"data": [{"cwd": "/", "hooks": [entry]}]}}


@pytest.mark.parametrize("status,good", [("trusted", True), ("managed", True), ("modified", False)])
def test_the_agents_own_word_on_our_hooks_is_reported(
    toml_world: World, status: str, good: bool
) -> None:
    serve(toml_world, hooks_list=listed(toml_world, trustStatus=status))
    report = trust_status(toml_world.connector, toml_world.home, toml_world.options)
    assert report.hooks == {"stop": status}
    assert report.trusted is good


def test_a_hook_that_the_user_switched_off_is_not_trusted(toml_world: World) -> None:
    serve(toml_world, hooks_list=listed(toml_world, enabled=False))
    report = trust_status(toml_world.connector, toml_world.home, toml_world.options)
    assert report.hooks == {"stop": "disabled"}


def test_foreign_hooks_are_not_ours(toml_world: World) -> None:
    serve(toml_world, hooks_list=listed(toml_world, command="/bin/other"))
    report = trust_status(toml_world.connector, toml_world.home, toml_world.options)
    assert report.hooks == {}
    assert not report.trusted


@pytest.mark.parametrize(
    "answer",
    [{"error": {"code": -32601}}, {"result": None}, {"result": []}, {"result": {"data": "x"}},
     {"result": {"data": [{"hooks": [1, None]}]}}],
)  # fmt: skip
def test_an_odd_answer_is_no_trust(toml_world: World, answer: dict[str, object]) -> None:
    serve(toml_world, hooks_list=answer)
    assert not trust_status(toml_world.connector, toml_world.home, toml_world.options).trusted


@pytest.mark.parametrize("text", ["#!/bin/sh\nexit 0\n", "#!/bin/sh\nyes\n", "no program"])
def test_an_agent_that_does_not_answer_is_a_problem_in_the_report(
    toml_world: World, text: str
) -> None:
    toml_world.program(text)
    report = trust_status(toml_world.connector, toml_world.home, toml_world.options)
    assert report.problem
    assert not report.trusted


def test_an_agent_that_cannot_be_asked_says_so(json_world: World) -> None:
    report = trust_status(json_world.connector, json_world.home, json_world.options)
    assert "cannot be asked" in report.problem


def test_a_managed_only_requirement_refuses_setup(toml_world: World) -> None:
    answer = {"result": {"requirements": {"allowManagedHooksOnly": True}}}
    serve(toml_world, configRequirements_read=answer)
    assert is_managed_only(toml_world.connector, toml_world.options)
    with pytest.raises(SetupError, match="managed hooks only"):
        toml_world.register()
    assert not toml_world.file.exists()
    serve(toml_world, configRequirements_read={"result": {"requirements": None}})
    toml_world.register()


def test_setup_tells_what_the_agent_does_not_confirm(toml_world: World) -> None:
    serve(toml_world, hooks_list=listed(toml_world))
    assert toml_world.register().warnings == ()
    for answer, word in (
        ({"trustStatus": "modified"}, "stop modified"),
        ({"command": "x"}, "none"),
    ):
        toml_world.unregister()
        serve(toml_world, hooks_list=listed(toml_world, **answer))
        (warning,) = toml_world.register().warnings
        assert "does not confirm" in warning
        assert word in warning


def test_the_agent_is_asked_about_the_home_that_is_set_up(
    toml_world: World, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    toml_world.program(f'#!/bin/sh\necho "$CODEX_HOME" > {seen}\n')
    trust_status(toml_world.connector, toml_world.home, toml_world.options)
    assert seen.read_text(encoding="utf-8").strip() == str(toml_world.file.parent)
