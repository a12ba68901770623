"""Policy: from findings and controls to what the agent is told."""

from defenseclaw.policy.controls import ALLOWED, Controls
from defenseclaw.policy.decide import Situation, Surface, apply_mode, decide, raw_action
from defenseclaw.policy.lists import Lists, block_finding, effective
from defenseclaw.policy.suppressions import CallSubject, Suppressions, Waiver, in_force

__all__ = [
    "ALLOWED",
    "CallSubject",
    "Controls",
    "Lists",
    "Situation",
    "Suppressions",
    "Surface",
    "Waiver",
    "apply_mode",
    "block_finding",
    "decide",
    "effective",
    "in_force",
    "raw_action",
]
