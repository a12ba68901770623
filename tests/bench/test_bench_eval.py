"""The cost of judging everyday commands, as ``defenseclaw eval`` reports it.

The rows are commands as agents run them, no two alike, so that nothing can be remembered from one
to the next. Beside the microseconds stands how many bare parses of a small Python text they are:
that figure says more on a machine that others use.
"""

from __future__ import annotations

import ast
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from defenseclaw.core.limits import MAX_COMMAND_BYTES
from defenseclaw.core.tool import Platform, ToolCall
from defenseclaw.engine.evaluate import SHELL_SPECS
from defenseclaw.facts import analyze

pytestmark = pytest.mark.bench

ROWS = 20_000
MEAN_MICROS, TYPICAL_MS, LARGEST_MS = 450, 0.25, 100.0  # design, budgets
ROUNDS = 9
CONTROL = "def total(items):\n    return sum(item.price * item.count for item in items)\n"
NAMES = (
    "parser", "session", "report", "billing", "search", "upload", "router", "cache", "worker",
    "mailer", "ledger", "metrics", "profile", "export", "planner", "gallery", "inbox", "draft",
)  # fmt: skip
TEMPLATES = (
    "ls -la src/{a}",
    "ls src/{a}/{b}{n}",
    "cat src/{a}/{b}{n}.py",
    "cat package.json | grep {a}{n}",
    "sed -n '{n},{n}0p' src/{a}/{b}.py",
    "head -{n} logs/{a}.log",
    "tail -n {n} logs/{a}.log | grep -i {b}",
    "grep -rn 'def {a}_{n}' src --include='*.py'",
    'grep -rnE "{a}|{b}{n}" src tests | head -20',
    "rg -n '{a}{n}' src/{b}",
    "find . -name '{a}*{n}.ts' -not -path './node_modules/*'",
    "find src -type f -name '*{a}*' | xargs wc -l | sort -n | tail -{n}",
    "git status --short",
    "git diff --stat HEAD~{n} -- src/{a}",
    "git log --oneline -{n} -- src/{a}/{b}.py",
    "git show HEAD~{n}:src/{a}/{b}.py | head -40",
    'git add src/{a} && git commit -m "Let {b} keep {n} entries"',
    "git checkout -b {a}-{b}-{n}",
    "git stash list && git branch --show-current",
    "python3 -m pytest tests/{a}/test_{b}.py -q -k case_{n}",
    "python -m pytest tests/{a} -x -q 2>&1 | tail -{n}",
    "cd services/{a} && python -m mypy {b}.py",
    "python3 scripts/{a}_{b}.py --limit {n}",
    'python3 -c "import {a}; print({a}.{b}({n}))"',
    "pip install -r requirements/{a}.txt",
    "npm run build -- --filter={a}{n}",
    "npm test -- --testNamePattern '{a} {b} {n}'",
    "npx tsc --noEmit -p packages/{a}",
    "pnpm --filter @app/{a} lint",
    "cargo test -p {a} {b}_{n} -- --nocapture",
    "cargo build --release --features {a}",
    "go test ./internal/{a}/... -run Test{b}{n} -count=1",
    "make {a}-{b} JOBS={n}",
    "mkdir -p build/{a}/{b}{n} && cp src/{a}/*.json build/{a}/",
    "mv docs/{a}.md docs/{b}{n}.md",
    "rm -f build/{a}{n}.o",
    "touch src/{a}/__init__.py src/{b}/__init__.py",
    "echo '{a} {n}' >> notes/{b}.md",
    "cat > src/{a}{n}.py <<'EOF'\nimport {b}\n\n\ndef run():\n    return {b}.load({n})\nEOF",
    "curl -s http://localhost:80{n}/api/{a} | jq '.{b}'",
    "docker compose logs --tail {n} {a}",
    "docker ps --filter name={a} --format '{{{{.Names}}}}'",
    "kubectl get pods -n {a} -l app={b}",
    "psql -d {a} -c 'select count(*) from {b} where id > {n}'",
    "sqlite3 data/{a}.db '.tables'",
    'for f in src/{a}/*.py; do echo "$f"; done',
    "if [ -f src/{a}/{b}.py ]; then wc -l src/{a}/{b}.py; else echo none; fi",
    'x=$(git rev-parse --short HEAD) && echo "{a}-$x"',
    "diff -u src/{a}/{b}.py src/{b}/{a}.py | head -{n}",
    "wc -l src/{a}/*.py | sort -rn | head -{n}",
    "awk -F, '{{print $1}}' data/{a}{n}.csv | sort | uniq -c",
    "jq -r '.items[{n}].{a}' data/{b}.json",
    "timeout {n} node scripts/{a}.js --input data/{b}.json",
    "env NODE_ENV=test node --test tests/{a}.test.mjs",
    "tree -L 2 src/{a} -I '__pycache__|node_modules'",
    "which python3 node && python3 --version",
)


