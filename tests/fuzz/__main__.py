"""The fuzz lane: ``python -m tests.fuzz FOLDER [TARGET…]``.

Every target runs for a time; inputs that reach new code stay in FOLDER for the next run. An input
that breaks a promise is written to a file and fails the lane; so does a target that ran nothing.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.seeds import SEEDS
from tests.fuzz.targets import TARGETS

SECONDS = 60  # for each target; the variable below replaces it
SECONDS_VARIABLE = "DEFENSECLAW_FUZZ_SECONDS"
CANARY_SECONDS = 5
STOP_MARGIN_S = 60.0  # for loading and instrumenting, on a machine that does other things too
MAX_INPUT_BYTES = 4096  # longer inputs find the same code, later
INPUT_TIMEOUT_S = 20  # an input that hangs; the pace of each target is far below
EXECUTIONS = re.compile(rb"stat::number_of_executed_units:\s*([0-9]+)")
COVERAGE = re.compile(rb"\bcov: ([0-9]+)")
REASON = re.compile(rb"=== Uncaught Python exception: ===\n(.*)")


@dataclass(frozen=True)
class Run:
    """How one target's run ended."""

    target: str
    status: int
    executions: int
    coverage: int
    reason: str
    crashes: tuple[Path, ...]

    @property
    def passed(self) -> bool:
        """It ran, and every input kept the promises."""
        return self.status == 0 and self.executions > 0 and not self.crashes


def corpus(folder: Path, target: str) -> Path:
    """The folder of inputs, with this version's seeds in it."""
    place = folder / "corpus" / target
    place.mkdir(parents=True, exist_ok=True)
    for seed in SEEDS[target]():
        (place / hashlib.sha256(seed).hexdigest()[:24]).write_bytes(seed)
    return place


def fuzz(folder: Path, target: str, seconds: int) -> Run:
    """Fuzz one target for so many seconds."""
    crashes = folder / "crashes"
    crashes.mkdir(parents=True, exist_ok=True)
    before = set(crashes.iterdir())
    arguments = (
        f"-max_total_time={seconds}", f"-max_len={MAX_INPUT_BYTES}", f"-timeout={INPUT_TIMEOUT_S}",
        "-print_final_stats=1", "-rss_limit_mb=2048", str(corpus(folder, target)),
    )  # fmt: skip
    command = [sys.executable, "-m", "tests.fuzz.one", target, str(crashes), *arguments]
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=seconds + STOP_MARGIN_S + INPUT_TIMEOUT_S,
        )  # fmt: skip
        status, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as stuck:
        status, output = -1, stuck.output or b""
    (folder / f"{target}.log").write_bytes(output)
    executions, coverage = EXECUTIONS.findall(output), COVERAGE.findall(output)
    reason = REASON.search(output)
    return Run(
        target,
        status,
        int(executions[-1]) if executions else 0,
        int(coverage[-1]) if coverage else 0,
        reason.group(1).decode("utf-8", "replace") if reason else "",
        tuple(sorted(set(crashes.iterdir()) - before)),
    )


def check_canary(folder: Path) -> str:
    """Whether a broken promise is noticed and its input written down; what is wrong if not."""
    run = fuzz(folder, "canary", CANARY_SECONDS)
    for path in run.crashes:
        path.unlink()
    return "" if run.crashes and run.status != 0 else f"a broken promise was not noticed: {run}"


def report(run: Run) -> None:
    """One line for people, and where to look after a failure."""
    figures = f"{run.executions:>9} executions  {run.coverage:>6} edges"
    print(f"{run.target:<20} {figures}  {'ok' if run.passed else 'FAILED'}", flush=True)
    if not run.passed:
        print(f"  {run.reason or f'exit {run.status}'}")
        for path in run.crashes:
            print(f"  input: {path}")


def main(arguments: Sequence[str]) -> int:
    """Run the canary, then the targets; 1 if any of them failed."""
    folder, *chosen = arguments
    if unknown := [name for name in chosen if name not in TARGETS]:
        print(f"fuzz: no target {', '.join(unknown)}; there are {', '.join(TARGETS)}")
        return 1
    seconds = int(os.environ.get(SECONDS_VARIABLE) or SECONDS)
    root = Path(folder).resolve()
    if problem := check_canary(root):
        print(f"fuzz: {problem}")
        return 1
    runs = []
    for target in chosen or TARGETS:
        runs.append(fuzz(root, target, seconds))
        report(runs[-1])
    return 0 if runs and all(run.passed for run in runs) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
