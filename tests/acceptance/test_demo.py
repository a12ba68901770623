"""The first thing a newcomer runs: ``./run`` shows the product working."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.harness import Product
from tests.harness.sandbox import ROOT

pytestmark = pytest.mark.acceptance
RUN_TIMEOUT_S = 120.0


def run(product: Product, *arguments: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, str(ROOT / "dev.py"), "run", *arguments]
    env = product.environment
    del env["DEFENSECLAW_HOME"]  # the demonstration makes a data home of its own
    return subprocess.run(
        argv, cwd=ROOT, env=env, capture_output=True, text=True, timeout=RUN_TIMEOUT_S
    )


def test_run_prints_a_table_of_verdicts_and_how_to_go_on(product: Product) -> None:
    done = run(product)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.lower().splitlines()
    for agent in ("codex", "claude"):
        rows = [line for line in lines if agent in line]
        assert any("allow" in line for line in rows), done.stdout
        assert any("block" in line or "deny" in line for line in rows), done.stdout
    assert "defenseclaw setup" in done.stdout


def test_run_leaves_the_users_files_alone(product: Product) -> None:
    before = sorted(product.box.home.rglob("*"))
    assert run(product).returncode == 0
    assert sorted(product.box.home.rglob("*")) == before


def test_run_passes_arguments_to_the_command_line(product: Product) -> None:
    done = run(product, "--", "version")
    assert done.returncode == 0
    assert "defenseclaw" in done.stdout.lower()
    assert run(product, "--", "no-such-command").returncode == 2