def commands(count: int) -> list[str]:
    """Everyday commands, each about a module of its own."""
    found = []
    for number in range(count):
        first = f"{NAMES[number % len(NAMES)]}{number // len(NAMES)}"
        names = {"a": first, "b": NAMES[number // 7 % len(NAMES)]}
        found.append(TEMPLATES[number % len(TEMPLATES)].format(n=number // 50 + 1, **names))
    return found


def micros(work: Callable[[], object], repeat: int = 1) -> float:
    """Processor time of one call, the best of several rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time_ns()
        for _ in range(repeat):
            work()
        best = min(best, (time.process_time_ns() - started) / repeat)
    return best / 1000


def call_of(text: str) -> ToolCall:
    spec = SHELL_SPECS["posix"]
    return ToolCall("shell", {"command": text}, "/srv/app", "/home/dana", Platform.POSIX, spec)


def told(capsys: pytest.CaptureFixture[str], text: str) -> None:
    with capsys.disabled():
        print(f"\n{text}", end="")


def test_rows_are_everyday_commands_and_distinct() -> None:
    texts = commands(ROWS)
    assert len(set(texts)) > ROWS * 0.9
    statuses = [analyze(call_of(text)).authoritative for text in commands(len(TEMPLATES))]
    assert sum(statuses) > 0.9 * len(statuses)


def test_mean_of_the_eval_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [
        {"id": str(number), "shell": "posix", "command": text, "cwd": "/srv/app"}
        for number, text in enumerate(commands(ROWS))
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    control = micros(lambda: ast.parse(CONTROL), 500)
    command = [sys.executable, "-c", "from defenseclaw.cli.main import main; main()", "eval"]
    subprocess.run(
        [*command, "--input", str(source), "--output", str(target)], check=True, timeout=600
    )
    figures = [json.loads(line)["micros"] for line in target.read_text().splitlines()]
    assert len(figures) == ROWS
    mean = statistics.mean(figures)
    told(
        capsys,
        f"eval: mean {mean:.0f} us of {ROWS} rows (budget {MEAN_MICROS}, ratio "
        f"{mean / MEAN_MICROS:.2f}), median {statistics.median(figures):.0f} us; "
        f"{mean / control:.1f} parses of a small Python text",
    )


def test_analysis_of_a_typical_command(capsys: pytest.CaptureFixture[str]) -> None:
    calls = [call_of(text) for text in commands(len(TEMPLATES))]
    figures = [micros(lambda call=call: analyze(call), 20) / 1000 for call in calls]  # type: ignore[misc]
    told(
        capsys,
        f"analysis: median {statistics.median(figures):.3f} ms, "
        f"worst {max(figures):.3f} ms (budget {TYPICAL_MS})",
    )


def test_analysis_is_linear(capsys: pytest.CaptureFixture[str]) -> None:
    line = "the parser reads what the first form wrote, and $then some `more` of it\n"
    half, whole = (
        "cat > notes.md <<'EOF'\n" + line * (size // len(line) - 1) + "EOF\n"
        for size in (MAX_COMMAND_BYTES // 2, MAX_COMMAND_BYTES)
    )
    short, long = (
        micros(lambda text=text: analyze(call_of(text))) / 1000 for text in (half, whole)
    )  # type: ignore[misc]
    told(
        capsys,
        f"analysis of the largest text: {long:.0f} ms (budget {LARGEST_MS:.0f}), "
        f"{long / short:.2f} times that of half of it\n",
    )
