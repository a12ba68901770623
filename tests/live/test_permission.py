"""A person is at the keyboard: we never answer for them, and a block is no question."""

from __future__ import annotations

import json

import pytest

from tests.harness import Product, Sandbox
from tests.live.drivers import TalkingDriver
from tests.live.drivers.claude import Claude
from tests.live.test_claude import commit_and_change

pytestmark = pytest.mark.live


@pytest.mark.parametrize("approve", [True, False])
def test_our_allow_leaves_the_question_to_the_person(
    agent: TalkingDriver, box: Sandbox, product: Product, approve: bool
) -> None:
    product.protect(agent.connector)
    _, questions = agent.talk(box, [agent.asking("echo hi > effect.txt")], approve)
    assert len(questions) == 1
    assert (box.project / "effect.txt").exists() is approve
    rows = product.audit(agent.connector_key)
    assert {row["action"] for row in rows} == {"allow"}
    assert "PermissionRequest" in {row["event"] for row in rows}


def test_block_is_no_question_and_cannot_be_approved(
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    planted = box.plant()
    product.protect(agent.connector)
    _, questions = agent.talk(box, [agent.asking(f"rm -r {planted}")], approve=True)
    assert planted.exists()
    assert questions == []
    assert len(product.audit(agent.connector_key, action="block")) == 1


@pytest.mark.parametrize("approve", [True, False])
def test_confirm_becomes_the_agents_own_question(
    claude: Claude, box: Sandbox, product: Product, approve: bool
) -> None:
    file = commit_and_change(box)
    allowed = {"permissions": {"allow": ["Bash(git:*)"]}}
    claude.config_file(box).write_text(json.dumps(allowed), encoding="utf-8")
    assert claude.talk(box, [claude.shell("git status")], approve=False)[1] == []
    product.protect(claude.connector)
    _, questions = claude.talk(box, [claude.shell("git reset --hard")], approve)
    assert len(questions) == 1
    assert file.read_text(encoding="utf-8") == ("old\n" if approve else "new\n")
    [row] = product.audit("claudecode", event="PreToolUse")
    assert row["action"] == "confirm"
