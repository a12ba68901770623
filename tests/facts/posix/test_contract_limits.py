"""Limit rows of the action-facts contract by their numbers."""

from __future__ import annotations

import pytest

from tests.facts.describe import analyze_shell, lines

ROWS = (
    (112, "; ".join(["a"] * 4_200), "issue node-limit"),
    (112, "echo " + "$(" * 65 + "id" + ")" * 65, "issue depth-limit"),
    (113, "true " + ">x " * 257, "issue fact-limit"),
)


@pytest.mark.parametrize(("row", "text", "issue"), ROWS)
def test_a_text_beyond_a_limit_is_not_understood(row: int, text: str, issue: str) -> None:
    assert {"limit-exceeded", issue} <= lines(analyze_shell(text))


def test_a_body_that_is_longer_than_a_one_liner_is_not_read() -> None:
    """Row 155, with a longer limit: inline code is often longer than two kilobytes."""
    assert "complete" in lines(analyze_shell(f"perl -e '{'1;' * 1_025}'"))
    assert "partial" in lines(analyze_shell(f"perl -e '{'1;' * 9_000}'"))
