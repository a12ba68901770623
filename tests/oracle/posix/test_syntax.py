"""Validity against ``bash -n`` and command lists against shfmt, every difference explained."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest

from tests.oracle.posix.oracles import (
    bash_accepts,
    bash_version,
    corpus,
    disagreements,
    our_commands,
    shfmt_commands,
    we_accept,
)

pytestmark = pytest.mark.oracle

LEAST_PROGRAMS = 2000
LEAST_VALID_ACCEPTED = 0.995
LEAST_INVALID_REJECTED = 0.99
LEAST_SAME_COMMANDS = 0.99
# The listed differences were read off this version; others may have corrected some.
READ_WITH = "5.2"


@cache
def verdicts() -> dict[str, bool]:
    """What bash says of every program."""
    texts = corpus()
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(texts, pool.map(bash_accepts, texts), strict=True))


@cache
def command_differences() -> tuple[int, frozenset[str]]:
    """How many programs were compared, and those whose commands differ."""
    texts = [text for text, valid in verdicts().items() if valid and we_accept(text)]
    with ThreadPoolExecutor(2) as pool:
        theirs = dict(zip(texts, pool.map(shfmt_commands, texts), strict=True))
    compared = {text: found for text, found in theirs.items() if found is not None}
    differing = frozenset(t for t, found in compared.items() if found != our_commands(t))
    return len(compared), differing


def test_valid_programs_are_accepted_and_broken_ones_refused() -> None:
    found = verdicts()
    valid = [text for text, good in found.items() if good]
    broken = [text for text, good in found.items() if not good]
    accepted = sum(map(we_accept, valid)) / len(valid)
    refused = sum(not we_accept(text) for text in broken) / len(broken)
    print(
        f"{len(valid)} valid, {accepted:.4f} accepted; {len(broken)} broken, {refused:.4f} refused"
    )
    assert len(found) >= LEAST_PROGRAMS
    assert accepted >= LEAST_VALID_ACCEPTED
    assert refused >= LEAST_INVALID_REJECTED


def test_commands_are_those_of_shfmt() -> None:
    compared, differing = command_differences()
    same = 1 - len(differing) / compared
    print(f"{compared} command lists, {same:.4f} equal")
    assert same >= LEAST_SAME_COMMANDS


def test_every_difference_is_listed_and_every_listed_one_exists() -> None:
    if bash_version() != READ_WITH:
        pytest.fail(f"the list of differences needs bash {READ_WITH}, found {bash_version()}")
    _, commands = command_differences()
    found = {("validity", text) for text, valid in verdicts().items() if we_accept(text) != valid}
    found |= {("commands", text) for text in commands}
    listed = {(kind, text) for kind, _, text in disagreements()}
    assert found == listed
    assert all(reason for _, reason, _ in disagreements())
