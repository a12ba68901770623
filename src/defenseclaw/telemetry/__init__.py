"""What leaves the decision path: redaction today, exports and notifications beside it."""

from defenseclaw.telemetry.redact import MASK, preview, printable, redact

__all__ = ["MASK", "preview", "printable", "redact"]
