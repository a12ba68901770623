"""The stand-in around Amp's plugin runtime: its plugins decide, and nothing else does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.harness import Sandbox
from tests.live.conftest import make_driver
from tests.live.drivers import Driver, Outcome

pytestmark = pytest.mark.live
REASON = "refused-by-the-plugin"
REJECT = f"""\
export default function (amp: any) {{
  amp.on("tool.call", async () => ({{ action: "reject-and-continue", message: "{REASON}" }}));
}}
"""
ALLOW = """\
export default function (amp: any) {
  amp.on("tool.call", async () => ({ action: "allow" }));
}
"""
WITHHOLD = """\
export default function (amp: any) {
  amp.on("tool.call", async () => ({ action: "allow" }));
  amp.on("tool.result", async () => ({ status: "error", error: "withheld", output: "-" }));
}
"""
RECORD = """\
import { appendFileSync } from "fs";
export default function (amp: any) {
  for (const name of ["session.start", "agent.start", "tool.call", "tool.result", "agent.end"])
    amp.on(name, async (event: any) => {
      appendFileSync(%s, JSON.stringify([name, event.thread.id]) + "\\n");
      return name === "tool.call" ? { action: "allow" } : undefined;
    });
}
"""
BROKEN = "export default function (amp) { this is no program"
THROWS = 'export default function (amp: any) { amp.on("tool.call", () => { throw "x"; }); }'


@pytest.fixture
def amp() -> Driver:
    return make_driver("amp")


def run_with(amp: Driver, box: Sandbox, *plugins: str) -> tuple[Outcome, Path]:
    folder = box.home / ".config" / "amp" / "plugins"
    folder.mkdir(parents=True)
    for number, text in enumerate(plugins):
        (folder / f"plugin{number}.ts").write_text(text, encoding="utf-8")
    effect = box.project / "effect.txt"
    return amp.run(box, [amp.shell(f"echo hi > {effect}; echo said")]), effect


@pytest.mark.parametrize("plugins", [(REJECT,), (ALLOW, REJECT), (REJECT, ALLOW)])
def test_call_that_a_plugin_rejects_does_not_run(
    amp: Driver, box: Sandbox, plugins: tuple[str, ...]
) -> None:
    outcome, effect = run_with(amp, box, *plugins)
    assert not effect.exists()
    assert outcome.results == [REASON]


@pytest.mark.parametrize("plugins", [(), (ALLOW,), (BROKEN,), (THROWS,)])
def test_nothing_else_stops_a_call(amp: Driver, box: Sandbox, plugins: tuple[str, ...]) -> None:
    outcome, effect = run_with(amp, box, *plugins)
    assert effect.exists()
    assert outcome.results == ["said\n"]


def test_result_that_a_plugin_withholds_does_not_reach_the_model(amp: Driver, box: Sandbox) -> None:
    outcome, effect = run_with(amp, box, WITHHOLD)
    assert effect.exists()
    assert "said" not in outcome.results[-1]
    assert "withheld" in outcome.results[-1]


def test_every_event_of_a_turn_is_delivered_in_order(amp: Driver, box: Sandbox) -> None:
    log = box.root / "events.jsonl"
    run_with(amp, box, RECORD % json.dumps(str(log)))
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    names = [name for name, _ in rows]
    assert names == ["session.start", "agent.start", "tool.call", "tool.result", "agent.end"]
    assert len({thread for _, thread in rows}) == 1
