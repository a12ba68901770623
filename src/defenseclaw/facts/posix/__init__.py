"""The POSIX shell front end: ``parse`` turns a text into a ``Script``."""

from defenseclaw.facts.posix.front import parse
from defenseclaw.facts.posix.values import ShellEnv

__all__ = ["ShellEnv", "parse"]
