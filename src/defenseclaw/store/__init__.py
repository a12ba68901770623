"""What is remembered on disk: the audit of every decision and of every operator action."""

from defenseclaw.store.audit import AuditQuery, AuditReader, AuditRow, AuditWriter

__all__ = ["AuditQuery", "AuditReader", "AuditRow", "AuditWriter"]
