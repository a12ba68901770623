"""The hook's cost on the registered launcher, beside a bare interpreter and a curl hook.

Rounds are interleaved, so that a busy machine slows all of them alike; the budget is a ratio.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import time
from pathlib import Path

import pytest

from tests.hook.stub import ALLOW, TOKEN, event, install, serving

pytestmark = pytest.mark.bench

ROUNDS = 120
RATIO, EXTRA_MS = 1.3, 3.0  # design, budgets: p50 of the registered command text
CURL_HOOK = """\
#!/bin/sh
exec curl -sS --max-time 10 -H "Authorization: Bearer {token}" \\
  -H "Content-Type: application/json" --data-binary @- http://{address}/api/v1/codex/hook
"""


def timed(command: list[str], payload: Path, sink: Path) -> float:
    """Milliseconds from start to end of one process."""
    streams = [
        (os.POSIX_SPAWN_OPEN, 0, str(payload), os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(sink), os.O_WRONLY | os.O_CREAT, 0o600),
    ]
    started = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=streams)
    _, status = os.waitpid(pid, 0)
    elapsed = (time.perf_counter() - started) * 1000
    assert os.waitstatus_to_exitcode(status) == 0
    return elapsed


def commands(folder: Path, port: int) -> dict[str, list[str]]:
    """What is compared: the bare interpreter, the registered launcher, a curl hook."""
    made = install(folder / "home", port=port)
    found = {
        "bare": [sys.executable, "-I", "-S", "-c", "pass"],
        "launcher": [str(made.launcher)],
    }
    if shutil.which("curl"):
        curl = folder / "curl-hook.sh"
        curl.write_text(CURL_HOOK.format(token=TOKEN, address=f"127.0.0.1:{port}"))
        curl.chmod(0o700)
        found["curl"] = [str(curl)]
    return found


def test_registered_launcher_costs_about_one_bare_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    payload = tmp_path / "payload"
    payload.write_text(json.dumps(event(tool_name="Bash", tool_input={"command": "x" * 1800})))
    with serving(ALLOW) as stub:
        compared = commands(tmp_path, stub.port)
        times: dict[str, list[float]] = {name: [] for name in compared}
        for _ in range(ROUNDS):
            for name, command in compared.items():
                times[name].append(timed(command, payload, tmp_path / "sink"))
    middle = {name: statistics.median(values) for name, values in times.items()}
    budget = RATIO * middle["bare"] + EXTRA_MS
    with capsys.disabled():
        told = ", ".join(f"{name} {value:.1f} ms" for name, value in middle.items())
        print(f"\nhook p50 of {ROUNDS} rounds: {told}; budget {budget:.1f} ms")
    assert middle["launcher"] <= budget
