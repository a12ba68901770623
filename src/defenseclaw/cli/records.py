"""Recorded decisions for people; nothing of the judging is imported to look one up."""

from __future__ import annotations

from collections.abc import Iterator

from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import data_home
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
    if row.parse:
        yield f"parse     {row.parse}"
    facts = row.body.get("facts", {})
    for command in facts.get("commands", []):
        name = " ".join(filter(None, (command["program"] or "(other)", command["subcommand"])))
        yield f"command   {name}  {', '.join(command['operations'])}  {' '.join(command['traits'])}"
    if facts.get("labels"):
        yield f"paths     {', '.join(facts['access'])}: {', '.join(facts['labels'])}"
    for finding in row.body.get("findings", []):
        force = "can block" if finding["enforceable"] else "detection only"
        yield f"finding   {finding['severity']} {finding['rule_id']}: {finding['title']}"
        seen = f"; saw {finding['seen']}" if finding["seen"] else ""
        yield f"          by {finding['route']}, {force}{seen}"
    blocked = ", would block in action mode" if row.would_block else ""
    yield f"verdict   {row.raw} → {row.action} in {row.mode} mode, {row.profile} profile{blocked}"
    yield f"note      {NOT_KEPT}"
