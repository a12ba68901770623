"""Which agents are installed here, in which version, and what could be done about each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import click

from defenseclaw.config import Config
from defenseclaw.connectors import CONNECTORS, Connector, ContractStatus
from defenseclaw.errors import SetupError
from defenseclaw.platform import DataHome
from defenseclaw.setup import Detection, Options, check_host, detect

COLUMNS = ("agent", "version", "contract", "state")


@dataclass(frozen=True, slots=True)
class Found:
    """One agent that we know, as far as this machine has it. ``refusal`` says why setup would not
    touch it here."""

    connector: Connector
    detection: Detection
    configured: bool
    refusal: str = ""

    @property
    def installed(self) -> bool:
        """Whether its program was found."""
        return self.detection.executable is not None

    @property
    def state(self) -> str:
        """In few words, for the table."""
        if not self.installed:
            return "configured, but not installed" if self.configured else "not installed"
        if self.refusal:
            return "not supported here"
        if self.configured:
            return "configured"
        status = self.detection.status
        return "installed" if status is ContractStatus.KNOWN else f"installed, {status.value}"

    def to_json(self) -> dict[str, Any]:
        """As scripts read it."""
        found = self.detection
        return {
            "connector": self.connector.key,
            "label": self.connector.label,
            "installed": self.installed,
            "executable": str(found.executable) if found.executable else None,
            "version": found.version_text,
            "contract": found.contract.id,
            "status": found.status.value,
            "problem": found.problem,
            "configured": self.configured,
            "supported": not self.refusal,
            "refusal": self.refusal,
        }


def discover(home: DataHome, config: Config, options: Options | None = None) -> list[Found]:
    """Every agent that we know. Asks the programs that are there; changes nothing."""
    return [_found(connector, home, config, options) for connector in CONNECTORS.values()]


def _found(connector: Connector, home: DataHome, config: Config, options: Options | None) -> Found:
    refusal = ""
    try:
        check_host(connector, home)
    except SetupError as error:
        refusal = error.what
    detection = detect(connector, options)
    return Found(connector, detection, connector.key in config.connectors, refusal)


def print_found(rows: Iterable[Found]) -> None:
    """The table for people, installed agents first."""
    shown = sorted(rows, key=lambda row: not row.installed)
    cells = [COLUMNS, *(_cells(row) for row in shown)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(COLUMNS))]
    for line in cells:
        padded = zip(line, widths, strict=True)
        click.echo("  ".join(cell.ljust(width) for cell, width in padded).rstrip())
    for row in shown:
        if row.installed and row.detection.problem:
            click.echo(f"note: {row.connector.label}: {row.detection.problem}")
    new = [r.connector.key for r in shown if r.installed and not (r.configured or r.refusal)]
    if new:
        click.echo(f"next: `defenseclaw setup all --mode observe`, or one of: {', '.join(new)}")


def _cells(row: Found) -> tuple[str, ...]:
    if not row.installed:
        return (row.connector.label, "–", "–", row.state)
    version = row.detection.version_text or "unknown"
    return (row.connector.label, version, row.detection.contract.id, row.state)
