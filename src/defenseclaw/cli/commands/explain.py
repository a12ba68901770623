"""``defenseclaw explain``: the whole way from text to verdict, for one call or one audit row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from defenseclaw.cli.commands.audit import connector_key
from defenseclaw.cli.explained import Account, Waived, account_json, render_account
from defenseclaw.cli.judge import configured_wrappers, row_of, snapshot_for, snapshot_of
from defenseclaw.cli.output import print_json, reports_errors
from defenseclaw.cli.records import NOT_KEPT, find_record, render_record
from defenseclaw.connectors import CONNECTORS, Connector
from defenseclaw.core.event import HookEvent
from defenseclaw.core.facts import ActionFacts, ByteKind, CommandFact, PathFact, SourceText
from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.core.limits import MAX_PAYLOAD_DEPTH
from defenseclaw.core.verdict import Profile
from defenseclaw.engine import (
    Decision,
    Snapshot,
    as_proposed,
    decide_event,
    native_answer,
    parse_row,
)
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import host_platform, monotonic_us, now_ms
from defenseclaw.policy import Situation, Surface


@click.command(context_settings={"ignore_unknown_options": True})
@click.option(
    "--shell", type=click.Choice(["posix", "powershell", "cmd"]), help="The text's shell."
)
@click.option("--tool", help="TEXT is the JSON object of this tool's arguments.")
@click.option("--id", "record", help="Explain a recorded decision instead of TEXT.")
@click.option(
    "--profile",
    type=click.Choice([p.value for p in Profile]),
    help="Judge as under this profile; default: what the pack is named after, else default.",
)
@click.option(
    "--pack", type=click.Path(path_type=Path), help="A rule pack laid over the catalogue."
)
@click.option("--connector", help="Judge as this agent's next call, by this data home.")
@click.option("--cwd", help="Working directory of the call; default: where you are.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.argument("text", nargs=-1)
@reports_errors
def explain(text: tuple[str, ...], **options: Any) -> None:
    """Show parse, facts, labels, byte tags, findings and the decision. Nothing is executed."""
    if options["record"]:
        explain_record(options["record"], as_json=options["as_json"])
        return
    if not text:
        raise click.UsageError("give the command to explain, or --id RECORD")
    case = _case(" ".join(text), options)
    started = monotonic_us()
    decision = decide_event(case.event, case.snapshot, now_ms())
    micros = monotonic_us() - started
    account = _account(case, decision)
    if options["as_json"]:
        print_json({**document_of(decision, micros), **account_json(account)})
    else:
        for line in (*render(decision), *render_account(account, f" ({micros} µs)")):
            click.echo(line)


@dataclass(frozen=True, slots=True)
class Case:
    """What is judged, with what, and for which agent if for one."""

    event: HookEvent
    snapshot: Snapshot
    connector: Connector | None = None


def _case(text: str, options: dict[str, Any]) -> Case:
    row = parse_row(_row(text, options), host_platform())
    if not options["connector"]:
        wrappers = configured_wrappers()
        return Case(row.event, snapshot_for(options["profile"], options["pack"], wrappers))
    connector = CONNECTORS[connector_key(options["connector"])]
    snapshot, environment = snapshot_of(connector, options["profile"], options["pack"])
    return Case(as_proposed(row, connector, environment), snapshot, connector)


def _account(case: Case, decision: Decision) -> Account:
    spec, verdict, facts = case.event.spec, decision.verdict, decision.facts
    posture, answer = case.snapshot.posture, None
    if case.connector is not None:
        answer = native_answer(case.connector, case.event, decision, posture.block_message)
    analysed = facts is None or facts.authoritative
    return Account(
        findings=decision.findings,
        situation=Situation(Surface.CALL, spec.can_block, spec.can_ask, analysed),
        posture=posture,
        event=spec.name,
        raw=verdict.raw,
        action=verdict.action,
        would_block=verdict.would_block,
        waived=[Waived(w.finding.rule_id, w.finding.severity, w.by) for w in decision.waived],
        listed=decision.listed.words if decision.listed else None,
        answer=answer,
        errors=decision.errors,
    )


def _row(text: str, options: dict[str, Any]) -> dict[str, Any]:
    place = {"id": "explain", "cwd": options["cwd"] or str(Path.cwd()), "home": str(Path.home())}
    if options["connector"]:
        place["connector"] = options["connector"]
    if options["tool"]:
        try:
            args = parse_object(text.encode(), max_depth=MAX_PAYLOAD_DEPTH)
        except JsonTextError as error:
            hint = "with --tool, TEXT is the JSON object of its arguments"
            raise DefenseClawError(f"the arguments are refused: {error}", hint=hint) from error
        return {**place, "tool": options["tool"], "args": args}
    shell = options["shell"]
    return {**place, "command": text, **({"shell": shell} if shell else {})}


def document_of(decision: Decision, micros: int) -> dict[str, Any]:
    """Everything ``explain`` knows, for scripts."""
    document = row_of("explain", decision, micros)
    document["reason"] = decision.verdict.reason
    document["findings"] = [asdict(f) for f in decision.findings]
    if decision.facts is not None:
        document["facts"] = asdict(decision.facts.facts)
        document["texts"] = [asdict(t) for t in decision.facts.texts]
        document["notes"] = list(decision.facts.notes)
    return document


def render(decision: Decision) -> Iterator[str]:
    """What was understood, for people."""
    if decision.facts is not None:
        facts = decision.facts.facts
        issues = ", ".join(i.name.lower().replace("_", "-") for i in facts.parse.issues)
        known = "" if decision.facts.modelled else "; holds a program without a table"
        why = f" ({issues})" if issues else ""
        yield f"parse     {facts.parse.status.name.lower()}{why}{known}"
        yield from render_facts(facts)
        for source in decision.facts.texts:
            yield from render_bytes(source)
        yield from (f"note      {note}" for note in decision.facts.notes)


def render_facts(facts: ActionFacts) -> Iterator[str]:
    """Commands with what they touch."""
    for command in facts.commands:
        yield f"command   {_indent(command, facts)}{_describe(command)}"
        for path in facts.paths:
            if path.command_id == command.id:
                yield f"          {_describe_path(path)}"
        for network in facts.network:
            if network.command_id == command.id:
                carried = f", carries {', '.join(network.carries)}" if network.carries else ""
                target = network.normalized_host or network.host or "unknown host"
                scope = network.scope.name.lower()
                yield f"          {network.action.name.lower()} {target} ({scope}{carried})"
    for path in facts.paths:
        if path.command_id == 0:
            yield f"path      {_describe_path(path)}"


def _indent(command: CommandFact, facts: ActionFacts) -> str:
    parents = {c.id: c.parent_command_id for c in facts.commands}
    depth, current = 0, command.parent_command_id
    while current and depth < len(parents):
        depth, current = depth + 1, parents.get(current, 0)
    return "  " * depth


def _describe(command: CommandFact) -> str:
    words = [command.program or command.executable or "(unknown program)", command.subcommand]
    parts = [
        " ".join(w for w in words if w),
        f"[{', '.join(o.name.lower() for o in command.operations)}]" if command.operations else "",
        " ".join(command.traits),
        "" if command.effect.name == "EXECUTE" else command.effect.name.lower(),
        "" if command.context.name == "UNCONDITIONAL" else command.context.name.lower(),
        "remote" if command.remote else "",
        "" if command.modelled else "no table for this program",
    ]
    return "  ".join(part for part in parts if part)


def _describe_path(path: PathFact) -> str:
    labels = f" ({', '.join(path.labels)})" if path.labels else ""
    return f"{path.access.name.lower()} {path.resolved or path.value or '(unknown path)'}{labels}"


def render_bytes(source: SourceText) -> Iterator[str]:
    """The ranges that are not run, and who reads them."""
    for span in source.spans:
        if span.kind is ByteKind.EXECUTED:
            continue
        piece = " ".join(source.text[span.start : span.end].split())
        shown = piece if len(piece) <= 60 else piece[:59] + "…"
        reader = f" read by {span.consumer}" if span.consumer else ""
        yield f"bytes     {span.start}-{span.end} {span.kind.value}{reader}: {shown}"


def explain_record(record: str, *, as_json: bool) -> None:
    """What a content-free record still says about its decision."""
    row = find_record(record)
    if as_json:
        print_json({**row.to_json(), "note": NOT_KEPT})
        return
    for line in render_record(row):
        click.echo(line)
