"""What the tests of our pages rely on: splitting blocks, finding links, masking output."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs import Command, Page, commands_of, masked

TEXT = """\
# A page: of [two](b.md) parts

See [there](b.md#c) and `[not](a-link)`.

```sh run
defenseclaw status
```

````text
```sh
inner
```
````
"""


@pytest.fixture
def page(tmp_path: Path) -> Page:
    file = tmp_path / "page.md"
    file.write_text(TEXT, encoding="utf-8")
    return Page(file)


def test_page_is_split_into_blocks_and_prose(page: Page) -> None:
    first, second = page.blocks
    assert (first.line, first.language, first.tag) == (5, "sh", "run")
    assert first.text == "defenseclaw status"
    assert second.text == "```sh\ninner\n```"
    assert "defenseclaw" not in page.prose


def test_links_in_code_are_no_links(page: Page) -> None:
    assert page.links == ["b.md", "b.md#c"]


def test_anchor_is_what_renderers_make_of_a_heading(page: Page) -> None:
    assert page.anchors == {"a-page-of-two-parts"}


def test_unclosed_fence_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text("```sh run\nls\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="never closed"):
        _ = Page(file).blocks


def test_commands_keep_continued_lines_and_here_documents_together() -> None:
    block = "# first\none \\\n  two\ncat > f <<'END'\na\nEND\n\nthree # exit 1\n"
    assert commands_of(block) == [
        Command("one \\\n  two"),
        Command("cat > f <<'END'\na\nEND"),
        Command("three", 1),
    ]


def test_masking_hides_what_differs_and_nothing_else() -> None:
    left = masked("block /a/b/x 12 µs, 3 rows, port 123 (pid 77)\n\n", {"/a": "~", "/a/b": "~/p"})
    assert left == ["block ~/p/x N µs, 3 rows, port N (pid N)"]
