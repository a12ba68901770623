"""Declared wrappers: what they run is judged, and they hide nothing."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import Dialect, ParseStatus
from defenseclaw.core.tool import Wrapper
from defenseclaw.facts import WrapperError, analyze, declare_wrappers
from defenseclaw.facts.declared.wrappers import RESERVED
from defenseclaw.facts.programs import POSIX
from tests.facts.describe import lines, shell_call

DECLARED = declare_wrappers(
    (
        Wrapper(("mytool", "run"), True, frozenset({"-v", "-q"}), frozenset({"--profile", "-p"})),
        Wrapper(("mytool", "run", "all"), True),
        Wrapper(("within",)),
        Wrapper(("Pinned",), flags=frozenset({"--fast"})),
    )
)
DELETES = "path rm delete /etc"


def facts_of(text: str) -> set[str]:
    return lines(analyze(shell_call(text), DECLARED))


UNDERSTOOD = (
    "mytool run -- rm -rf /etc",
    "mytool -v run -- rm -rf /etc",
    "mytool run -qv --profile x --profile=y -p z -p8 -- rm -rf /etc",
    "mytool run all -- rm -rf /etc",
    "within rm -rf /etc",
    "within -- rm -rf /etc",
    "within within rm -rf /etc",
    "pinned --fast rm -rf /etc",
    "sudo within rm -rf /etc",
    "within sudo rm -rf /etc",
    "within sh -c 'rm -rf /etc'",
    "cd / && within rm -rf etc",
    "/usr/local/bin/within rm -rf /etc",
)


@pytest.mark.parametrize("text", UNDERSTOOD)
def test_what_a_wrapper_runs_is_judged_as_a_command(text: str) -> None:
    found = facts_of(text)
    assert {"complete", "run rm", DELETES} <= found
    assert "unmodelled" not in found


MISREAD = (
    "mytool run rm -rf /etc",  # the declaration has --
    "mytool run -x -- rm -rf /etc",
    "mytool --unknown run -- rm -rf /etc",
    "mytool -- rm -rf /etc",
    "within -x rm -rf /etc",
    "mytool run $X -- rm -rf /etc",
)


@pytest.mark.parametrize("text", MISREAD)
def test_words_outside_the_declaration_leave_the_call_not_understood(text: str) -> None:
    found = facts_of(text)
    assert {"partial", "unmodelled", "uncertain rm"} <= found
    assert "run rm" not in found


@pytest.mark.parametrize("text", ["mytool", "mytool build x", "mytool runs -- rm -rf /etc"])
def test_other_verbs_of_the_program_stay_unmodelled(text: str) -> None:
    found = facts_of(text)
    assert {"complete", "unmodelled"} <= found
    assert "run rm" not in found


@pytest.mark.parametrize("text", ["mytool run", "mytool run --", "within"])
def test_a_wrapper_without_a_command_runs_nothing(text: str) -> None:
    result = analyze(shell_call(text), DECLARED)
    assert len(result.facts.commands) == 1
    assert result.facts.parse.status is ParseStatus.COMPLETE
    assert result.modelled


def test_what_is_run_through_a_wrapper_names_it() -> None:
    result = analyze(shell_call("mytool run -- rm -rf /etc"), DECLARED)
    assert [w.executable for w in result.facts.commands[1].wrappers] == ["mytool"]
    assert any("mytool run --" in note for note in result.notes)


def test_an_unknown_program_behind_a_wrapper_is_not_understood_for_certain() -> None:
    assert {"partial", "issue dynamic-word"} <= facts_of("within -- $X -rf /etc")


def test_a_function_of_the_text_wins_over_the_declaration() -> None:
    assert "run rm" not in facts_of("within() { echo; }; within rm -rf /etc")


def test_without_the_declaration_nothing_changes() -> None:
    found = lines(analyze(shell_call("within rm -rf /etc")))
    assert {"unmodelled", "uncertain rm"} <= found


@pytest.mark.parametrize("name", [*sorted(POSIX)[::97], "rm", "sudo", "python3.11", "RM"])
def test_a_known_program_is_refused(name: str) -> None:
    with pytest.raises(WrapperError) as caught:
        declare_wrappers((Wrapper((name, "run")),))
    assert caught.value.name == name


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_a_reserved_word_is_refused(name: str) -> None:
    with pytest.raises(WrapperError):
        declare_wrappers((Wrapper((name,)),))


def test_declarations_cannot_be_changed_afterwards() -> None:
    with pytest.raises(TypeError):
        DECLARED["rm"] = ()  # type: ignore[index]


def test_the_inner_command_keeps_the_dialect() -> None:
    result = analyze(shell_call("within rm x"), DECLARED)
    assert {command.dialect for command in result.facts.commands} == {Dialect.POSIX}
