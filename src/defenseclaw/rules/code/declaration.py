"""Is a name with brackets declared here, and not called?"""

from __future__ import annotations

import re

from defenseclaw.rules.code.expression import arguments
from defenseclaw.rules.code.lexer import Code
from defenseclaw.rules.code.tables.languages import Language
from defenseclaw.rules.code.tables.values import DEFINING_WORDS, EXPRESSION_WORDS

_NAME = re.compile(r"[\w.:$>-]+\s*\(\Z")
_WORD_BEFORE = re.compile(r"([A-Za-z_]\w*)[*&\s]+\Z")
_BODY = re.compile(r"\)\s*(?::\s*[\w<>\[\]|. ]{1,60})?\{")
_LOOKBACK = 60  # characters before a name in which the word before it stands
# Languages in which a call may follow another word, such as `puts eval(x)` or `<?php eval(x)`.
_LOOSE = frozenset({Language.PHP, Language.RUBY, Language.PERL, Language.LUA, Language.SHELL})
# Languages in which a method is written as name, parameters and a block.
_BLOCKS = frozenset({Language.JAVASCRIPT, Language.JAVA, Language.CSHARP, Language.C})


def is_declaration(code: Code, start: int, end: int) -> bool:
    """Whether the hit, which ends behind an opening bracket, declares a function."""
    name = _NAME.search(code.bare[start:end])
    if name is None:
        return False
    at = start + name.start()
    before = _WORD_BEFORE.search(code.bare[max(0, at - _LOOKBACK) : at])
    if before is not None and "\n" not in before[0]:
        word = before[1]
        return word in DEFINING_WORDS or (
            code.language not in _LOOSE and word not in EXPRESSION_WORDS
        )
    if code.language not in _BLOCKS:
        return False
    return _BODY.match(code.bare, arguments(code, end)[-1].end) is not None
