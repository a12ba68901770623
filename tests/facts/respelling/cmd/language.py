"""cmd for the checks: all respellings and all mentions."""

from __future__ import annotations

from tests.facts.respelling.cmd.mentions import MENTIONS
from tests.facts.respelling.cmd.values import VALUES
from tests.facts.respelling.cmd.words import WORDS
from tests.facts.respelling.cmd.wraps import WRAPS
from tests.facts.respelling.windows.judge import Language

CMD = Language("cmd", (*WORDS, *VALUES, *WRAPS), MENTIONS)
