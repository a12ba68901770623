"""Reading our own pages: links, fenced blocks and the commands in them."""

from tests.docs.commands import Command, commands_of, masked
from tests.docs.page import Block, Page, all_pages, hand_written

__all__ = ["Block", "Command", "Page", "all_pages", "commands_of", "hand_written", "masked"]
