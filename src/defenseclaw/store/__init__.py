"""What is remembered on disk: the audit of decisions and operator actions, and the ledger."""

from defenseclaw.store.audit import AuditQuery, AuditReader, AuditRow, AuditWriter
from defenseclaw.store.connection import DuplicateRecordError
from defenseclaw.store.folder import LogFolder
from defenseclaw.store.keeper import LedgerKeeper
from defenseclaw.store.ledger import LedgerStore
from defenseclaw.store.ledger_reader import LedgerReader, SessionRow
from defenseclaw.store.recorder import Recorder

__all__ = [
    "AuditQuery",
    "AuditReader",
    "AuditRow",
    "AuditWriter",
    "DuplicateRecordError",
    "LedgerKeeper",
    "LedgerReader",
    "LedgerStore",
    "LogFolder",
    "Recorder",
    "SessionRow",
]
