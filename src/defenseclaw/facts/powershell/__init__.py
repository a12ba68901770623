"""The PowerShell front end: ``parse`` turns a text into a ``Script``."""

from defenseclaw.facts.powershell.front import Host, parse
from defenseclaw.facts.powershell.tables.aliases import ALIASES, OLD_ALIASES

__all__ = ["ALIASES", "OLD_ALIASES", "Host", "parse"]
