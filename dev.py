"""The one developer runner behind ./run and ./test, on every operating system.

``python dev.py run [-- ARGS]`` shows the product working, or runs ``defenseclaw ARGS``.
``python dev.py test [LANE…]`` runs test lanes. Both make a private environment in ``.venv`` from
hash-pinned requirement files; nothing is installed outside the checkout.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
MIN_PYTHON = (3, 11)
OTHER_PYTHONS = ("3.12", "3.13")
# Tests of the packages that do no input or output, whose branches are counted. The hook's are among
# them: they try the launcher texts and failure answers that connectors make.
COUNTED = ("core", "cel", "facts", "rules", "policy", "engine", "connectors", "hook")
CACHE = ROOT / ".cache"
WINDOWS_TYPES = (
    *("--platform", "win32", "--cache-dir", str(CACHE / "mypy-windows")),
    *("-p", "defenseclaw.cli", "-p", "defenseclaw.gateway"),
)


def clean_environment() -> dict[str, str]:
    """The caller's environment without what slows or redirects our interpreters."""
    # PYTHONDONTWRITEBYTECODE would make every start compile again: hook start-up is a budget.
    drop = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    return {key: value for key, value in os.environ.items() if key not in drop}


def call(argv: Sequence[str | Path], **extra: str) -> int:
    """Run a program with our environment; its exit status."""
    command, env = [str(part) for part in argv], {**clean_environment(), **extra}
    return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


def must(argv: Sequence[str | Path], what: str) -> None:
    """Run a program whose failure ends the whole command."""
    if call(argv) != 0:
        sys.exit(f"dev.py: {what} failed; the command was: {' '.join(str(a) for a in argv)}")


def bin_path(env: Path, name: str) -> Path:
    """An executable of an environment."""
    return env / "Scripts" / f"{name}.exe" if os.name == "nt" else env / "bin" / name


