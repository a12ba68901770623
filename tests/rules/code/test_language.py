"""Which files count as code, and of which language."""

from __future__ import annotations

import pytest

from defenseclaw.rules.code.language import language_of
from defenseclaw.rules.code.tables.languages import EXTENSIONS, INTERPRETERS, NAMES, Language


@pytest.mark.parametrize(
    "path, text, language",
    [
        ("/srv/app/main.py", "", Language.PYTHON),
        ("C:\\src\\Main.JAVA", "", Language.JAVA),
        ("a.test.tsx", "", Language.JAVASCRIPT),
        ("Dockerfile", "", Language.DOCKERFILE),
        ("Dockerfile.dev", "", Language.DOCKERFILE),
        (".env.production", "", Language.SETTINGS),
        ("study.ipynb", "", Language.PYTHON),
        ("tool", "#!/usr/bin/env -S python3.12 -u\n", Language.PYTHON),
        ("tool", "#!/bin/bash -e\n", Language.SHELL),
        ("tool", "#!/opt/node/bin/node\n", Language.JAVASCRIPT),
        ("tool", "eval(x)", None),
        ("README.md", "#!/bin/sh\n", None),
        ("notes.txt", "", None),
        ("data.csv", "", None),
        (".gitignore", "", None),
        ("", "", None),
    ],
)
def test_the_name_or_the_first_line_says_it(
    path: str, text: str, language: Language | None
) -> None:
    assert language_of(path, text) is language


@pytest.mark.parametrize("language", list(Language))
def test_every_ending_is_found(language: Language) -> None:
    for ending in EXTENSIONS[language].split():
        assert language_of(f"a.{ending}", "") is language


def test_whole_names_and_interpreters_are_found() -> None:
    assert all(language_of(f"/x/{name}", "") is language for name, language in NAMES.items())
    for word, language in INTERPRETERS.items():
        assert language_of("tool", f"#!/usr/bin/{word}\n") is language
