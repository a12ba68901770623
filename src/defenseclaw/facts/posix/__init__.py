"""The POSIX shell front end: ``parse`` turns a text into a ``Script``."""

from defenseclaw.facts.posix.expand.state import ShellEnv
from defenseclaw.facts.posix.front import parse

__all__ = ["ShellEnv", "parse"]
