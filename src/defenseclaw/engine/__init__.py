"""The pure composition of facts, rules and policy into a decision."""

from defenseclaw.engine.decide import Decision, Snapshot, decide_config, decide_event
from defenseclaw.engine.evaluate import EvalRow, evaluate_row, parse_row

__all__ = [
    "Decision",
    "EvalRow",
    "Snapshot",
    "decide_config",
    "decide_event",
    "evaluate_row",
    "parse_row",
]
