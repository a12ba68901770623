"""The registered launcher: what it trusts, and what it answers when the client cannot run."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from defenseclaw.connectors import (
    CLIENT_STATUS,
    CONNECTORS,
    MARKER,
    TOMBSTONE_MARKER,
    UnsafeValueError,
    launcher_text,
    settings_text,
    tombstone_text,
)
from defenseclaw.core.verdict import FailMode
from tests.hook.stub import ALLOW, HOOK, Install, event, install, run, serving

MODES = (FailMode.OPEN, FailMode.CLOSED)
SHELLS = [shell for shell in ("/bin/sh", "/bin/bash") if Path(shell).exists()]


def launcher_with(made: Install, **changes: str) -> None:
    """Rewrite the launcher with another boot, settings file or interpreter."""
    boot = changes.pop("boot", str(made.home / "no-boot.py"))
    conf = changes.pop("conf", str(made.conf))
    made.launcher.write_text(launcher_text(made.settings, boot=boot, settings_file=conf))


def test_marker_is_the_second_line_and_the_script_is_plain_sh(tmp_path: Path) -> None:
    lines = install(tmp_path / "h").launcher.read_text().split("\n")
    assert lines[:2] == ["#!/bin/sh", MARKER]
    assert tombstone_text(CONNECTORS["codex"]).split("\n")[:2] == ["#!/bin/sh", TOMBSTONE_MARKER]


def test_text_does_not_depend_on_address_token_or_version(tmp_path: Path) -> None:
    made = install(tmp_path / "h")
    before = made.launcher.read_text()
    changed = made.with_settings(address="127.0.0.1:1", version="9.9.9", gateway="/x")
    assert changed.launcher.read_text() == before


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("missing", ["interpreter", "boot", "settings"])
def test_missing_part_ends_in_the_baked_fail_mode(
    tmp_path: Path, mode: FailMode, missing: str
) -> None:
    made = install(tmp_path / "h", fail_mode=mode)
    if missing == "interpreter":
        made = made.with_settings(python=str(tmp_path / "no-python"))
    elif missing == "boot":
        launcher_with(made)
    else:
        made.conf.unlink()
    done = made.run(event())
    assert (done.stdout, done.exit) == ("", 0 if mode is FailMode.OPEN else 2)
    verb = "allowing" if mode is FailMode.OPEN else "blocking"
    assert done.stderr.startswith(f"defenseclaw: hook client cannot run, {verb} this event")
    assert "no policy was consulted" in done.stderr


@pytest.mark.parametrize("body", ["exit 1", "exit 127", "kill -9 $$", "exit 3"])
def test_interpreter_that_breaks_does_not_open_a_closed_hook(tmp_path: Path, body: str) -> None:
    broken = tmp_path / "python"
    broken.write_text(f"#!/bin/sh\n{body}\n")
    broken.chmod(0o755)
    done = install(tmp_path / "h").with_settings(python=str(broken)).run(event())
    assert done.exit == 2
    assert "hook client cannot run" in done.stderr


def copied_client(tmp_path: Path) -> tuple[Install, Path]:
    """An installation that runs from a copy of the client, and the folder of that copy."""
    folder = tmp_path / "hook"
    shutil.copytree(HOOK, folder, ignore=shutil.ignore_patterns("__pycache__"))
    made = install(tmp_path / "h")
    launcher_with(made, boot=str(folder / "boot.py"))
    return made, folder


@pytest.mark.parametrize("name", ["boot.py", "client.py", "wire.py", "answers.py", "failure.py"])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.6, 0.8, 0.9, 0.98])
def test_file_that_was_cut_short_does_not_open_a_closed_hook(
    tmp_path: Path, name: str, share: float
) -> None:
    made, folder = copied_client(tmp_path)
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[: int(len(content) * share)])
    assert made.run(event()).exit == 2


def test_every_line_of_the_entry_file_is_needed(tmp_path: Path) -> None:
    made, folder = copied_client(tmp_path)
    lines = (folder / "boot.py").read_text().splitlines(keepends=True)
    for size in range(len(lines)):
        (folder / "boot.py").write_text("".join(lines[:size]))
        assert made.run(event()).exit == 2, lines[:size]


@pytest.mark.parametrize("status", [0, 1, 2, 3, 120, 126, 127])
def test_interpreter_that_ends_without_an_answer_is_no_answer(tmp_path: Path, status: int) -> None:
    idle = tmp_path / "python"
    idle.write_text(f"#!/bin/sh\nexit {status}\n")
    idle.chmod(0o755)
    for mode in MODES:
        done = install(tmp_path / mode, fail_mode=mode).with_settings(python=str(idle)).run(event())
        assert done.exit == (0 if mode is FailMode.OPEN else 2)
        assert "hook client cannot run" in done.stderr


def test_finished_turn_is_let_go_when_nothing_runs(tmp_path: Path) -> None:
    made = install(tmp_path / "h")
    made.conf.unlink()
    assert made.run(event("Stop", stop_hook_active=True)).exit == 0
    assert made.run(event("Stop", stop_hook_active=False)).exit == 2
    forged = event(tool_name="mcp__s__t", tool_input={"stop_hook_active": True})
    assert made.run(forged).exit == 2
    assert made.run(event("UserPromptSubmit", prompt='"stop_hook_active":true')).exit == 2


@pytest.mark.parametrize(
    "folder", ["with space", "käse-日本", "quote'and\"double", "$HOME;`id`", "back\\slash", "-x"]
)
def test_any_folder_name_works(tmp_path: Path, folder: str) -> None:
    with serving({**ALLOW, "stdout": "{}\n"}) as stub:
        done = install(tmp_path / folder / "h", port=stub.port).run(event())
    assert (done.stdout, done.exit) == ("{}\n", 0)


@pytest.mark.parametrize("value", ["a\nb", "a\0b", "a\tb", "a\x7f", "\udcff"])
def test_value_that_would_break_a_line_is_refused(tmp_path: Path, value: str) -> None:
    made = install(tmp_path / "h")
    with pytest.raises(UnsafeValueError):
        launcher_text(made.settings, boot=value, settings_file="/x")
    with pytest.raises(UnsafeValueError):
        made.with_settings(home=value)


def test_lists_in_the_settings_file_are_separated_by_tabs(tmp_path: Path) -> None:
    made = install(tmp_path / "h").with_settings(start=("-I", "/x/main.py", "--home", "/h"))
    assert "start=-I\t/x/main.py\t--home\t/h\n" in settings_text(made.settings)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("name", ["test", "read", "echo", "unset", "exit", "command", "["])
def test_exported_shell_functions_cannot_open_a_closed_hook(
    tmp_path: Path, shell: str, name: str
) -> None:
    made = install(tmp_path / "h")
    made.conf.unlink()
    named_sh = tmp_path / "sh"
    named_sh.symlink_to(shell)
    env = {f"BASH_FUNC_{name}%%": "() { exit 0; }"}
    assert run([str(named_sh), str(made.launcher)], event(), **env).exit == 2


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("options", ["errexit", "nounset:errexit", "verbose", "xtrace", "noglob"])
def test_shell_options_of_the_environment_do_not_change_the_answer(
    tmp_path: Path, shell: str, options: str
) -> None:
    named_sh = tmp_path / "sh"
    named_sh.symlink_to(shell)
    made = install(tmp_path / "h")
    command = [str(named_sh), str(made.launcher)]
    assert run(command, event(), SHELLOPTS=options).exit == 2
    with serving({**ALLOW, "stdout": "{}\n"}) as stub:
        answering = made.with_settings(address=stub.address)
        done = run([str(named_sh), str(answering.launcher)], event(), SHELLOPTS=options)
    assert (done.stdout, done.exit) == ("{}\n", 0)


def test_loader_and_interpreter_variables_do_not_reach_the_client(tmp_path: Path) -> None:
    spy = tmp_path / "python"
    spy.write_text(f"#!/bin/sh\n/usr/bin/env > '{tmp_path}/env'\nexit {CLIENT_STATUS[0]}\n")
    spy.chmod(0o755)
    names = ["LD_LIBRARY_PATH", "LD_BIND_NOW", "PYTHONPATH", "PYTHONSTARTUP", "GCONV_PATH"]
    made = install(tmp_path / "h").with_settings(python=str(spy))
    assert made.run(event(), **dict.fromkeys(names, "/nonexistent")).exit == 0
    seen = {line.partition("=")[0] for line in (tmp_path / "env").read_text().splitlines()}
    assert not seen & set(names)


@pytest.mark.parametrize("payload", [event(), event("Stop"), b"", b"\xff"])
def test_tombstone_lets_everything_go_silently(tmp_path: Path, payload: bytes) -> None:
    script = tmp_path / "codex.sh"
    script.write_text(tombstone_text(CONNECTORS["codex"]))
    script.chmod(0o700)
    done = run([str(script)], payload)
    assert (done.stdout, done.stderr, done.exit) == ("", "", 0)


def test_bound_event_reaches_the_gateway_and_the_failure_table(tmp_path: Path) -> None:
    with serving(ALLOW) as stub:
        made = install(tmp_path / "h", port=stub.port)
        made.run(event("PreToolUse"), "--event", "SessionStart")
    assert b"\r\nX-DefenseClaw-Event: SessionStart\r\n" in stub.requests[0]
    assert made.run(event("PreToolUse"), "--event", "SessionStart").exit == 0
    assert made.run(event("SessionStart"), "--event", "PreToolUse").exit == 2
    assert made.run(event(), "--event", "x\r\ny").exit == 2
    assert made.run(event(), "--wrong").exit == 2


def test_standard_input_that_never_ends_is_given_up(tmp_path: Path) -> None:
    made = install(tmp_path / "h")
    # The event with the shortest budget; the alarm is the same for all.
    command = [str(made.launcher), "--event", "SessionEnd"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env={}, **pipes) as process:  # type: ignore[call-overload]
        assert process.wait(timeout=30) == 0
        assert b"no answer within the time limit" in process.stderr.read()


def test_interpreter_runs_isolated_and_without_site(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    for name in ("client", "answers", "failure", "posix", "_json"):
        (tmp_path / "work" / f"{name}.py").write_text("raise SystemExit(0)\n")
    made = install(tmp_path / "h")
    done = subprocess.run(
        [made.launcher],
        input=b"{}",
        capture_output=True,
        cwd=tmp_path / "work",
        env={"PYTHONPATH": str(tmp_path / "work"), "PATH": os.environ["PATH"]},
    )
    assert done.returncode == 2
