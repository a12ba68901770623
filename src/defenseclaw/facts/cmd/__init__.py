"""The cmd front end: ``parse`` turns a text into a ``Script``."""

from defenseclaw.facts.cmd.front import Host, parse
from defenseclaw.facts.cmd.guess import is_for_cmd
from defenseclaw.facts.cmd.syntax.words import command_line, inner_text

__all__ = ["Host", "command_line", "inner_text", "is_for_cmd", "parse"]
