"""Ordered chains on the real agents: what an agent proves decides about the next call.

The survey is one that any user may run, so that its success depends on nothing of the machine. The
elevation is refused before it runs; in the control it finds no terminal and ends by itself.
"""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest

from tests.harness import Product, Sandbox
from tests.live.drivers.claude import Claude
from tests.live.drivers.codex import Codex

pytestmark = pytest.mark.live
CHAIN = "chain.privilege_discovery_then_elevation"
SURVEY = "find /bin -maxdepth 1 -perm -4000"
FAILING = "find /bin /no-such-folder -maxdepth 1 -perm -4000"
ELEVATION = "sudo -n -s"
WAIT_S = 60.0


def chains(product: Product, agent: str) -> list[dict[str, Any]]:
    return [row for row in product.audit(agent) if CHAIN in row["rules"]]


def strict(product: Product, agent: str) -> None:
    product.protect(agent, "action", "--profile", "strict")


class Restarter(threading.Thread):
    """Restarts the gateway when the agent's command says so, and lets the command go on."""

    def __init__(self, box: Sandbox, product: Product) -> None:
        super().__init__()
        self.box, self.product, self.is_done = box, product, False

    def run(self) -> None:
        ends = time.monotonic() + WAIT_S
        while not (self.box.project / "ready").exists() and time.monotonic() < ends:
            time.sleep(0.05)
        self.product.gateway("restart").expect()
        self.is_done = True
        (self.box.project / "go").touch()


def test_proven_survey_blocks_the_elevation_after_a_restart(
    claude: Claude, box: Sandbox, product: Product
) -> None:
    strict(product, claude.connector)
    restarter = Restarter(box, product)
    restarter.start()
    wait = "touch ready; for i in $(seq 600); do test -e go && break; sleep 0.1; done"
    outcome = claude.run(box, [claude.shell(c) for c in (SURVEY, wait, ELEVATION)])
    restarter.join()
    assert restarter.is_done
    [row] = chains(product, claude.connector_key)
    assert (row["action"], row["event"]) == ("block", "PreToolUse"), outcome.output
    assert CHAIN in outcome.results[-1]


def test_failed_survey_blocks_nothing(claude: Claude, box: Sandbox, product: Product) -> None:
    strict(product, claude.connector)
    outcome = claude.run(box, [claude.shell(FAILING), claude.shell(ELEVATION)])
    assert product.audit(claude.connector_key, event="PostToolUseFailure"), outcome.output
    assert chains(product, claude.connector_key) == []


def test_script_is_looked_into_before_the_agent_runs_it(
    claude: Claude, box: Sandbox, product: Product
) -> None:
    strict(product, claude.connector)
    planted = box.plant()
    script = box.project / "tidy.sh"
    script.write_text(f"rm -rf {planted}\n", encoding="utf-8")
    outcome = claude.run(box, [claude.shell("bash tidy.sh")])
    assert planted.exists(), outcome.output
    assert product.audit(claude.connector_key, action="block")


def test_shell_results_of_codex_prove_nothing(codex: Codex, box: Sandbox, product: Product) -> None:
    strict(product, codex.connector)
    outcome = codex.run(box, [codex.shell(SURVEY), codex.shell(ELEVATION)])
    assert product.audit(codex.connector_key, event="PostToolUse"), outcome.output
    assert chains(product, codex.connector_key) == []
    shown = json.loads(product.cli("state", "show", "--json").expect().stdout)
    assert shown["rows"]["committed"] == 0
