"""``defenseclaw tool`` and ``defenseclaw mcp``: what is always blocked, and what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click

from defenseclaw.cli import control
from defenseclaw.cli.commands.audit import connector_key
from defenseclaw.cli.control_checks import is_shell
from defenseclaw.cli.output import json_option, print_items, print_table, reports_errors
from defenseclaw.cli.posture import changing
from defenseclaw.config import drop_row, iso, load_config, load_lists, put_row
from defenseclaw.core.controls import ListAction, ListRow, Subject
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import DataHome, data_home, now_ms

connector_option = click.option("--connector", default="", help="Only for this agent.")
reason_option = click.option("--reason", default="", help="Why, for whoever reads the list later.")


@click.group()
def tool() -> None:
    """Block or allow tools by name, whatever their arguments."""


@click.group()
def mcp() -> None:
    """Block MCP servers by name, with every tool they have."""


def store(row: ListRow) -> None:
    """Write a row and make a running gateway read it."""
    home = data_home()
    with changing(home):
        put_row(home, row)
        running = control.reload(home)
    scope = row.connector or "every agent"
    click.echo(f"{row.action}ed for {scope}: {row.subject} {row.name}")
    if not running:
        click.echo("the gateway does not run; the row counts from its next start")


def remove(subject: Subject, name: str, connector: str) -> None:
    """Take a row out and make a running gateway read the rest. Raises DefenseClawError."""
    home = data_home()
    with changing(home):
        if not drop_row(home, subject, connector, name):
            scope = connector or "every agent"
            raise DefenseClawError(
                f"there is no row for {subject} {name!r} of {scope}",
                impact="nothing was changed",
                hint=_SHOW[subject],
            )
        control.reload(home)
    click.echo(f"no longer listed: {subject} {name}")


def every_row(home: DataHome, subject: Subject) -> list[ListRow]:
    """The user's rows, then the administrator's."""
    managed: Iterable[ListRow] = ()
    if home.config.exists():
        managed = load_config(home).managed.rows
    return [row for row in (*load_lists(home), *managed) if row.subject is subject]


def show(subject: Subject, *, blocked: bool, allowed: bool, as_json: bool) -> None:
    """The rows of a subject."""
    wanted = {
        action
        for action, flag in ((ListAction.BLOCK, blocked), (ListAction.ALLOW, allowed))
        if flag or not (blocked or allowed)
    }
    rows = [row for row in every_row(data_home(), subject) if row.action in wanted]
    if as_json:
        print_items([to_json(row) for row in rows])
    elif not rows:
        click.echo("no rows")
    else:
        table = [
            (r.name, r.action.value, r.connector or "every agent", _author(r), r.reason)
            for r in rows
        ]
        print_table((subject.value, "action", "agent", "by", "reason"), table)


def to_json(row: ListRow) -> dict[str, Any]:
    """A row as scripts read it."""
    return {
        "subject": row.subject.value,
        "name": row.name,
        "action": row.action.value,
        "connector": row.connector,
        "by": _author(row),
        "reason": row.reason,
        "created": row.created,
    }


def _author(row: ListRow) -> str:
    return "administrator" if row.managed else "user"


def _add_block(group: click.Group, subject: Subject) -> None:
    @group.command("block", help=f"Block every call of {_ARTICLE[subject]}.")
    @click.argument("name")
    @connector_option
    @reason_option
    @reports_errors
    def block(name: str, connector: str, reason: str) -> None:
        key = connector_key(connector)
        store(ListRow(subject, name, ListAction.BLOCK, key, reason, iso(now_ms())))


def _add_unblock(group: click.Group, subject: Subject) -> None:
    @group.command("unblock", help="Take a row out of the list, whatever it says.")
    @click.argument("name")
    @connector_option
    @reports_errors
    def unblock(name: str, connector: str) -> None:
        remove(subject, name, connector_key(connector))


def _add_list(group: click.Group, subject: Subject) -> None:
    @group.command("list", help="Show the rows, an administrator's among them.")
    @click.option("--blocked", is_flag=True, help="Only what is blocked.")
    @click.option("--allowed", is_flag=True, help="Only what is allowed.")
    @json_option
    @reports_errors
    def list_rows(blocked: bool, allowed: bool, as_json: bool) -> None:
        show(subject, blocked=blocked, allowed=allowed, as_json=as_json)


_SHOW = {
    Subject.TOOL: "run `defenseclaw tool list`",
    Subject.MCP: "run `defenseclaw mcp list`",
}
_ARTICLE = {Subject.TOOL: "a tool", Subject.MCP: "an MCP server's tools"}
_COMMON: tuple[Callable[[click.Group, Subject], None], ...] = (_add_block, _add_unblock, _add_list)
for add in _COMMON:
    add(tool, Subject.TOOL)
    add(mcp, Subject.MCP)


@tool.command("allow")
@click.argument("name")
@connector_option
@reason_option
@click.option("--force", is_flag=True, help="Also for a tool that runs commands.")
@reports_errors
def allow(name: str, connector: str, reason: str, force: bool) -> None:
    """Let a tool pass below CRITICAL findings; the guard's own protection stays."""
    if is_shell(name) and not force:
        raise DefenseClawError(
            f"{name} runs commands: allowing it takes the effect from every rule below CRITICAL",
            impact="nothing was changed",
            hint="suppress single findings with `defenseclaw suppress`, or repeat with --force",
        )
    key = connector_key(connector)
    store(ListRow(Subject.TOOL, name, ListAction.ALLOW, key, reason, iso(now_ms())))


@tool.command("status")
@click.argument("name")
@json_option
@reports_errors
def status(name: str, as_json: bool) -> None:
    """Show what the lists say about a tool."""
    rows = [r for r in every_row(data_home(), Subject.TOOL) if r.name.casefold() == name.casefold()]
    if as_json:
        print_items([to_json(row) for row in rows])
        return
    for row in rows:
        click.echo(f"{row.name}: {row.action} for {row.connector or 'every agent'}  {row.reason}")
    if not rows:
        click.echo(f"{name}: not listed; its calls are judged by the rules")
