"""PowerShell for the checks: all respellings and all mentions."""

from __future__ import annotations

from tests.facts.respelling.powershell.mentions import MENTIONS
from tests.facts.respelling.powershell.parameters import PARAMETERS
from tests.facts.respelling.powershell.paths import PATHS
from tests.facts.respelling.powershell.values import VALUES
from tests.facts.respelling.powershell.words import WORDS
from tests.facts.respelling.powershell.wraps import WRAPS
from tests.facts.respelling.windows.judge import Language

POWERSHELL = Language("powershell", (*WORDS, *VALUES, *PARAMETERS, *PATHS, *WRAPS), MENTIONS)
