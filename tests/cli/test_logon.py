"""``defenseclaw-gateway logon``: what it says where the system has no place for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from defenseclaw.cli.gateway_main import main
from defenseclaw.platform import HOME_VARIABLE


@pytest.mark.parametrize("wanted,status", [("on", 1), ("off", 0), ("status", 0)])
def test_only_switching_on_is_refused_with_the_way_out(
    tmp_path: Path, wanted: str, status: int
) -> None:
    runner = CliRunner(env={HOME_VARIABLE: str(tmp_path)})
    done = runner.invoke(main, ["logon", wanted])
    assert done.exit_code == status
    assert ("service manager" in done.output) is (wanted == "on")
    assert ("not started at logon" in done.output) is (wanted != "on")


def test_the_state_is_told_to_scripts(tmp_path: Path) -> None:
    done = CliRunner(env={HOME_VARIABLE: str(tmp_path)}).invoke(main, ["logon", "off", "--json"])
    assert json.loads(done.output) == {"schema": 1, "logon": "off", "changed": False}
