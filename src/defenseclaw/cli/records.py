"""Recorded decisions for people; nothing of the judging is imported to look one up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from defenseclaw.cli.explained import Account, Waived, render_account
from defenseclaw.core.event import TEXT_ROUTES, Answer
from defenseclaw.core.facts import ParseStatus
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import Action, Mode, Profile, Severity
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import data_home
from defenseclaw.policy import Situation, Surface
from defenseclaw.store import AuditReader, AuditRow

NOT_KEPT = "The text of the call was not kept; this is what the record holds."


def find_record(record: str) -> AuditRow:
    """The row of a record id, or of an unambiguous start of one. Raises DefenseClawError."""
    with AuditReader(data_home().audit_db) as reader:
        row = reader.find(record)
    if row is None:
        raise DefenseClawError(
            f"no single record starts with {record!r}", hint="run `defenseclaw audit list`"
        )
    return row


def render_record(row: AuditRow) -> Iterator[str]:
    """A record for people."""
    yield f"record    {row.record} {row.connector} {row.event} {row.tool}".rstrip()
    yield f"preview   {row.preview}"
    facts = row.body.get("facts", {})
    if row.parse:
        issues = ", ".join(facts.get("issues", [])).replace("_", "-")
        known = "" if row.body.get("modelled", True) else "; holds a program without a table"
        yield f"parse     {row.parse}{f' ({issues})' if issues else ''}{known}"
    for command in facts.get("commands", []):
        name = " ".join(filter(None, (command["program"] or "(other)", command["subcommand"])))
        yield f"command   {name}  {', '.join(command['operations'])}  {' '.join(command['traits'])}"
    if facts.get("labels"):
        yield f"paths     {', '.join(facts['access'])}: {', '.join(facts['labels'])}"
    yield from render_account(account_of(row))
    yield f"note      {NOT_KEPT}"


def account_of(row: AuditRow) -> Account:
    """What the record says of the way from its findings to the answer."""
    body, able = row.body, row.body.get("can", {})
    surface = Surface.TEXT if row.route in TEXT_ROUTES else Surface.CALL
    analysed = row.parse in ("", ParseStatus.COMPLETE.name.lower())
    return Account(
        findings=[_finding(found) for found in body.get("findings", [])],
        situation=Situation(surface, able.get("block", True), able.get("ask", True), analysed),
        posture=Posture(
            mode=Mode(row.mode),
            profile=Profile(row.profile),
            human_approval=able.get("approval", True),
        ),
        event=row.event,
        raw=Action(row.raw),
        action=Action(row.action),
        would_block=row.would_block,
        waived=[Waived(**waived) for waived in body.get("waived", [])],
        listed=body.get("listed"),
        answer=Answer(**body["answer"]) if "answer" in body else None,
        errors=body.get("errors", ()),
    )


def _finding(found: Mapping[str, Any]) -> Finding:
    return Finding(
        rule_id=found["rule_id"],
        title=found["title"],
        severity=Severity(found["severity"]),
        confidence=1.0,
        route=FindingRoute(found["route"]),
        enforceable=found["enforceable"],
        seen=found["seen"],
    )
