"""What Wine's cmd made of a text, and what our front end says that cmd makes of it."""

from __future__ import annotations

import fnmatch
import ntpath
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from defenseclaw.core.facts import CommandContext
from defenseclaw.facts import analyze
from defenseclaw.facts.cmd import Host, parse
from defenseclaw.facts.script import Script, SimpleCommand, Word
from tests.facts.describe import shell_call
from tests.oracle.cmd.splitting import c_arguments
from tests.wine.guest import Guest
from tests.wine.pe import printer
from tests.wine.prefix import Wine

HERE = Path(__file__).parent
CWD, HOME = r"C:\Users\dana\project", r"C:\Users\dana"
ENVIRONMENT = {
    "USERPROFILE": HOME, "USERNAME": "dana", "APPDATA": rf"{HOME}\AppData\Roaming",
    "LOCALAPPDATA": rf"{HOME}\AppData\Local", "TEMP": rf"{HOME}\AppData\Local\Temp",
    "TMP": rf"{HOME}\AppData\Local\Temp", "SystemRoot": r"C:\Windows", "windir": r"C:\Windows",
    "SystemDrive": "C:", "HOMEDRIVE": "C:", "HOMEPATH": r"\Users\dana",
    "ProgramData": r"C:\ProgramData", "ProgramFiles": r"C:\Program Files",
    "PUBLIC": r"C:\Users\Public", "ComSpec": r"C:\Windows\system32\cmd.exe", "OS": "Windows_NT",
}  # fmt: skip
PRINTERS = {"show": 0, "fail": 1}  # with the status that they exit with
ASK = "from tests.oracle.cmd.asked import ask\nresult = [ask(t, cwd, env) for t in texts]"
TEXTS_PER_CALL = 20


@dataclass(frozen=True, slots=True)
class Run:
    """A program that ran: its name, its arguments as Windows splits them, and its folder.

    ``others`` are the arguments that a C program finds: two quotes in a row may mean another.
    """

    name: str
    arguments: tuple[str, ...]
    folder: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Theirs:
    """What came of a text: runs in order, all that was printed, and files that appeared."""

    runs: tuple[Run, ...]
    printed: str
    files: dict[str, str]
    ended: bool


def place_printers(wine: Wine, names: Sequence[str] = ()) -> None:
    """The only programs on PATH: printers, and cmd itself for what it starts by that name."""
    folder = wine.drive / "printers"
    folder.mkdir(exist_ok=True)
    statuses = {**dict.fromkeys(names, 0), **PRINTERS}
    for name, status in statuses.items():
        (folder / f"{name}.exe").write_bytes(printer(r"C:\printers\log", status))
    system = wine.drive / "windows" / "system32"
    (folder / "cmd.exe").write_bytes((system / "cmd.exe").read_bytes())


def ask(guest: Guest, texts: Sequence[str]) -> list[Theirs]:
    """What Wine's cmd does with each of the texts."""
    found: list[Theirs] = []
    for start in range(0, len(texts), TEXTS_PER_CALL):
        part = list(texts[start : start + TEXTS_PER_CALL])
        answers = guest(ASK, 30.0 * len(part), texts=part, cwd=CWD, env=ENVIRONMENT)
        found += [read_answer(answer) for answer in answers]
    return found


def read_answer(answer: dict[str, Any]) -> Theirs:
    """One answer of the guest."""
    runs = tuple(
        Run(
            program_name(run["argv"][0]),
            tuple(run["argv"][1:]),
            run["folder"],
            c_arguments(run["line"]),
        )
        for run in answer["ran"]
    )
    ended = answer["status"] is not None
    return Theirs(runs, answer["printed"], answer["files"], ended)


def program_name(text: str) -> str:
    """A program without its folder and extension."""
    return ntpath.basename(text).lower().removesuffix(".exe")


# --- our side ---


def read(text: str) -> Script:
    """Our reading of a text, in the same place and environment."""
    return parse(text, Host(CWD, HOME, ENVIRONMENT, arguments=()))


