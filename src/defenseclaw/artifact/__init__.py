"""Scripts that a call is about to run: which file is meant, and what its bytes may justify."""

from defenseclaw.artifact.judge import (
    Artifact,
    exact_view,
    inner_call,
    may_enforce,
    read_script,
)
from defenseclaw.artifact.limits import (
    FILE_WAIT_S,
    GATE_BUDGET_S,
    MAX_SCRIPT_BYTES,
    MAX_SCRIPTS,
    READER_SLOTS,
)
from defenseclaw.artifact.plan import Candidate, plan

__all__ = [
    "FILE_WAIT_S",
    "GATE_BUDGET_S",
    "MAX_SCRIPTS",
    "MAX_SCRIPT_BYTES",
    "READER_SLOTS",
    "Artifact",
    "Candidate",
    "exact_view",
    "inner_call",
    "may_enforce",
    "plan",
    "read_script",
]
