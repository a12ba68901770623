"""``defenseclaw demo``: the product working, in a throwaway data home, with nothing installed."""

from __future__ import annotations

from collections.abc import Iterator

import click

from defenseclaw.cli import control
from defenseclaw.cli.output import EXIT_FAILED, print_table, reports_errors
from defenseclaw.cli.trial import Trial, try_command
from defenseclaw.config import edit_config
from defenseclaw.connectors import CONNECTORS, Connector
from defenseclaw.core.verdict import Mode
from defenseclaw.platform import (
    DataHome,
    free_port,
    temporary_folder,
    user_home,
)
from defenseclaw.setup import install_hook

HARMLESS = "git status && ls -la"
DESTRUCTIVE = "rm -rf /"
WHY_CHARS = 70  # of a reason, in a table


@click.command(hidden=True)
@reports_errors
def demo() -> None:
    """Push one harmless and one destructive call of each agent through the real hook client."""
    with temporary_folder("defenseclaw-demo-") as folder:
        home = DataHome(folder / "home")
        prepare(home)
        control.start(home)
        try:
            tries = list(run_calls(home))
        finally:
            control.stop(home)
    print_table(
        ("agent", "proposed command", "answer", "time", "why"),
        [(agent.label, command, *_cells(trial)) for agent, command, trial in tries],
    )
    click.echo("\nNothing was executed and nothing was installed. To protect a real agent:\n")
    for connector in shown():
        click.echo(f"  defenseclaw setup {connector.key} --mode observe")
    click.echo(
        "\nFrom a checkout, write `./run --` in place of `defenseclaw`. See what it saw with"
    )
    click.echo("`defenseclaw audit list`; enforce with `--mode action`.")
    if [trial.denied for _, _, trial in tries] != [False, True] * len(shown()):
        raise SystemExit(EXIT_FAILED)


def _cells(trial: Trial) -> tuple[str, str, str]:
    why = trial.reason.split(". ")[0][:WHY_CHARS] or "-"
    return "block" if trial.denied else "allow", f"{trial.millis} ms", why


def shown() -> list[Connector]:
    """The agents of the demonstration."""
    return [connector for connector in CONNECTORS.values() if connector.demonstrated]


def prepare(home: DataHome) -> None:
    """A configuration in action mode on a free port, and the hook files of every agent."""
    settings: dict[tuple[str, ...], str | int | bool | None] = {("gateway", "port"): free_port()}
    for connector in shown():
        settings[("guardrail", "connectors", connector.key, "mode")] = Mode.ACTION.value
    config = edit_config(home, settings)
    for connector in shown():
        install_hook(connector, home, config.posture(connector.key))


def run_calls(home: DataHome) -> Iterator[tuple[Connector, str, Trial]]:
    """Each agent's harmless and destructive call."""
    cwd = str(user_home() / "project")
    for connector in shown():
        for command in (HARMLESS, DESTRUCTIVE):
            yield connector, command, try_command(connector, home, command, cwd)
