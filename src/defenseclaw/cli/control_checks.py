"""Checks of what people have said about calls: lists, suppressions, an administrator's policy."""

from __future__ import annotations

from collections.abc import Iterator

from defenseclaw.cli.check import Check, Status, guarded
from defenseclaw.config import load_config, load_lists, load_suppressions
from defenseclaw.connectors import CONNECTORS
from defenseclaw.core.controls import ListAction, ListRow, Subject
from defenseclaw.core.tool import ToolFamily
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import DataHome, file_mode, list_names, now_ms
from defenseclaw.store import LedgerReader

SECTION = "controls"
SHELLS = (ToolFamily.SHELL, ToolFamily.SHELL_INPUT)


def is_shell(name: str) -> bool:
    """Whether any agent has a tool of this name that runs commands."""
    # Only changes that let commands pass ask this; the others need not load the analyser.
    from defenseclaw.facts import GLOBAL_TOOLS

    specs = [*GLOBAL_TOOLS.values(), *(s for c in CONNECTORS.values() for s in c.tools.values())]
    return any(s.family in SHELLS and s.name.casefold() == name.casefold() for s in specs)


def allowed_shells(rows: tuple[ListRow, ...]) -> list[str]:
    """Tools that run commands and are allowed by name."""
    return [
        row.name
        for row in rows
        if row.subject is Subject.TOOL and row.action is ListAction.ALLOW and is_shell(row.name)
    ]


def check_lists(home: DataHome) -> Iterator[Check]:
    """Whether the lists can be read, and whether one lets commands pass."""
    try:
        rows = load_lists(home)
    except DefenseClawError as error:
        yield Check("controls.lists", SECTION, Status.FAIL, error.what, error.hint)
        return
    if shells := allowed_shells(rows):
        detail = f"{', '.join(shells)} may run commands that only CRITICAL rules stop"
        remedy = f"defenseclaw tool unblock {shells[0]}"
        yield Check("controls.lists", SECTION, Status.WARN, detail, remedy)
    elif rows:
        yield Check(
            "controls.lists", SECTION, Status.PASS, f"{len(rows)} rows of tools and servers"
        )


def check_suppressions(home: DataHome) -> Iterator[Check]:
    """Whether the suppressions can be read, and which have ended."""
    try:
        rows = load_suppressions(home)
    except DefenseClawError as error:
        yield Check("controls.suppressions", SECTION, Status.FAIL, error.what, error.hint)
        return
    ended = [row.id for row in rows if now_ms() >= row.expires_ms]
    if ended:
        detail = f"{len(ended)} of {len(rows)} suppressions have ended"
        remedy = f"defenseclaw suppress remove {ended[0]}"
        yield Check("controls.suppressions", SECTION, Status.WARN, detail, remedy)
    elif rows:
        detail = f"{len(rows)} suppressions"
        yield Check("controls.suppressions", SECTION, Status.PASS, detail)


def check_policy(home: DataHome) -> Iterator[Check]:
    """What an administrator's policy asks for."""
    managed = load_config(home).managed
    asked = [f"{word}" for word in (managed.mode, managed.fail_mode, managed.profile) if word]
    if asked or managed.rows:
        blocks = f"{len(managed.rows)} blocked" if managed.rows else ""
        detail = f"an administrator asks for at least {', '.join(filter(None, (*asked, blocks)))}"
        yield Check("controls.policy", SECTION, Status.PASS, detail)


def check_ledger(home: DataHome) -> Iterator[Check]:
    """Whether earlier calls can count, and what became of a ledger that was damaged."""
    if file_mode(home.state_db) is None:
        detail = "nothing is remembered yet"
        yield Check("state.readable", "store", Status.SKIP, detail)
        return

    def look() -> Check:
        with LedgerReader(home.state_db) as reader:
            problem, counts = reader.problem(), reader.counts()
        if problem:
            detail = f"{home.state_db} is damaged: {problem}; verdicts of rules stand"
            remedy = "defenseclaw-gateway restart"
            return Check("state.readable", "store", Status.FAIL, detail, remedy)
        detail = f"{home.state_db} is sound; {counts['pending']} calls, {counts['committed']} steps"
        return Check("state.readable", "store", Status.PASS, detail)

    yield guarded("state.readable", "store", look)
    prefix = f"{home.state_db.name}.damaged-"
    kept = [n for n in list_names(home.root) if n.startswith(prefix) and "-wal" not in n]
    if kept:
        detail = f"a damaged ledger was put aside as {kept[-1]}; a new one was begun"
        remedy = f"rm {home.root}/{prefix}*"
        yield Check("state.damaged", "store", Status.WARN, detail, remedy)
