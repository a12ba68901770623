"""The pure composition of facts, rules and policy into a decision."""

from defenseclaw.engine.decide import Decision, Snapshot, decide_config, decide_event
from defenseclaw.engine.evaluate import EvalRow, evaluate_row, parse_row
from defenseclaw.engine.subject import subject_of
from defenseclaw.engine.wrappers import admit_wrappers
from defenseclaw.facts import Wrappers

__all__ = [
    "Decision",
    "EvalRow",
    "Snapshot",
    "Wrappers",
    "admit_wrappers",
    "decide_config",
    "decide_event",
    "evaluate_row",
    "parse_row",
    "subject_of",
]
