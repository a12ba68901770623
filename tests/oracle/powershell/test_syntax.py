"""Validity, pipelines, commands and words against tree-sitter's grammar of PowerShell."""

from __future__ import annotations

from functools import cache

import pytest

from tests.oracle.powershell.oracles import Shape, corpus, listed, our_shape, their_shape

pytestmark = pytest.mark.oracle

LEAST_TEXTS = 2000
LEAST_SAME = 0.92  # of all texts; what differs is a construct that the grammar does not know
LEAST_SAME_GROWN = 0.99
PAGES = "https://learn.microsoft.com/"


@cache
def compared() -> dict[str, dict[str, tuple[Shape | None, Shape | None]]]:
    """Both shapes of every text, by where the texts come from."""
    return {
        name: {text: (our_shape(text), their_shape(text)) for text in texts}
        for name, texts in corpus().items()
    }


def differing() -> set[str]:
    """Texts on which the two do not agree."""
    return {
        t for found in compared().values() for t, (ours, theirs) in found.items() if ours != theirs
    }


def agreement(name: str) -> float:
    """The share of texts on which the two agree."""
    pairs = compared()[name].values()
    return sum(ours == theirs for ours, theirs in pairs) / len(pairs)


def test_texts_mean_the_same_commands() -> None:
    count = sum(map(len, compared().values()))
    same = 1 - len(differing()) / count
    for name, pairs in compared().items():
        refused = sum(ours is None for ours, _ in pairs.values())
        print(f"{name}: {len(pairs)} texts, {agreement(name):.4f} agree, {refused} refused by us")
    print(f"{count} texts, {same:.4f} agree")
    assert count >= LEAST_TEXTS
    assert same >= LEAST_SAME
    assert agreement("grown") >= LEAST_SAME_GROWN


def test_every_difference_is_listed_and_every_listed_one_exists() -> None:
    _, texts = listed()
    assert differing() == set(texts)


def test_every_construct_has_a_page_and_a_text() -> None:
    pages, texts = listed()
    assert set(pages) == set(texts.values())
    assert all(page.startswith(PAGES) for page in pages.values())
