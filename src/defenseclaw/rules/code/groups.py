"""Words for languages in rules: each language by its own, and two for many of them."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.rules.code.tables.languages import Language

DATA_LANGUAGES = frozenset(
    {Language.SQL, Language.YAML, Language.JSON, Language.XML, Language.SETTINGS}
    | {Language.DOCKERFILE}
)
ALL = frozenset(Language)
GROUPS: Mapping[str, frozenset[Language]] = {
    "code": ALL,
    "program": ALL - DATA_LANGUAGES,
    **{language.value: frozenset({language}) for language in Language},
}
