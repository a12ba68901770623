"""``defenseclaw``: the operator's command. Subcommands are imported only when they are used."""

from __future__ import annotations

import importlib
from typing import Any

import click

from defenseclaw import __version__
from defenseclaw.cli.output import Program, print_json

# command -> (module, attribute, one-line help). Help needs no import of the command itself.
COMMANDS = {
    "setup": ("setup", "setup", "Protect an agent: register hooks, or remove them."),
    "guardrail": (
        "guardrail",
        "guardrail",
        "Show or change modes, state and rule packs.",
    ),
    "status": ("status", "status", "Show what is protected right now."),
    "doctor": ("doctor", "doctor", "Check every part of the protection."),
    "selftest": ("selftest", "selftest", "Try an agent's protection with a harmless command."),
    "audit": ("audit", "audit", "Look up decisions."),
    "alerts": ("audit", "alerts", "List decisions that may need a person."),
    "suppress": ("suppress", "suppress", "Take the effect from findings that were fine."),
    "tool": ("lists", "tool", "Block or allow tools by name."),
    "mcp": ("lists", "mcp", "Block MCP servers by name."),
    "explain": ("explain", "explain", "Show how a command or tool call is judged, and why."),
    "eval": ("evaluate", "evaluate", "Judge many rows from a file."),
    "replay": ("replay", "replay", "Run recorded events again, in order, with their history."),
    "state": ("state", "state", "Show what is remembered about calls, without their content."),
    "config": ("config", "config", "Show or check the configuration."),
    "policy": ("policy", "policy", "Show and ask the policy tables beside the hook path."),
    "rules": ("rules", "rules", "List, show and test rules."),
    "version": ("version", "version", "Show the versions of all parts."),
    "demo": ("demo", "demo", "Show the product working in a throwaway data home."),
}


class LazyGroup(Program):
    """A group that knows its commands' names without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        loaded = importlib.import_module(f"defenseclaw.cli.commands.{module}")
        command: click.Command = getattr(loaded, attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, _, text) in COMMANDS.items()])


def _version_json(ctx: click.Context, _param: Any, value: bool) -> None:
    if value:
        print_json({"name": "defenseclaw", "version": __version__})
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="defenseclaw")
@click.option(
    "--version-json", is_flag=True, is_eager=True, expose_value=False, callback=_version_json,
    help="Print name and version as JSON.",
)  # fmt: skip
def main() -> None:
    """Stop unsafe tool calls of AI coding agents before they run."""
