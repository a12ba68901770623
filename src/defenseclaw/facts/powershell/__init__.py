"""The PowerShell front end: ``parse`` turns a text into a ``Script``."""

from defenseclaw.facts.powershell.front import Host, parse
from defenseclaw.facts.powershell.tables.aliases import ALIASES, OLD_ALIASES
from defenseclaw.facts.powershell.walk.flow import Session

__all__ = ["ALIASES", "OLD_ALIASES", "Host", "Session", "parse"]
