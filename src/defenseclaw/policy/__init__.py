"""Policy: from findings to what the agent is told."""

from defenseclaw.policy.decide import Situation, Surface, apply_mode, decide, raw_action

__all__ = ["Situation", "Surface", "apply_mode", "decide", "raw_action"]
