"""Declared wrappers: read as they are written, and refused with the place of the fault."""

from __future__ import annotations

import pytest

from defenseclaw.config import parse_config
from defenseclaw.config.wrappers import MAX_OPTIONS, MAX_WORDS, MAX_WRAPPERS
from defenseclaw.core.tool import Wrapper
from defenseclaw.errors import ConfigError


def read(text: str) -> tuple[Wrapper, ...]:
    return parse_config(text.encode(), "config.toml").wrappers


def row(line: str) -> str:
    return f"[[analysis.wrappers]]\n{line}\n"


def test_without_a_section_there_are_none() -> None:
    assert read("config_version = 1\n") == ()


def test_rows_are_read_in_order() -> None:
    text = row('command = "mytool run --"\noptions = ["-v", "--profile="]') + row('command = "in"')
    assert read(text) == (
        Wrapper(("mytool", "run"), True, frozenset({"-v"}), frozenset({"--profile"})),
        Wrapper(("in",)),
    )
    assert [wrapper.spelling for wrapper in read(text)] == ["mytool run --", "in"]


REFUSED = (
    ("[analysis]\nwrappers = 1", "analysis.wrappers is not a list"),
    ('[analysis]\nwrappers = ["mytool run --"]', "analysis.wrappers[0] is not a table"),
    ("[analysis]\nwrapper = []", "analysis.wrapper is not a known key"),
    ("analysis = 1", "analysis is not a table"),
    (row("options = []"), "analysis.wrappers[0].command is not a text"),
    (row('command = " "'), "analysis.wrappers[0].command is not a text"),
    (row('command = "--"'), "analysis.wrappers[0].command is not a plain"),
    (row('command = "./mytool"'), "analysis.wrappers[0].command is not a plain"),
    (row('command = "my$tool"'), "analysis.wrappers[0].command is not a plain"),
    (row('command = "mytool -v"'), "analysis.wrappers[0].command is not a plain"),
    (row('command = "mytool -- run"'), "analysis.wrappers[0].command is not a plain"),
    (row('command = "' + "a " * (MAX_WORDS + 1) + '"'), "analysis.wrappers[0].command is not a"),
    (row('command = "a"\nverbs = []'), "analysis.wrappers[0].verbs is not a known key"),
    (row('command = "a"\noptions = "-v"'), "analysis.wrappers[0].options is not a short list"),
    (row('command = "a"\noptions = ["v"]'), "analysis.wrappers[0].options holds something"),
    (row('command = "a"\noptions = ["-vx"]'), "analysis.wrappers[0].options holds something"),
    (row('command = "a"\noptions = [1]'), "analysis.wrappers[0].options holds something"),
    (row('command = "a"\noptions = ["-v", "-v="]'), "analysis.wrappers[0].options has an option"),
    (
        row('command = "a"\noptions = [' + '"-v",' * (MAX_OPTIONS + 1) + "]"),
        "analysis.wrappers[0].options is not a short list",
    ),
    (row('command = "a"') * 2, "analysis.wrappers[1].command is declared twice"),
    (
        "".join(row(f'command = "a{i}"') for i in range(MAX_WRAPPERS + 1)),
        "analysis.wrappers has too many entries",
    ),
)


@pytest.mark.parametrize("text, problem", REFUSED)
def test_a_faulty_row_is_refused_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert problem in caught.value.what
    assert "config validate" in caught.value.hint
