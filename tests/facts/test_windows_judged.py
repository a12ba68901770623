"""The facts of PowerShell and cmd inputs, beside what two judges say without knowing them.

Where both judges say the same and the facts differ, ``differences.yaml`` says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
import yaml

from defenseclaw.core.facts import Dialect
from tests.facts.windows_inputs.judged import DECISIVE, FOLDER, Input, Reading, inputs, reading

MIN_JUDGED = {"powershell": 600, "cmd": 300}
MAX_DIFFERING = 0.03  # of the inputs of one shell, all kinds of differences together


def misses_a_run(one: Input, read: Reading) -> bool:
    """Both judges name a command that the facts do not have."""
    return bool(_common(label.runs for label in one.labels.values()) - read.runs)


def misses_an_effect(one: Input, read: Reading) -> bool:
    """Both judges name an effect and its target, and the facts do not have it."""
    both = _common(label.pointed for label in one.labels.values())
    return bool(both & DECISIVE - read.effects)


def invents_an_effect(one: Input, read: Reading) -> bool:
    """The facts have a destroying or sending effect that neither judge sees."""
    either = frozenset().union(*(label.effects for label in one.labels.values()))
    grave = {"delete", "upload", "registry-write", "registry-delete", "account"}
    return bool(read.effects & grave - either)


def gives_up(one: Input, read: Reading) -> bool:
    """Both judges say that the text determines what runs, and the facts are not complete."""
    return all(label.determined for label in one.labels.values()) and not read.complete


def overclaims(one: Input, read: Reading) -> bool:
    """Both judges say that the text does not determine what runs, and the facts are complete."""
    return not any(label.determined for label in one.labels.values()) and read.complete


KINDS: dict[str, Callable[[Input, Reading], bool]] = {
    "runs": misses_a_run,
    "effects": misses_an_effect,
    "invented": invents_an_effect,
    "incomplete": gives_up,
    "overclaimed": overclaims,
}


def _common(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset.intersection(*sets)


def _judged(shell: str) -> list[Input]:
    return [one for one in inputs() if one.shell == shell and len(one.labels) == 2]


@pytest.mark.parametrize("shell", sorted(MIN_JUDGED))
def test_enough_inputs_have_two_labels(shell: str) -> None:
    assert len(_judged(shell)) >= MIN_JUDGED[shell]


@pytest.mark.parametrize("shell", sorted(MIN_JUDGED))
def test_facts_differ_from_both_judges_only_where_it_is_explained(shell: str) -> None:
    rows = yaml.safe_load((FOLDER / "differences.yaml").read_text(encoding="utf-8"))
    explained = {(row["id"], row["kind"]) for row in rows if row["id"].startswith(shell[0])}
    judged = _judged(shell)
    found = {
        (one.id, kind)
        for one in judged
        for read in [reading(one)]
        for kind, differs in KINDS.items()
        if differs(one, read)
    }
    assert sorted(found - explained) == []
    assert sorted(explained - found) == [], "explained, but there is no difference any more"
    assert len({id for id, _ in found}) <= MAX_DIFFERING * len(judged)
    assert all(row["why"] for row in rows)


@pytest.mark.parametrize("shell", [Dialect.POWERSHELL, Dialect.CMD])
def test_judges_agree_about_most_inputs(shell: Dialect) -> None:
    judged = _judged(shell.name.lower())
    agreed = [one for one in judged if one.agreed("determined") is not None and one.want]
    assert len(agreed) >= 0.85 * len(judged)
