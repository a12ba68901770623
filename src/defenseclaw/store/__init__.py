"""What is remembered on disk: the audit of every decision and of every operator action."""

from defenseclaw.store.audit import AuditQuery, AuditReader, AuditRow, AuditWriter
from defenseclaw.store.connection import DuplicateRecordError
from defenseclaw.store.recorder import Recorder

__all__ = [
    "AuditQuery",
    "AuditReader",
    "AuditRow",
    "AuditWriter",
    "DuplicateRecordError",
    "Recorder",
]
