"""The console script finds the settings of a connector and runs the same client."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.hook.stub import ALLOW, Outcome, event, install, run, serving

SCRIPT = str(Path(sys.executable).parent / "defenseclaw-hook")


def hook(*arguments: str, **env: str) -> Outcome:
    return run([SCRIPT, *arguments], event(), **env)


@pytest.mark.parametrize("name", ["claudecode", "claude", "claude-code", "Claude_Code"])
def test_settings_are_found_in_the_data_home(tmp_path: Path, name: str) -> None:
    with serving({**ALLOW, "stdout": "{}\n"}) as stub:
        made = install(tmp_path / "h", "claudecode", port=stub.port)
        done = hook(name, DEFENSECLAW_HOME=str(made.home))
    assert (done.stdout, done.stderr, done.exit) == ("{}\n", "", 0)


def test_default_data_home_is_below_the_user_s_home(tmp_path: Path) -> None:
    with serving(ALLOW) as stub:
        install(tmp_path / ".defenseclaw", port=stub.port)
        assert hook("codex", HOME=str(tmp_path)).exit == 0
    assert len(stub.requests) == 1


def test_named_settings_file_wins_over_the_environment(tmp_path: Path) -> None:
    with serving(ALLOW) as stub:
        made = install(tmp_path / "h", port=stub.port)
        done = hook("codex", "--settings", str(made.conf), DEFENSECLAW_HOME=str(tmp_path / "x"))
    assert done.exit == 0
    assert len(stub.requests) == 1


def test_event_can_be_bound(tmp_path: Path) -> None:
    with serving(ALLOW) as stub:
        made = install(tmp_path / "h", port=stub.port)
        hook("codex", "--event", "PreToolUse", DEFENSECLAW_HOME=str(made.home))
    assert b"\r\nX-DefenseClaw-Event: PreToolUse\r\n" in stub.requests[0]


def test_data_home_without_a_setup_is_closed_and_says_so(tmp_path: Path) -> None:
    done = hook("codex", DEFENSECLAW_HOME=str(tmp_path))
    assert done.exit == 2
    assert "the settings file is missing" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nobody",),
        ("codex", "--event"),
        ("codex", "--unknown", "x"),
        ("codex", "extra"),
        ("codex", "--event", "A", "--event", "B"),
    ],
)
def test_f28_wrong_usage_exits_two(arguments: tuple[str, ...]) -> None:
    done = hook(*arguments)
    assert (done.stdout, done.exit) == ("", 2)
    assert "codex" in done.stderr


def test_help_is_printed() -> None:
    done = hook("--help")
    assert done.exit == 0
    assert "CONNECTOR" in done.stdout