def stamp_of(files: Sequence[Path]) -> str:
    """Digest of everything that decides what an environment holds."""
    digest = hashlib.sha256(sys.version.encode())
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def ensure_environment(env: Path, requirements: str, python: str | None = None) -> Path:
    """Make or refresh a private environment; its interpreter."""
    lists = [ROOT / "requirements" / name for name in ("build.txt", requirements)]
    stamp, wanted = env / ".stamp", stamp_of([*lists, ROOT / "pyproject.toml"])
    interpreter = bin_path(env, "python")
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return interpreter
    print(f"preparing {env.name} from requirements/{requirements} …", file=sys.stderr, flush=True)
    if python is None:
        venv.EnvBuilder(with_pip=True, clear=env.exists() and not interpreter.exists()).create(env)
    else:
        must([python, "-m", "venv", env], "making the environment")
    pip = [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for path in lists:
        must([*pip, "--require-hashes", "--no-deps", "-r", path], f"installing {path.name}")
    must([*pip, "--no-deps", "--no-build-isolation", "--editable", ROOT], "installing the project")
    stamp.write_text(wanted, encoding="utf-8")
    return interpreter


def run(args: list[str]) -> int:
    """``./run``: the demonstration, or the product's own command line after ``--``."""
    env = ROOT / ".venv"
    # An environment with the test tools serves as well, and must not be rebuilt back and forth.
    if not (env / ".stamp").exists() or not bin_path(env, "pytest").exists():
        ensure_environment(env, "runtime.txt")
    command = args[1:] if args[:1] == ["--"] else args or ["demo"]
    return call([bin_path(env, "defenseclaw"), *command])


def pytest(interpreter: Path, *args: str, **extra: str) -> int:
    """A test run; "no test executed" (exit 5) is a failure like any other."""
    return call([interpreter, "-m", "pytest", *args], **extra)


def lane_check(python: Path) -> int:
    """Lint, types, unit tests and docs."""
    steps = (
        [python, "-m", "ruff", "check", "."],
        [python, "-m", "ruff", "format", "--check", "."],
        [python, "-m", "mypy"],
        # The other half: what only Windows runs is checked as if this were one.
        [python, "-m", "mypy", *WINDOWS_TYPES],
    )
    for step in steps:
        if code := call(step):
            return code
    return pytest(python, "-n", "2")


def lane_pythons(_python: Path) -> int:
    """Unit tests on other supported Pythons, where they are installed (also inactive in pyenv)."""
    found = {version: find_python(version) for version in OTHER_PYTHONS}
    for version, path in found.items():
        if path is None:
            print(f"dev.py: Python {version} was not found; its unit tests did not run")
            continue
        env = ROOT / f".venv-{version}"
        if code := pytest(ensure_environment(env, "dev.txt", path), "-n", "2"):
            return code
    # A lane that ran nothing must not look like one that passed.
    return 0 if any(found.values()) else 1


def find_python(version: str) -> str | None:
    """An interpreter of that version: on PATH, or an inactive one of pyenv."""
    folders = [os.environ.get("PYENV_ROOT", ""), str(Path.home() / ".pyenv")]
    candidates = [shutil.which(f"python{version}") or ""]
    for folder in filter(None, folders):
        candidates += map(str, sorted(Path(folder).glob(f"versions/{version}.*/bin/python")))
    for candidate in filter(None, candidates):
        done = subprocess.run([candidate, "-c", ""], capture_output=True, check=False)
        if done.returncode == 0:  # a pyenv shim exists also for versions that are not active
            return candidate
    return None


def lane_acceptance(python: Path) -> int:
    """Real processes of this project: setup, hook, verdict, audit, removal."""
    return pytest(python, "-m", "acceptance", "-n", "2", "--dist", "loadfile", "tests/acceptance")


def lane_oracle(_python: Path) -> int:
    """Comparison with independent implementations."""
    python = ensure_environment(ROOT / ".venv-oracle", "oracle.txt")
    return pytest(python, "-m", "oracle", "-n", "2")


def lane_live(python: Path) -> int:
    """Real agents, installed from their registries at pinned versions, driven offline."""
    agents = CACHE / "agents"
    if code := call([python, "-m", "tests.live.install", agents]):
        return code
    # Each test waits for its agent most of the time.
    # Agents go round the workers; what belongs to one of them stays on one.
    where = ("-n", "2", "--dist", "loadgroup", "tests/live", "tests/setup")
    return pytest(python, "-m", "live", *where, DEFENSECLAW_LIVE=str(agents))


def lane_bench(python: Path) -> int:
    """Measurements, printed as ratios against a control in the same run."""
    return pytest(python, "-m", "bench", "-p", "no:randomly", "-s", "tests/bench")


def lane_fuzz(_python: Path) -> int:
    """Coverage-guided fuzzing of all readers of untrusted input; what it learns stays in .cache."""
    python = ensure_environment(ROOT / ".venv-fuzz", "fuzz.txt")
    return call([python, "-m", "tests.fuzz", CACHE / "fuzz"])


def lane_wine(python: Path) -> int:
    """Our Windows code in a Windows interpreter, and cmd as an oracle, both run by Wine."""
    folder = CACHE / "wine"
    if code := call([python, "-m", "tests.wine.install", folder]):
        return code
    where = ("-p", "no:randomly", "-s", "tests/wine", "tests/oracle/cmd")
    return pytest(python, "-m", "wine", *where, DEFENSECLAW_WINE=str(folder))


def lane_coverage(python: Path) -> int:
    """Unit tests of the pure packages with their branches counted; too few is a failure."""
    CACHE.mkdir(exist_ok=True)
    data = {"COVERAGE_FILE": str(CACHE / "coverage")}
    folders = [ROOT / "tests" / name for name in COUNTED]
    run = [python, "-m", "coverage", "run", "-m", "pytest", "-p", "no:randomly", *folders]
    return call(run, **data) or call([python, "-m", "coverage", "report"], **data)


LANES = {
    "check": lane_check,
    "pythons": lane_pythons,
    "acceptance": lane_acceptance,
    "oracle": lane_oracle,
    "live": lane_live,
    "bench": lane_bench,
    "coverage": lane_coverage,
    "fuzz": lane_fuzz,
    "wine": lane_wine,
}


def test(args: list[str]) -> int:
    """``./test [LANE…]``: the lanes in order; the first failure ends the run."""
    lanes = args or ["check"]
    if unknown := [lane for lane in lanes if lane not in LANES]:
        sys.exit(f"dev.py: no lane {', '.join(unknown)}; there are {', '.join(LANES)}")
    python = ensure_environment(ROOT / ".venv", "dev.txt")
    for lane in lanes:
        print(f"=== {lane}", flush=True)
        if code := LANES[lane](python):
            print(f"dev.py: lane {lane} failed with exit {code}", file=sys.stderr)
            return code
    return 0


def main() -> int:
    if sys.version_info < MIN_PYTHON:
        needed = ".".join(map(str, MIN_PYTHON))
        sys.exit(f"Python {needed} or newer is needed, this is {sys.version}")
    commands = {"run": run, "test": test}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        sys.exit("usage: dev.py run [-- ARGS] | dev.py test [LANE…]")
    return commands[sys.argv[1]](sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
