"""Taking a registration out again: the agent's file first, then what the hook ran from."""

from __future__ import annotations

from pathlib import Path

from defenseclaw.config import DocumentError
from defenseclaw.connectors import Connector
from defenseclaw.errors import SetupError
from defenseclaw.platform import DataHome, directory_lock, sweep_temporaries
from defenseclaw.setup import backup
from defenseclaw.setup.apply import LOCK_TIMEOUT_S, MAX_ATTEMPTS, locked, swap
from defenseclaw.setup.launcher import retire_assets
from defenseclaw.setup.model import Options, RemovalReport, Step, Target
from defenseclaw.setup.plan import plan_hooks, refuse
from defenseclaw.setup.target import (
    locate,
    ownership,
    read_agent_file,
    read_document,
    target_of,
)
from defenseclaw.setup.trust import with_records
from defenseclaw.setup.verify import residue

# What became of a file: its first state again, or its own state without our entries.
_EXACT, _SURGICAL = "exact", "surgical"


def unregister(
    connector: Connector, home: DataHome, options: Options | None = None
) -> RemovalReport:
    """Take every registration of an agent out. A second run does nothing. Raises SetupError.

    A file that is exactly as we left it becomes, byte for byte, what it was before.
    """
    options = options or Options()
    if not home.root.is_dir():
        if not residue(connector, home, options):
            return RemovalReport((), (), "")
        home.create()  # the data home was deleted by hand: the agent still calls what was in it
    changed: list[Path] = []
    restored: list[Path] = []
    with locked(home):
        for file in _files(connector, home, options):
            target = target_of(file)
            outcome = _restore(connector, home, target, options)
            changed += [file] if outcome else []
            restored += [file] if outcome == _EXACT else []
        left = residue(connector, home, options)
        if left:
            raise SetupError(
                f"{left[0]} is still registered",
                impact="the agent still calls our hook, which stays active",
                hint="run the command again",
            )
        changed += retire_assets(connector, home)
        options.on_step(Step.INERT)
        for file in _files(connector, home, options):
            backup.discard(home, connector, target_of(file))
    options.on_step(Step.DONE)
    hint = connector.registration.restart_hint if changed else ""
    return RemovalReport(tuple(changed), tuple(restored), hint)


def _files(connector: Connector, home: DataHome, options: Options) -> list[Path]:
    """The agent's file as it would be found now, and every file that we have changed."""
    current = locate(connector, options, None).file
    return list(dict.fromkeys([current, *backup.recorded_files(home, connector)]))


def _restore(connector: Connector, home: DataHome, target: Target, options: Options) -> str:
    if not target.real.parent.is_dir():
        return ""
    with directory_lock(target.real.parent, LOCK_TIMEOUT_S):
        sweep_temporaries(target.real)
        for _ in range(MAX_ATTEMPTS):
            before = read_agent_file(target)
            after, outcome = _previous(connector, home, target, before)
            if after == before:
                return ""
            options.on_step(Step.PLANNED)
            if read_agent_file(target) != before:
                continue
            swap(target, after)
            options.on_step(Step.REPLACED)
            return outcome
    raise SetupError(
        f"{target.file} keeps changing",
        impact="the agent still calls our hook, which stays active",
        hint="close the agent, then run the command again",
    )


def _previous(
    connector: Connector, home: DataHome, target: Target, content: bytes | None
) -> tuple[bytes | None, str]:
    """What a file should be without us, and whether that is exactly what it was."""
    if content is None:
        return None, ""
    record = backup.load_record(home, connector, target)
    if record and record.is_ours(content):
        # The first state may itself hold older entries of ours, if an earlier record was lost.
        pristine = record.pristine
        clean = None if pristine is None else without_ours(connector, home, target, pristine)
        return clean, _EXACT if clean == pristine else _SURGICAL
    clean = without_ours(connector, home, target, content)
    if record and record.pristine is None and clean.strip() in (b"", b"{}"):
        return None, _SURGICAL  # we created the file, and nobody added as much as a comment
    return clean, _SURGICAL


def without_ours(connector: Connector, home: DataHome, target: Target, content: bytes) -> bytes:
    """The content with our handlers and their records taken out, and nothing else."""
    document = read_document(connector.registration, content, str(target.file))
    positional = bool(connector.registration.trust)
    owner = ownership(connector, home)
    planned = plan_hooks(document.data, (), owner, positional=positional)
    data = with_records(planned, (), target.sources) if positional else planned.data
    try:
        return document.edited(data)
    except DocumentError as error:
        refuse(f"{target.file}: {error}")
