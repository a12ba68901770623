"""The page of reviewed MCP servers: by what each is known, and which operations are understood."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.facts.tables.mcp_adapters import ADAPTERS, Adapter
from tools.pages.markdown import code, table

HEAD = """\
# Reviewed MCP servers

What the arguments of an MCP tool mean is known for these servers. A server is known by what starts
it (a package through `npx`, `uvx` and their like, an image through `docker run`, or a program's
bare name) or by the host of its `https` address, never by the name that its user gave it. It has to
be declared in the agent's own file or in the project's. Any other tool is judged by its name, and
patterns see its texts.

"""
HEADERS = ("server", "known by", "operations that are understood")


def pages() -> Mapping[str, str]:
    """The page."""
    body = table(HEADERS, [_row(adapter) for adapter in ADAPTERS if adapter.operations])
    return {"mcp-servers.md": HEAD + body}


def _row(adapter: Adapter) -> tuple[str, str, str]:
    names = [f"{source} {code(n)}" for source, found in adapter.names.items() for n in found]
    return adapter.key, ", ".join(names), ", ".join(map(code, adapter.operations))
