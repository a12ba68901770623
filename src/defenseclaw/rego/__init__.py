"""Policies that people write in Rego: their files, and an engine that runs them apart from us."""

from defenseclaw.rego.engine import RegoEngine
from defenseclaw.rego.folder import PolicyFolder, read_policy_folder

__all__ = ["PolicyFolder", "RegoEngine", "read_policy_folder"]
