"""Consent records: the agent's own digest, at the right place, and nobody else's touched."""

from __future__ import annotations

import tomllib
from typing import Any

from defenseclaw.setup.model import Hook
from defenseclaw.setup.trust import trust_key, trusted_hash
from tests.setup.world import World

FOREIGN = """\
[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "/bin/a"

[hooks.state."{file}:pre_tool_use:0:0"]
trusted_hash = "sha256:aa"
"""


def state_of(world: World) -> dict[str, Any]:
    hooks = tomllib.loads(world.file.read_text(encoding="utf-8")).get("hooks", {})
    return dict(hooks.get("state", {}))


def test_the_digest_is_the_agents_own() -> None:
    # Both values were computed by the agent itself (hooks/list, version 0.171.0).
    assert trusted_hash(Hook("PreToolUse", "/bin/true", 30, "*")) == (
        "sha256:c832ae8589deed08c1feaf23639b5943ac06b9da112693d7f507ecdb8904601c"
    )
    assert trusted_hash(Hook("Stop", "/bin/true", 600)) == (
        "sha256:fef68b1a8a8090019e0421bcd64cfac1f7b7c21980e2f35d49b46427395a6dda"
    )


def test_a_record_is_named_by_file_event_and_place() -> None:
    assert trust_key("/c/config.toml", "SessionStart", (2, 1)) == "/c/config.toml:session_start:2:1"


def test_our_records_stand_beside_those_of_the_user(toml_world: World) -> None:
    before = toml_world.write(FOREIGN.format(file=toml_world.file))
    toml_world.register()
    state = state_of(toml_world)
    assert state[f"{toml_world.file}:pre_tool_use:0:0"] == {"trusted_hash": "sha256:aa"}
    assert f"{toml_world.file}:pre_tool_use:1:0" in state
    assert len(state) == 11
    toml_world.unregister()
    assert toml_world.file.read_bytes() == before


def test_a_foreign_hook_in_front_and_behind_keeps_its_record(toml_world: World) -> None:
    toml_world.register()
    behind = (
        '\n[[hooks.PreToolUse]]\nmatcher = "X"\n[[hooks.PreToolUse.hooks]]\ncommand = "/bin/b"\n'
    )
    record = f'[hooks.state."{toml_world.file}:pre_tool_use:1:0"]\ntrusted_hash = "sha256:bb"\n'
    toml_world.write(toml_world.file.read_text(encoding="utf-8") + behind + record)
    assert toml_world.register().changed == ()
    toml_world.unregister()
    data = tomllib.loads(toml_world.file.read_text(encoding="utf-8"))
    # The place in front stays, so that the consent to the hook behind still counts.
    assert data["hooks"]["PreToolUse"][1]["hooks"] == [{"command": "/bin/b"}]
    assert data["hooks"]["state"] == {
        f"{toml_world.file}:pre_tool_use:1:0": {"trusted_hash": "sha256:bb"}
    }
    toml_world.register()
    assert toml_world.verify().complete


def test_a_record_that_the_user_switched_off_is_reported_and_renewed(toml_world: World) -> None:
    toml_world.register()
    text = toml_world.file.read_text(encoding="utf-8")
    toml_world.write(text.replace("trusted_hash", "enabled = false\ntrusted_hash", 1))
    state = toml_world.verify()
    assert (state.registered, state.complete, state.trusted) == (True, False, False)
    toml_world.register()
    assert toml_world.verify().trusted
    assert "enabled = false" not in toml_world.file.read_text(encoding="utf-8")


def test_a_missing_record_is_reported(toml_world: World) -> None:
    toml_world.register()
    text = toml_world.file.read_text(encoding="utf-8")
    toml_world.write(text.replace("sha256:", "sha256:0", 1))
    assert toml_world.verify().trusted is False


def test_a_linked_home_is_recorded_under_both_of_its_names(toml_world: World) -> None:
    real = toml_world.root / "dotfiles"
    real.mkdir()
    toml_world.file.parent.symlink_to(real)
    toml_world.register()
    state = state_of(toml_world)
    for name in (toml_world.file, real / toml_world.file.name):
        assert f"{name}:stop:0:0" in state
    assert toml_world.verify().trusted
    toml_world.unregister()
    assert not toml_world.file.exists()
