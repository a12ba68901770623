"""The pure composition of facts, rules and policy into a decision."""

from defenseclaw.artifact import MAX_SCRIPT_BYTES, Candidate
from defenseclaw.chains import state_key
from defenseclaw.engine.binding import Binding, Installed, bind_state
from defenseclaw.engine.connector import as_proposed, native_answer, proposal_event
from defenseclaw.engine.controls import ControlRows
from defenseclaw.engine.decide import Decision, Snapshot, decide_config, decide_event
from defenseclaw.engine.evaluate import EvalRow, evaluate_row, parse_row
from defenseclaw.engine.remember import (
    Delivered,
    concerns_ledger,
    instance_of,
    join_chains,
    ledger_context,
    ledger_event,
    step_names,
)
from defenseclaw.engine.replay import Replay, ReplayOptions
from defenseclaw.engine.scripts import judge_scripts, plan_scripts
from defenseclaw.engine.subject import subject_of
from defenseclaw.engine.wrappers import admit_wrappers
from defenseclaw.facts import Wrappers

__all__ = [
    "MAX_SCRIPT_BYTES",
    "Binding",
    "Candidate",
    "ControlRows",
    "Decision",
    "Delivered",
    "EvalRow",
    "Installed",
    "Replay",
    "ReplayOptions",
    "Snapshot",
    "Wrappers",
    "admit_wrappers",
    "as_proposed",
    "bind_state",
    "concerns_ledger",
    "decide_config",
    "decide_event",
    "evaluate_row",
    "instance_of",
    "join_chains",
    "judge_scripts",
    "ledger_context",
    "ledger_event",
    "native_answer",
    "parse_row",
    "plan_scripts",
    "proposal_event",
    "state_key",
    "step_names",
    "subject_of",
]
