"""The client without a launcher around it, and settings that removal left behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from defenseclaw.connectors import CONNECTORS, removed_settings_text
from defenseclaw.core.verdict import FailMode
from tests.hook.stub import ALLOW, HOOK, Install, event, install, serving

DIRECT = HOOK / "direct.py"


def run_direct(made: Install, payload: bytes) -> subprocess.CompletedProcess[bytes]:
    argv = [sys.executable, "-I", "-S", str(DIRECT), str(made.conf)]
    return subprocess.run(argv, input=payload, capture_output=True, timeout=30)


def test_the_agent_gets_the_clients_own_status(tmp_path: Path) -> None:
    for answer, status in (
        (ALLOW, 0),
        ({**ALLOW, "action": "block", "stderr": "no", "exit": 2}, 2),
    ):
        with serving(answer) as stub:
            made = install(tmp_path / f"h{status}", port=stub.port)
            assert run_direct(made, json.dumps(event()).encode()).returncode == status


@pytest.mark.parametrize("mode,status", [(FailMode.OPEN, 0), (FailMode.CLOSED, 2)])
def test_without_a_gateway_the_fail_mode_holds(tmp_path: Path, mode: FailMode, status: int) -> None:
    made = install(tmp_path / "h", fail_mode=mode)
    done = run_direct(made, json.dumps(event()).encode())
    assert done.returncode == status
    assert done.stderr.startswith(b"defenseclaw: ")


@pytest.mark.parametrize("key", CONNECTORS)
def test_settings_that_removal_left_let_everything_go(tmp_path: Path, key: str) -> None:
    made = install(tmp_path / "h", fail_mode=FailMode.CLOSED)
    made.conf.write_text(removed_settings_text(key), encoding="utf-8")
    for payload in (json.dumps(event()).encode(), b"", b"{"):
        done = run_direct(made, payload)
        wanted = CONNECTORS[key].open_answer("").stdout.encode()
        assert (done.returncode, done.stdout, done.stderr) == (0, wanted, b"")


@pytest.mark.parametrize("text", ["connector=codex\nremoved=no\n", "removed=yes\n", ""])
def test_only_the_exact_word_lets_go(tmp_path: Path, text: str) -> None:
    made = install(tmp_path / "h", fail_mode=FailMode.OPEN)
    made.conf.write_text(text, encoding="utf-8")
    assert run_direct(made, json.dumps(event()).encode()).returncode == 2


def test_a_mark_before_the_payload_is_taken_off(tmp_path: Path) -> None:
    with serving(ALLOW) as stub:
        made = install(tmp_path / "h", port=stub.port)
        body = json.dumps(event()).encode()
        assert run_direct(made, b"\xef\xbb\xbf" + body).returncode == 0
        assert stub.requests[-1].endswith(b"\r\n\r\n" + body)