def commands_named(script: Script, names: Sequence[str]) -> list[SimpleCommand]:
    """The commands with one of these names that may run."""
    return [
        command
        for command in script.commands
        if command.words
        and program_name(command.words[0].value or "") in names
        and command.context is not CommandContext.DEAD
        and command.reached
    ]


def is_exact(word: Word) -> bool:
    """The word claims to be just this text."""
    return word.value is not None and not word.example and not word.glob


def fits(word: Word, text: str) -> bool:
    """The text is one that the word allows."""
    if is_exact(word):
        return word.value == text
    return word.value is not None or (text.startswith(word.prefix) and text.endswith(word.suffix))


def covers(command: SimpleCommand, run: Run) -> bool:
    """The command as we list it may be the one that ran."""
    words = command.words[1:]
    if any(word.splits for word in words):
        return True
    return any(
        len(words) == len(texts) and all(map(fits, words, texts))
        for texts in (run.arguments, run.others)
    )


def folder_fits(command: SimpleCommand, run: Run) -> bool:
    """The folder that we claim, if any, is the one in which it ran."""
    return not command.cwd or ntpath.normpath(command.cwd).lower() == run.folder.lower()


# --- differences ---


def straight_difference(text: str, theirs: Theirs) -> str:
    """What is wrong about our reading of a text without branches; empty if it agrees."""
    script = read(text)
    ours = commands_named(script, tuple(PRINTERS))
    runs = [run for run in theirs.runs if run.name in PRINTERS]
    if len(ours) != len(runs):
        return f"{len(runs)} programs ran, {len(ours)} are listed"
    for command, run in zip(ours, runs, strict=True):
        if not covers(command, run) or not folder_fits(command, run):
            return f"{run} ran, {spelled(command)} is listed"
    missing = set(theirs.files) - set(written(script))
    return f"{sorted(missing)} written, {sorted(written(script))} listed" if missing else ""


def branching_difference(text: str, theirs: Theirs) -> str:
    """A program that ran although our reading does not have it; empty if there is none."""
    ours = commands_named(read(text), tuple(PRINTERS))
    for run in (run for run in theirs.runs if run.name in PRINTERS):
        named = [c for c in ours if program_name(c.words[0].value or "") == run.name]
        if not any(covers(command, run) and folder_fits(command, run) for command in named):
            return f"{run} ran, {[spelled(command) for command in named]} are listed"
    return ""


def call_difference(text: str, theirs: Theirs) -> str:
    """The same for the facts of a whole call, in which code inside code is read too."""
    facts = analyze(shell_call(text, cwd=CWD, home=HOME, shell="cmd")).facts
    commands = facts.commands if facts else []
    for run in theirs.runs:
        named = [c for c in commands if program_name(c.executable) == run.name]
        if not any(not c.argv_complete or stands_for(c.argv[1:], run.arguments) for c in named):
            return f"{run} ran, {[c.argv for c in named]} are listed"
    return ""


def stands_for(argv: Sequence[str], arguments: Sequence[str]) -> bool:
    """The arguments are those, or what a pattern of a loop may have been."""
    return len(argv) == len(arguments) and all(
        fnmatch.fnmatchcase(given.lower(), text.lower().replace("[", "[[]"))
        for text, given in zip(argv, arguments, strict=True)
    )


def written(script: Script) -> list[str]:
    """The files that redirections name, as paths below the folder."""
    targets = [r.target for command in script.commands for r in command.redirects if r.target]
    return [(word.value or "").replace("/", "\\") for word in targets]


def spelled(command: SimpleCommand) -> list[str]:
    """A command for a message; what is not known is an ellipsis."""
    return [f"{w.prefix}…{w.suffix}" if w.value is None else w.value for w in command.words]


DIFFERENCES = {
    "straight": straight_difference,
    "branching": branching_difference,
    "call": call_difference,
}


def listed() -> list[tuple[str, str, str]]:
    """Kind, reason and text of the differences in which Wine is not as Windows is."""
    text = (HERE / "disagreements.txt").read_text(encoding="utf-8")
    found = []
    for record in text.removesuffix("\n%%\n").split("\n%%\n")[1:]:
        head, _, body = record.partition("\n")
        kind, _, reason = head.partition(": ")
        found.append((kind, reason, body))
    return found
