"""The settings file: owner-only, strict, and closed whenever it is doubtful."""

from __future__ import annotations

from pathlib import Path

import pytest

from defenseclaw.core.verdict import FailMode
from tests.hook.stub import ALLOW, authorization, event, install, serving


def replaced(conf: Path, old: str, new: str) -> None:
    conf.write_text(conf.read_text().replace(old, new))


@pytest.mark.parametrize("word", ["", "opne", "opened", "closed", "OPEN!", "open closed", "none"])
def test_f23_fail_mode_that_is_not_exactly_open_is_closed(tmp_path: Path, word: str) -> None:
    made = install(tmp_path / "h", fail_mode=FailMode.OPEN)
    replaced(made.conf, "fail_mode=open", f"fail_mode={word}")
    assert made.run(event()).exit == 2


@pytest.mark.parametrize("word", ["open", "Open", " OPEN "])
def test_f23_open_is_read_without_case_and_blanks(tmp_path: Path, word: str) -> None:
    made = install(tmp_path / "h", fail_mode=FailMode.OPEN)
    replaced(made.conf, "fail_mode=open", f"fail_mode={word}")
    assert made.run(event()).exit == 0


def test_f23_missing_fail_mode_is_closed(tmp_path: Path) -> None:
    made = install(tmp_path / "h", fail_mode=FailMode.OPEN)
    replaced(made.conf, "fail_mode=open\n", "")
    assert made.run(event()).exit == 2


@pytest.mark.parametrize("mode", [0o644, 0o620, 0o640, 0o666])
def test_settings_that_others_can_touch_are_not_trusted(tmp_path: Path, mode: int) -> None:
    with serving(ALLOW) as stub:
        made = install(tmp_path / "h", fail_mode=FailMode.OPEN, port=stub.port)
        made.conf.chmod(mode)
        done = made.run(event())
    assert stub.requests == []
    assert done.exit == 2
    assert "the settings file is not private to its owner" in done.stderr


def test_settings_behind_a_link_are_not_trusted(tmp_path: Path) -> None:
    made = install(tmp_path / "h", fail_mode=FailMode.OPEN)
    made.conf.rename(tmp_path / "real")
    made.conf.symlink_to(tmp_path / "real")
    done = made.run(event())
    assert done.exit == 2
    assert "a symbolic link" in done.stderr


def test_repeated_key_closes(tmp_path: Path) -> None:
    made = install(tmp_path / "h")
    made.conf.write_text(made.conf.read_text() + "fail_mode=open\n")
    done = made.run(event())
    assert done.exit == 2
    assert "repeats a key" in done.stderr


@pytest.mark.parametrize("name", ["", "nobody", "Codex"])
def test_f28_unknown_connector_closes(tmp_path: Path, name: str) -> None:
    made = install(tmp_path / "h", fail_mode=FailMode.OPEN)
    replaced(made.conf, "connector=codex", f"connector={name}")
    done = made.run(event())
    assert done.exit == 2
    assert "names no known connector" in done.stderr


def test_corrupt_settings_close(tmp_path: Path) -> None:
    made = install(tmp_path / "h", fail_mode=FailMode.OPEN)
    made.conf.write_bytes(b"\xff\xfe\x00" * 100)
    assert made.run(event()).exit == 2


def test_unknown_keys_and_comments_are_ignored(tmp_path: Path) -> None:
    with serving(ALLOW) as stub:
        made = install(tmp_path / "h", port=stub.port)
        made.conf.write_text("# note\nfuture=1\n\nnonsense\n" + made.conf.read_text())
        assert made.run(event()).exit == 0


def test_token_is_read_anew_for_every_event(tmp_path: Path) -> None:
    with serving(ALLOW) as stub:
        made = install(tmp_path / "h", port=stub.port)
        made.run(event())
        made.token.write_text("f" * 64)
        made.run(event())
    assert authorization(stub.requests[0]).encode() in stub.requests[0]
    assert authorization(stub.requests[1], "f" * 64).encode() in stub.requests[1]


def test_home_that_is_gone_closes_and_leaves_nothing_behind(tmp_path: Path) -> None:
    made = install(tmp_path / "h", fail_mode=FailMode.OPEN)
    moved = made.with_settings(home=str(tmp_path / "gone"))
    done = moved.run(event())
    assert done.exit == 0
    assert "the data home is not usable" in done.stderr
    assert not (tmp_path / "gone").exists()
