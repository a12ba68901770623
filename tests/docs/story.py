"""Following a page: its commands are typed in order by one user, and its outputs compared."""

from __future__ import annotations

from tests.docs.commands import Command, commands_of, masked
from tests.docs.page import ROOT, Block, Page, hand_written
from tests.harness import Product, Ran

EXECUTED = ("run", "run-in-sandbox-agent")
OUTPUT = "output"
AGENT_OUTPUT = "agent-output"  # stand-ins for agents cannot make it


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


def stories(*tags: str) -> list[Page]:
    """The pages with a block of one of these tags."""
    return [p for p in hand_written() if any(b.is_shell and b.tag in tags for b in p.blocks)]


def follow(page: Page, reader: Reader, *outputs: str) -> None:
    """Do what a page says, in order; what it prints has to be what is printed.

    ``outputs`` are the tags of the blocks that are compared.
    """
    printed: Ran | None = None
    for block in page.blocks:
        if block.is_shell:
            printed = run_block(page, block, reader)
        elif block.tag in outputs and printed is not None:
            wanted = masked(block.text, reader.places)
            where = f"{page.name}, line {block.line}"
            assert masked(printed.text, reader.places) == wanted, f"{where}:\n{printed.text}"


def run_block(page: Page, block: Block, reader: Reader) -> Ran | None:
    """The last command's result; None for a block that is not run."""
    ran = None
    for command in commands_of(block.text) if block.tag in EXECUTED else ():
        ran = reader.type(command)
        where = f"{page.name}, line {block.line}: {command.text}"
        assert ran.exit == command.exit, f"{where} ended with {ran.exit}:\n{ran.text}"
    return ran
