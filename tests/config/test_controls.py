"""Files of lists, suppressions and an administrator's policy: edited whole, refused precisely."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from defenseclaw.config import (
    MAX_LIFE_MS,
    Source,
    drop_row,
    drop_suppression,
    edit_config,
    load_config,
    load_lists,
    load_suppressions,
    put_row,
    put_suppressions,
)
from defenseclaw.core.controls import ListAction, ListRow, Subject, Suppression
from defenseclaw.core.verdict import FailMode, Mode, Profile
from defenseclaw.errors import ConfigError
from defenseclaw.platform import DataHome, file_mode

ROW = ListRow(Subject.TOOL, "Write", ListAction.BLOCK, "codex", 'why "so"', "2030-01-01T00:00:00Z")
SUPPRESSION = Suppression("s-1", "PATH-ENV", "Bash", "mine", 1000, 86_400_000, path="/home/d/app")
POLICY = """\
version = 1
[minimum]
mode = "action"
fail_mode = "closed"
profile = "default"
[block.mcp."files"]
reason = "company rule"
"""


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    home = DataHome(tmp_path / "home", managed_policy=tmp_path / "policy.toml")
    home.create()
    return home


def test_rows_are_kept_beside_what_people_wrote(home: DataHome) -> None:
    put_row(home, ROW)
    text = home.lists.read_text(encoding="utf-8") + "# mine\n"
    home.lists.write_text(text, encoding="utf-8")
    put_row(home, ListRow(Subject.MCP, "files", ListAction.BLOCK))
    assert load_lists(home)[0] == ROW
    assert "# mine" in home.lists.read_text(encoding="utf-8")
    assert file_mode(home.lists) == 0o600
    assert drop_row(home, Subject.TOOL, "codex", "WRITE")
    assert not drop_row(home, Subject.TOOL, "", "Write")
    assert [row.name for row in load_lists(home)] == ["files"]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("version = 2", "version"),
        ("version = 1\n[skill.x]", "skill"),
        ("version = 1\n[tool.Bash]", "tool.Bash.action"),
        ('version = 1\n[tool.Bash]\naction = "deny"', "tool.Bash.action"),
        ('version = 1\n[tool.Bash]\naction = "block"\nexcept = 1', "tool.Bash.except"),
        ('version = 1\n[tool."@codex"]\naction = "block"', "tool.@codex"),
        ("version = 1\n[tool.Bash", "the file"),
    ],
)
def test_wrong_list_is_refused_by_its_place(home: DataHome, text: str, where: str) -> None:
    home.lists.write_text(text, encoding="utf-8")
    home.lists.chmod(0o600)
    with pytest.raises(ConfigError, match=r"lists\.toml") as caught:
        load_lists(home)
    assert where in caught.value.what
    assert caught.value.impact
    assert caught.value.hint


def test_suppressions_are_kept_and_removed_one_by_one(home: DataHome) -> None:
    second = Suppression("s-2", "CMD-SUDO", "Bash", "mine", 1000, 2000, call="ab", connector="amp")
    put_suppressions(home, (SUPPRESSION, second))
    assert load_suppressions(home) == (SUPPRESSION, second)
    assert drop_suppression(home, "s-1")
    assert not drop_suppression(home, "s-1")
    assert load_suppressions(home) == (second,)


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"rule": "SELF-OWN-STATE"}, "s-1"),
        ({"path": "/home/d"}, "s-1"),
        ({"reason": ""}, "s-1.reason"),
        ({"expires_ms": 2000 + MAX_LIFE_MS}, "s-1.expires"),
    ],
)
def test_suppression_that_may_not_stand_is_never_written(
    home: DataHome, changes: dict[str, object], where: str
) -> None:
    row = {name: getattr(SUPPRESSION, name) for name in SUPPRESSION.__slots__} | changes
    with pytest.raises(ConfigError) as caught:
        put_suppressions(home, (Suppression(**row),))
    assert where in caught.value.what
    assert not home.suppressions.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only an administrator can own the policy")
def test_policy_tightens_and_never_loosens(home: DataHome) -> None:
    home.managed_policy.write_text(POLICY, encoding="utf-8")
    home.managed_policy.chmod(0o644)
    edit_config(home, {("guardrail", "mode"): "observe", ("guardrail", "fail_mode"): "open"})
    edit_config(home, {("guardrail", "connectors", "codex", "profile"): "strict"})
    config = load_config(home)
    posture = config.posture("codex")
    assert (posture.mode, posture.fail_mode) == (Mode.ACTION, FailMode.CLOSED)
    assert posture.profile is Profile.STRICT
    assert config.source("codex", "mode") is Source.MANAGED
    assert config.source("codex", "profile") is Source.CONNECTOR
    [row] = config.managed.rows
    assert (row.subject, row.name, row.action, row.managed) == (
        Subject.MCP, "files", ListAction.BLOCK, True,
    )  # fmt: skip


@pytest.mark.parametrize(
    "text", ["version = 1\n[allow.tool.Bash]", "version = 1\n[minimum]\nmode = 1", "version ="]
)
def test_policy_that_is_not_understood_refuses_the_configuration(home: DataHome, text: str) -> None:
    edit_config(home, {})
    home.managed_policy.write_text(text, encoding="utf-8")
    home.managed_policy.chmod(0o644 if os.geteuid() == 0 else 0o600)
    if os.geteuid() != 0:
        assert load_config(home).managed.mode is None
        return
    with pytest.raises(ConfigError, match=r"policy\.toml"):
        load_config(home)


def test_policy_that_others_may_write_has_no_effect_and_is_reported(home: DataHome) -> None:
    edit_config(home, {})
    home.managed_policy.write_text(POLICY, encoding="utf-8")
    home.managed_policy.chmod(0o666)
    config = load_config(home)
    assert config.managed.mode is None
    assert any("has no effect" in warning for warning in config.warnings)
