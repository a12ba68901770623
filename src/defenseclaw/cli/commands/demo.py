"""``defenseclaw demo``: the product working, in a throwaway data home, with nothing installed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from defenseclaw.cli import control
from defenseclaw.cli.output import EXIT_FAILED, print_table, reports_errors
from defenseclaw.config import edit_config
from defenseclaw.connectors import CONNECTORS, Connector
from defenseclaw.core.event import Route
from defenseclaw.core.tool import FieldRole, ToolFamily
from defenseclaw.core.verdict import Mode
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import (
    DataHome,
    free_port,
    monotonic_us,
    run_with_input,
    temporary_folder,
    user_home,
)
from defenseclaw.setup import client_words, install_hook

HARMLESS = "git status && ls -la"
DESTRUCTIVE = "rm -rf /"
HOOK_TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class Try:
    """One call pushed through the real hook client."""

    connector: Connector
    command: str
    answer: str
    detail: str
    millis: int


@click.command(hidden=True)
@reports_errors
def demo() -> None:
    """Push one harmless and one destructive call of each agent through the real hook client."""
    with temporary_folder("defenseclaw-demo-") as folder:
        home = DataHome(folder / "home")
        prepare(home)
        control.start(home)
        try:
            tries = list(run_calls(home, folder))
        finally:
            control.stop(home)
    print_table(
        ("agent", "proposed command", "answer", "time", "why"),
        [(t.connector.label, t.command, t.answer, f"{t.millis} ms", t.detail) for t in tries],
    )
    click.echo("\nNothing was executed and nothing was installed. To protect a real agent:\n")
    for connector in CONNECTORS.values():
        click.echo(f"  defenseclaw setup {connector.key} --mode observe")
    click.echo(
        "\nFrom a checkout, write `./run --` in place of `defenseclaw`. See what it saw with"
    )
    click.echo("`defenseclaw audit list`; enforce with `--mode action`.")
    wanted = ["allow", "block"] * len(CONNECTORS)
    if [t.answer for t in tries] != wanted:
        raise SystemExit(EXIT_FAILED)


def prepare(home: DataHome) -> None:
    """A configuration in action mode on a free port, and the hook files of every agent."""
    settings: dict[tuple[str, ...], str | int | bool | None] = {("gateway", "port"): free_port()}
    for key in CONNECTORS:
        settings[("guardrail", "connectors", key, "mode")] = Mode.ACTION.value
    config = edit_config(home, settings)
    for connector in CONNECTORS.values():
        install_hook(connector, home, config.posture(connector.key))


def run_calls(home: DataHome, folder: Path) -> Iterator[Try]:
    """Each agent's harmless and destructive call."""
    for connector in CONNECTORS.values():
        for command in (HARMLESS, DESTRUCTIVE):
            yield run_call(connector, command, home, folder)


def run_call(connector: Connector, command: str, home: DataHome, folder: Path) -> Try:
    """One payload to the registered launcher, and its native answer read back."""
    payload = json.dumps(payload_of(connector, command, folder)).encode()
    started = monotonic_us()
    done = run_with_input(client_words(connector, home), payload, HOOK_TIMEOUT_S)
    millis = (monotonic_us() - started) // 1000
    reason = denial_of(done.stdout) or done.stderr.decode("utf-8", "replace").strip()
    answer = "block" if reason else "allow"
    return Try(connector, command, answer, reason.split(". ")[0][:70] or "-", millis)


def payload_of(connector: Connector, command: str, folder: Path) -> dict[str, Any]:
    """What this agent sends before it runs a shell command."""
    shells = [t for t in connector.tools.values() if t.family is ToolFamily.SHELL]
    events = [e for e in connector.events if e.route is Route.PROPOSAL]
    if not shells or not events:
        raise DefenseClawError(f"{connector.label} has no shell tool")
    field = next(n for n, role in shells[0].fields.items() if role is FieldRole.COMMAND)
    return {
        "session_id": "demo",
        "hook_event_name": events[0].name,
        "cwd": str(user_home() / "project"),
        "transcript_path": str(folder / "transcript.jsonl"),
        "tool_name": shells[0].name,
        "tool_input": {field: command},
        "tool_use_id": "demo",
    }


def denial_of(stdout: bytes) -> str:
    """The reason inside a native denial, or empty."""
    try:
        document = json.loads(stdout or b"{}")
    except ValueError:
        return ""
    specific = document.get("hookSpecificOutput", {})
    if specific.get("permissionDecision") == "deny":
        return str(specific.get("permissionDecisionReason", ""))
    return ""
