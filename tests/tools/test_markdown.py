"""Pieces of Markdown whose content may hold any character."""

from __future__ import annotations

import pytest
from tools.pages.markdown import code, fence, prose, table


@pytest.mark.parametrize(
    "text, expected",
    [("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("a\nb", "`a b`"), ("", "")],
)
def test_code_span_holds_backticks_and_one_line(text: str, expected: str) -> None:
    assert code(text) == expected


def test_fence_is_longer_than_any_inside() -> None:
    assert fence("```\nx\n```", "text") == "````text\n```\nx\n```\n````\n"


def test_bar_in_a_cell_is_escaped() -> None:
    assert table(("a",), [("`x|y`",)]) == "| a |\n| --- |\n| `x\\|y` |\n"


def test_prose_shows_what_looks_like_markup() -> None:
    assert prose("*.pem and  <id>\nin `a_b`") == "\\*.pem and \\<id> in `a_b`"
