"""Making an agent's file what it was before us: byte for byte, or piece by piece."""

from __future__ import annotations

from defenseclaw.connectors import Connector
from defenseclaw.errors import SetupError
from defenseclaw.platform import (
    DataHome,
    UnsafeFileError,
    directory_lock,
    remove_file,
    replace_keeping_mode,
    sweep_temporaries,
)
from defenseclaw.setup import backup
from defenseclaw.setup.model import Options, Step, Target
from defenseclaw.setup.parts import Part
from defenseclaw.setup.target import read_agent_file

LOCK_TIMEOUT_S = 20.0  # another setup of the same user, which may question an agent
MAX_ATTEMPTS = 5  # an agent that writes its file at the same moment does so once or twice
# What became of a file: its first state again, or its own state without our entries.
EXACT, SURGICAL = "exact", "surgical"


def restore(connector: Connector, home: DataHome, part: Part, options: Options) -> str:
    """Make one file what it was, or itself without us; how, or empty where it was so before."""
    target = part.target
    if not target.real.parent.is_dir():
        return ""
    with directory_lock(target.real.parent, LOCK_TIMEOUT_S):
        sweep_temporaries(target.real)
        for _ in range(MAX_ATTEMPTS):
            before = read_agent_file(target)
            after, outcome = _previous(backup.load_record(home, connector, target), part, before)
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
    record: backup.BackupRecord | None, part: Part, content: bytes | None
) -> tuple[bytes | None, str]:
    """What a file should be without us, and whether that is exactly what it was."""
    if content is None:
        return None, ""
    if record and record.is_ours(content):
        # The first state may itself hold older entries of ours, if an earlier record was lost.
        pristine = record.pristine
        clean = None if pristine is None else part.without(pristine)
        return clean, EXACT if clean == pristine else SURGICAL
    clean = part.without(content)
    created = record is not None and record.pristine is None
    if (created or clean != content) and part.is_blank(clean) and (created or not clean):
        return None, SURGICAL  # we created the file, and nobody added as much as a comment
    return clean, SURGICAL


def swap(target: Target, content: bytes | None) -> None:
    """Put a content in place, or remove the file for None. Raises SetupError."""
    try:
        if content is None:
            remove_file(target.real)
        else:
            replace_keeping_mode(target.real, content)
    except UnsafeFileError as error:
        raise SetupError(error.what, impact=error.impact, hint=error.hint) from error
