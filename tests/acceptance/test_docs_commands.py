"""The commands on our pages, run as they are typed, by a throwaway user.

The blocks of a page are one story: they run in order, in one home, and the outputs that a page
prints are compared, without what differs in every run.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.docs import Block, Command, Page, commands_of, hand_written, masked
from tests.docs.page import ROOT
from tests.harness import Product, Ran, make_sandbox, write_fake_agents

pytestmark = pytest.mark.acceptance
EXECUTED = ("run", "run-in-sandbox-agent")
STORIES = [
    pytest.param(page, id=page.name)
    for page in hand_written()
    if any(block.tag in EXECUTED for block in page.blocks if block.is_shell)
]


class Reader(Product):
    """A user who types what a page says, in a shell."""

    def type(self, command: Command) -> Ran:
        """One command in a shell, in the project or, for our own scripts, in the checkout."""
        env = self.environment
        if command.text.startswith("./"):
            del env["DEFENSECLAW_HOME"]  # the demonstration makes a data home of its own
        folder = ROOT if command.text.startswith("./") else self.box.project
        return self.spawn(("sh", "-c", f"cd {str(folder)!r} && {command.text}"), env, None)

    @property
    def places(self) -> dict[str, str]:
        """How pages call the places of this user."""
        data, home = str(self.box.data), str(self.box.home)
        return {data: "~/.defenseclaw", home: "~", str(self.box.project): "~/project"}


@pytest.fixture
def reader() -> Iterator[Reader]:
    """A fresh user, on whose search path both agents seem to be installed."""
    with make_sandbox() as box:
        ours = Reader(box, write_fake_agents(box.root / "agents"))
        try:
            yield ours
        finally:
            ours.close()


@pytest.mark.parametrize("page", STORIES)
def test_commands_of_a_page_do_what_it_says(page: Page, reader: Reader) -> None:
    printed: Ran | None = None
    for block in page.blocks:
        if block.is_shell:
            printed = run_block(page, block, reader)
        elif block.tag == "output" and printed is not None:
            where = f"{page.name}, line {block.line}"
            wanted = masked(block.text, reader.places)
            assert masked(printed.text, reader.places) == wanted, f"{where}:\n{printed.text}"


def run_block(page: Page, block: Block, reader: Reader) -> Ran | None:
    """The last command's result; None for a block that is not run."""
    ran = None
    for command in commands_of(block.text) if block.tag in EXECUTED else ():
        ran = reader.type(command)
        where = f"{page.name}, line {block.line}: {command.text}"
        assert ran.exit == command.exit, f"{where} ended with {ran.exit}:\n{ran.text}"
    return ran
