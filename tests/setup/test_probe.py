"""Detection: the right program, a bounded question, and a status for everything else."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from defenseclaw.connectors import ContractStatus
from defenseclaw.setup import detect
from defenseclaw.setup.probe import version_line
from tests.setup.world import VERSIONS, World


def test_version_and_contract_of_the_installed_agent_are_found(world: World) -> None:
    found = detect(world.connector, world.options)
    assert found.version_text == VERSIONS[world.connector.key]
    assert found.status is ContractStatus.KNOWN
    assert found.executable == world.root / "bin" / world.connector.probe.executables[0]
    assert found.problem == ""


@pytest.mark.parametrize(
    "text",
    ["#!/bin/sh\nexit 1\n", "#!/bin/sh\n", "#!/bin/sh\nkill -9 $$\n", "not a program",
     "#!/nonexistent/interpreter\n", "#!/bin/sh\nyes\n"],
)  # fmt: skip
def test_a_program_without_a_usable_answer_has_no_version(world: World, text: str) -> None:
    world.program(text)
    found = detect(world.connector, world.options)
    assert (found.version_text, found.status) == ("", ContractStatus.UNVERSIONED)
    assert found.contract.default
    assert found.problem


def test_a_program_that_hangs_is_given_up_on(world: World) -> None:
    world.program("#!/bin/sh\nsleep 60 &\nsleep 60\n")
    connector = replace(world.connector, probe=replace(world.connector.probe, timeout_s=0.2))
    started = time.monotonic()
    assert detect(connector, world.options).status is ContractStatus.UNVERSIONED
    assert time.monotonic() - started < 5


def test_only_the_first_line_counts_and_control_characters_do_not(world: World) -> None:
    world.program("#!/bin/sh\nprintf 'x \\033[31m9.9.9\\nsecond 1.0.0\\n'\n")
    assert detect(world.connector, world.options).version_text == "x [31m9.9.9"


def test_a_program_inside_the_project_is_not_asked(world: World) -> None:
    mark = world.root / "asked"
    world.program(f"#!/bin/sh\ntouch {mark}\necho 99.0.0\n")
    (world.root / "bin").rename(world.options.cwd / "bin")
    path = str(world.options.cwd / "bin")
    inside = world.using(environment={**world.options.environment, "PATH": f"{path}:/usr/bin:/bin"})
    assert detect(inside.connector, inside.options).executable is None
    assert not mark.exists()


def test_the_question_does_not_pass_on_what_could_steer_the_program(world: World) -> None:
    world.program(
        '#!/bin/sh\necho "1.2.3 ${LD_PRELOAD:-none} ${NODE_OPTIONS:-none} ${SECRET:-none}"\n'
    )
    environment = {
        **world.options.environment,
        "LD_PRELOAD": "", "NODE_OPTIONS": "--require x", "SECRET": "s",
    }  # fmt: skip
    found = detect(world.connector, world.using(environment=environment).options)
    assert found.version_text == "1.2.3 none none none"


@pytest.mark.parametrize(
    ("printed", "line"),
    [
        ("codex-cli 0.171.0\n", "codex-cli 0.171.0"),
        ("+---+\n| Welcome |\n+---+\nOpenHands CLI 1.16.0\n", "OpenHands CLI 1.16.0"),
        ("see version 2 of the terms\nOpenHands CLI 1.16.0", "OpenHands CLI 1.16.0"),
        ("codex-cli 0.171.0\nupdate to 0.172.0", "codex-cli 0.171.0"),
        ("development build\nno number", "development build"),
        ("", ""),
    ],
)
def test_version_is_in_the_first_line_that_has_a_whole_one(printed: str, line: str) -> None:
    assert version_line(printed) == line
