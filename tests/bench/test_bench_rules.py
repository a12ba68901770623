"""Cost of the shipped catalogue on one action: expressions, patterns, loading."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from defenseclaw.core.facts import ActionFacts, FactsResult
from defenseclaw.core.verdict import Profile
from defenseclaw.facts import GLOBAL_TOOLS, analyze, enforcement_projection
from defenseclaw.rules import Example, ExampleForm, build_generation, load_pack
from defenseclaw.rules.proof import call_of, degraded
from tests.bench.test_bench_cel import SIZES
from tests.rules.packs import same

pytestmark = pytest.mark.bench

CATALOG = Path(__file__).resolve().parents[2] / "src" / "defenseclaw" / "rules" / "catalog"
FILES = {f"rules/{path.name}": path.read_bytes() for path in sorted(CATALOG.glob("*.yaml"))}
ROUNDS = 9
PROSE = (
    "The build runs the unit tests and then the packaging step, as described in the guide. " * 12
)


def micros(run: Callable[[], object], times: int = 200) -> float:
    """The best of several rounds, in microseconds a call."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(times):
            run()
        best = min(best, (time.perf_counter() - begin) / times)
    return best * 1e6


def test_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    load = micros(lambda: load_pack(FILES, name="catalog"), times=1) / 1000
    pack = load_pack(FILES, name="catalog")
    build = micros(lambda: build_generation([pack], Profile.DEFAULT), times=1) / 1000
    generation = build_generation([pack], Profile.DEFAULT)
    rows = [f"load {load:.0f} ms, build {build:.0f} ms, {len(generation.rules)} rules"]
    for name in ("small", "medium"):
        facts = SIZES[name]
        cost = micros(lambda facts=facts: generation._owners.evaluate(facts, same))
        rows.append(f"expressions on {name} facts: {cost:.0f} us")
    command = "cd /srv/app && python -m pytest tests/unit -q 2>&1 | tail -20"
    result = analyze(call_of(Example(True, ExampleForm.SH, command), GLOBAL_TOOLS))
    for name, seen in (("complete", result), ("partial", degraded(result))):
        cost = micros(lambda seen=seen: generation.evaluate_call(seen, enforcement_projection))
        rows.append(f"a call of one line, {name}: {cost:.0f} us")
    cost = micros(lambda: generation.evaluate_content(PROSE, surface="prompt"))
    rows.append(f"a prompt of {len(PROSE)} characters: {cost:.0f} us")
    with capsys.disabled():
        print("\n" + "\n".join(rows))


def test_written_code(capsys: pytest.CaptureFixture[str]) -> None:
    """Reading code that a call writes, beside writing the same bytes as prose: 64 KiB and 1 MiB."""
    generation = build_generation([load_pack(FILES, name="catalog")], Profile.DEFAULT)
    unit = (
        "def load(path, name):\n    # read one record\n    with open(path) as handle:\n"
        '        rows = json.load(handle)\n    log.info("read %s", name)\n'
        '    cursor.execute("SELECT id FROM t WHERE name = %s", (name,))\n    return rows\n\n'
    )
    rows = []
    for size in (64 * 1024, 1024 * 1024):
        text = (unit * (size // len(unit) + 1))[:size]
        cost = {}
        for path in ("notes.txt", "load.py"):
            seen = FactsResult(ActionFacts(), writes=((path, text),))
            cost[path] = micros(lambda seen=seen: generation._content.scan_writes(seen), times=1)
        ratio = cost["load.py"] / cost["notes.txt"]
        rows.append(
            f"{size // 1024} KiB: prose {cost['notes.txt'] / 1000:.1f} ms,"
            f" code {cost['load.py'] / 1000:.1f} ms, {ratio:.1f} times"
        )
    with capsys.disabled():
        print("\n" + "\n".join(rows))
