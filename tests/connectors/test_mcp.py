"""Declared MCP servers: how they are read, and which of them a tool's name means."""

from __future__ import annotations

import json
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, Declared, bind_tool, read_server, read_servers
from defenseclaw.core.tool import McpServer

SOURCES = {key: c.mcp for key, c in CONNECTORS.items() if c.mcp is not None}
FILES = McpServer(("npx", "-y", "files"))
OTHER = McpServer(("evil",))
LAUNCH = {"command": "npx", "args": ["-y", "files"]}
BY_FOLDER = {"/p": {"mcpServers": {"q": LAUNCH}}}
DOCUMENTS = {
    **{key: json.dumps({found.table: {"fs": LAUNCH}}) for key, found in SOURCES.items()},
    "hermes": "mcp_servers:\n  fs:\n    command: npx\n    args: [-y, files]\n",
    "claudecode": json.dumps({"mcpServers": {"fs": LAUNCH}, "projects": BY_FOLDER}),
    "codex": '[mcp_servers.fs]\ncommand = "npx"\nargs = ["-y", "files"]\n',
}


@pytest.mark.parametrize("key", SOURCES)
def test_servers_of_the_users_file_are_read(key: str) -> None:
    table = read_servers(SOURCES[key], DOCUMENTS[key].encode())
    assert table.everywhere == (Declared("fs", FILES),)


def test_servers_of_single_folders_are_kept_apart() -> None:
    table = read_servers(SOURCES["claudecode"], DOCUMENTS["claudecode"].encode())
    assert table.folders == {"/p": (Declared("q", FILES),)}


@pytest.mark.parametrize("key", SOURCES)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[",
        b"[]",
        b'{"mcpServers":7}',
        b'{"projects":[]}',
        b"mcp_servers = 3",
        b"[" * 9000,
    ],
)
def test_unreadable_file_declares_nothing(key: str, content: bytes) -> None:
    table = read_servers(SOURCES[key], content)
    assert (table.everywhere, table.folders) == ((), {})


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (LAUNCH, FILES),
        ({"command": "x"}, McpServer(("x",))),
        ({"type": "http", "url": "https://a.example/mcp"}, McpServer(url="https://a.example/mcp")),
        ({"command": "x", "env": {"B": "1", "A": "2"}}, McpServer(("x",), environment=("A", "B"))),
        ({"command": "x", "cwd": "/srv"}, McpServer(("x",), cwd="/srv")),
    ],
)
def test_entry_becomes_a_server(entry: dict[str, Any], expected: McpServer) -> None:
    assert read_server(entry) == expected


@pytest.mark.parametrize(
    "entry",
    [
        None,
        [],
        {"command": 7},
        {"command": "x", "args": [1]},
        {"args": ["x"]},
        {"command": "x", "args": "y", "env": []},
        {"url": {}},
        {"command": "x\0"},
        {"command": "x", "args": ["y"] * 1000},
        {"command": "x" * 5000},
    ],
)
def test_entry_with_an_unexpected_part_is_no_server(entry: object) -> None:
    assert read_server(entry) is None


@pytest.mark.parametrize(
    ("tool", "declared", "expected"),
    [
        ("mcp__fs__read_file", [("fs", FILES)], ("fs", "read_file")),
        ("mcp__my_files__read", [("my files", FILES)], ("my_files", "read")),
        ("mcp__a__b__c", [("a__b", FILES)], ("a__b", "c")),
        ("mcp__fs__read", [("fs", FILES), ("fs", FILES)], ("fs", "read")),
        ("mcp__fs__read", [("fs", FILES), ("other", OTHER)], ("fs", "read")),
        ("mcp__fs__read", [("fs", FILES), ("fs", OTHER)], None),
        ("mcp__fs__read", [("fs", FILES), ("fs", None)], None),
        ("mcp__a__b__c", [("a", FILES), ("a__b", FILES)], None),
        ("mcp__my_fs__read", [("my fs", FILES), ("my.fs", FILES)], None),
        ("mcp__fs__", [("fs", FILES)], None),
        ("mcp__f__read", [("fs", FILES)], None),
        ("fs__read", [("fs", FILES)], None),
        ("Read", [("fs", FILES)], None),
        ("mcp__fs__read", [], None),
    ],
)
def test_name_is_bound_only_where_one_server_is_meant(
    tool: str, declared: list[tuple[str, McpServer | None]], expected: tuple[str, str] | None
) -> None:
    found = bind_tool(tool, [Declared(name, server) for name, server in declared])
    assert (found and (found.name, found.operation)) == expected
    if found is not None:
        assert found.server is FILES


def test_number_of_servers_and_folders_is_bounded() -> None:
    many = {f"s{n}": LAUNCH for n in range(2000)}
    folders = {f"/p{n}": {"mcpServers": {"s": LAUNCH}} for n in range(9000)}
    content = json.dumps({"mcpServers": many, "projects": folders}).encode()
    table = read_servers(SOURCES["claudecode"], content)
    assert len(table.everywhere) == 256
    assert len(table.folders) == 4096


@pytest.mark.parametrize("key", SOURCES)
def test_tool_is_bound_under_the_name_that_the_agent_gives_it(key: str) -> None:
    template = SOURCES[key].tool
    name = template.format(server="fs", tool="read_file")
    declared = (Declared("fs", FILES), Declared("web", OTHER))
    bound = bind_tool(name, declared, template)
    assert bound is not None
    assert (bound.operation, bound.server) == ("read_file", FILES)
    assert bind_tool("read_file", declared, template) is None


def test_tool_that_two_servers_may_mean_is_bound_to_none() -> None:
    declared = (Declared("a", FILES), Declared("a_b", OTHER))
    assert bind_tool("a_b_c", declared, "{server}_{tool}") is None
