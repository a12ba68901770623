"""What the first line of a script proves, and what is read as its text."""

from __future__ import annotations

import pytest

from defenseclaw.artifact import Candidate, may_enforce, read_script
from defenseclaw.core.facts import ActionFacts, ParseResult, ParseStatus

DIRECT = Candidate("/p/s", "", may_enforce=True, decides_exit=True, needs_execute_bit=True)
NAMED = Candidate("/p/s", "posix", may_enforce=True, decides_exit=True, needs_execute_bit=False)


@pytest.mark.parametrize(
    "line",
    [
        "#!/usr/bin/env bash", "#!/bin/sh", "#!/bin/sh -e", "#!/bin/bash -eu", "#!/bin/zsh -f",
        "#!/bin/bash -l", "#!/bin/sh -x", "#!/opt/bin/dash", "#!/usr/bin/env -S bash -eu",
        "#!/usr/bin/env -S bash", "#!/usr/bin/env BASH", "#!/bin/bash ", "#!/usr/bin/ksh -h",
    ],
)  # fmt: skip
def test_shell_is_proven(line: str) -> None:
    """198"""
    found = read_script(DIRECT, f"{line}\nls\n".encode())
    assert found is not None
    assert (found.language, found.text) == ("posix", "ls\n")


@pytest.mark.parametrize(
    "line",
    [
        "#!sh", "#! /bin/sh", " #!/bin/sh", "#!/bin/sh\r", "#!/bin/sh -n", "#!/bin/sh -c",
        "#!/bin/sh -s", "#!/bin/sh -o noexec", "#!/bin/sh -e -u", "#!/bin/sh --posix",
        "#!/bin/sh -", "#!/bin/sh script", "#!/usr/bin/env bash -e", "#!/usr/bin/env -i bash",
        "#!/usr/bin/env A=1 bash", "#!/usr/bin/env /bin/bash", "#!/usr/bin/env", "#!", "#!/",
        "#!/usr/bin/python3", "#!/usr/bin/env node", "#!/bin/fish", "#!/bin/sh\t-e", "ls",
        "#!/bin/\u00e9sh", "#!/usr/bin/env -S bash -n", "#!/usr/bin/env -S",
        "#!" + "/" * 300 + "sh",
    ],
)  # fmt: skip
def test_anything_else_proves_nothing(line: str) -> None:
    """198"""
    assert read_script(DIRECT, f"{line}\nls\n".encode()) is None


def test_powershell_is_proven_by_its_name() -> None:
    found = read_script(DIRECT, b"#!/usr/bin/env pwsh\nGet-Item .\n")
    assert found is not None
    assert found.language == "powershell"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"ls\n", "ls\n"),
        (b"#!/usr/bin/python3\nls\n", "ls\n"),
        (b"#!/bin/sh", ""),
        (b"ls \xff\n", "ls \ufffd\n"),
    ],
)
def test_named_interpreter_needs_no_first_line(body: bytes, text: str) -> None:
    found = read_script(NAMED, body)
    assert found is not None
    assert (found.language, found.text) == ("posix", text)


@pytest.mark.parametrize("status", list(ParseStatus))
def test_only_a_script_that_is_understood_may_stop_the_call(status: ParseStatus) -> None:
    found = read_script(NAMED, b"ls\n")
    assert found is not None
    inner = ActionFacts(parse=ParseResult(status=status))
    assert may_enforce(found, inner) is (status is ParseStatus.COMPLETE)
