"""MCP tools: what starts or reaches the server decides what its arguments mean."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.core.facts import FactsResult, ParseStatus
from defenseclaw.core.labels import Trait
from defenseclaw.core.tool import FieldRole, McpServer, McpTool, ToolCall, ToolFamily, ToolSpec
from defenseclaw.facts import analyze, validate
from defenseclaw.facts.tables.mcp_adapters import ADAPTERS, Adapter, Source
from defenseclaw.facts.typed.families import FAMILIES
from defenseclaw.facts.typed.mcp import LAUNCHERS, identify_server, operation_of
from defenseclaw.facts.typed.template import template_names
from tests.facts.describe import CWD, HOME, lines

FILES = "npx -y @modelcontextprotocol/server-filesystem /home/dev"
OPERATIONS = [(a, n, s) for a in ADAPTERS for n, s in a.operations.items()]
SCHEMED = {ToolFamily.SHELL, ToolFamily.SHELL_INPUT, *FAMILIES}


def bound(launch: str, operation: str, **args: Any) -> FactsResult:
    """A call of an operation of a server that is started so, or reached there."""
    url = launch if "://" in launch.split(maxsplit=1)[0] else ""
    server = McpServer(() if url else tuple(launch.split()), url)
    tool = McpTool("x", operation, server)
    name = f"mcp__x__{operation}"
    spec = ToolSpec(name, ToolFamily.MCP)
    return analyze(ToolCall(name, args, CWD, HOME, spec=spec, mcp=tool))


def key(launch: str, **more: Any) -> str:
    url = launch if "://" in launch.split(maxsplit=1)[0] else ""
    adapter = identify_server(McpServer(() if url else tuple(launch.split()), url, **more))
    return adapter.key if adapter is not None else ""


@pytest.mark.parametrize(
    ("launch", "expected"),
    [
        (FILES, "files"),
        ("npx --yes @modelcontextprotocol/server-filesystem@2025.8.1 .", "files"),
        ("cmd /c npx -y @modelcontextprotocol/server-filesystem .", "files"),
        ("npx.cmd -y @modelcontextprotocol/server-filesystem .", "files"),
        ("bunx @modelcontextprotocol/server-filesystem .", "files"),
        ("npm exec -y -- @modelcontextprotocol/server-filesystem .", "files"),
        ("pnpm dlx @modelcontextprotocol/server-filesystem .", "files"),
        ("mcp-server-filesystem .", "files"),
        ("uvx mcp-server-git --repository .", "git"),
        ("uvx mcp_server_git@2025.1", "git"),
        ("uv tool run mcp-server-git==1.0", "git"),
        ("pipx run mcp-server-git", "git"),
        ("uvx --from mcp-server-git mcp-server-git", "git"),
        ("docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server:v1", "hosting"),
        ("https://api.githubcopilot.com/mcp/", "hosting"),
        ("npx -y mcp-remote https://mcp.context7.com/mcp", "library-docs"),
    ],
)
def test_reviewed_launch_is_recognised(launch: str, expected: str) -> None:
    assert key(launch) == expected


@pytest.mark.parametrize(
    "launch",
    [
        "npx",
        "npx -y",
        "npx -y evil",
        "npx -p evil @modelcontextprotocol/server-filesystem",
        "npx --registry=https://evil.example @modelcontextprotocol/server-filesystem",
        "npx @modelcontextprotocol/server-filesystem@npm:evil",
        "npx @modelcontextprotocol/server-filesystem@file:../evil",
        "npx -c @modelcontextprotocol/server-filesystem",
        "npm install @modelcontextprotocol/server-filesystem",
        "node node_modules/@modelcontextprotocol/server-filesystem/dist/index.js",
        "./mcp-server-filesystem .",
        "/opt/x/mcp-server-filesystem .",
        "/usr/bin/npx @modelcontextprotocol/server-filesystem",
        "sh -c npx",
        "uvx --from evil mcp-server-git",
        "uvx --from mcp-server-git evil",
        "uvx --index-url https://evil.example mcp-server-git",
        "uvx mcp-server-git@git+https://evil.example/x",
        "python -m mcp_server_git",
        "docker run -v /:/host ghcr.io/github/github-mcp-server",
        "docker run --entrypoint sh ghcr.io/github/github-mcp-server",
        "docker run evil/github-mcp-server",
        "docker exec x ghcr.io/github/github-mcp-server",
        "http://api.githubcopilot.com/mcp/",
        "https://api.githubcopilot.com.evil.example/mcp/",
        "https://user@api.githubcopilot.com/mcp/",
        "https://api.githubcopilot.com:8443/mcp/",
        "https://evil.example/api.githubcopilot.com",
        "https://[bad",
        "npx -y mcp-remote http://mcp.context7.com/mcp",
        "npx -y mcp-remote",
    ],
)
def test_launch_that_leaves_a_doubt_is_no_identity(launch: str) -> None:
    assert key(launch) == ""


@pytest.mark.parametrize(
    "name", ["NODE_OPTIONS", "npm_config_registry", "PYTHONPATH", "PATH", "LD_PRELOAD"]
)
def test_variable_that_loads_other_code_is_no_identity(name: str) -> None:
    assert key(FILES, environment=(name,)) == ""
    assert key(FILES, environment=("API_TOKEN",)) == "files"


def test_server_elsewhere_has_other_relative_paths() -> None:
    assert key(FILES, cwd="/srv") == ""
    assert key("npx @modelcontextprotocol/server-memory", cwd="/srv") == "memory"


def test_command_and_url_together_are_no_identity() -> None:
    server = McpServer(("npx", "x"), "https://api.githubcopilot.com/mcp/")
    assert identify_server(server) is None


@pytest.mark.parametrize(
    ("launch", "operation", "args", "expected"),
    [
        (FILES, "read_file", {"path": "~/.ssh/id_rsa"}, "label @ read ssh-private-key"),
        (FILES, "read_multiple_files", {"paths": ["a", "/etc/shadow"]}, "label @ read shadow"),
        (FILES, "write_file", {"path": "a", "content": "rm -rf /"}, "write /home/dev/project/a"),
        (
            FILES,
            "edit_file",
            {"path": "a", "edits": [{"oldText": "x", "newText": "y"}]},
            "write /home/dev/project/a",
        ),
        (FILES, "move_file", {"source": "/a", "destination": "/b"}, "path @ delete /a"),
        (
            "mcp-filesystem-server /",
            "delete_file",
            {"path": "/srv/x", "recursive": True},
            "path @ delete /srv/x",
        ),
        (
            "uvx mcp-server-fetch",
            "fetch",
            {"url": "https://docs.example/p"},
            "net @ download docs.example",
        ),
        (
            "npx mcp-server-commands",
            "run_command",
            {"command": "rm -rf /etc"},
            "path rm delete /etc",
        ),
        (
            "uvx mcp-shell-server",
            "shell_execute",
            {"command": ["rm", "-rf", "/etc"]},
            "path rm delete /etc",
        ),
        ("uvx mcp-server-git", "git_add", {"repo_path": ".", "files": ["a"]}, "run git add"),
        (
            "npx @cyanheads/git-mcp-server",
            "git_push",
            {"path": ".", "force": True},
            "trait git rewrite-remote",
        ),
        (
            "npx @cyanheads/git-mcp-server",
            "git_clean",
            {"path": ".", "force": True},
            "trait git discard-work",
        ),
        (
            "npx mcp-server-kubernetes",
            "kubectl_delete",
            {"resourceType": "ns", "name": "p"},
            "trait kubectl destroys-resource",
        ),
        (
            "npx kubernetes-mcp-server",
            "pods_exec",
            {"name": "p", "command": ["rm", "-rf", "/"]},
            "remote rm",
        ),
        (
            "uvx mcp-server-docker",
            "remove_container",
            {"container_id": "c", "force": True},
            "run docker rm",
        ),
        ("uvx postgres-mcp", "execute_sql", {"sql": "DROP TABLE x"}, "trait @ sql-drop"),
        (
            "uvx mcp-server-sqlite",
            "write_query",
            {"query": "DELETE FROM x"},
            "trait @ sql-delete-all",
        ),
        (
            "npx mongodb-mcp-server",
            "drop-collection",
            {"database": "d", "collection": "c"},
            "trait @ destroys-database",
        ),
        (
            "npx @modelcontextprotocol/server-slack",
            "slack_post_message",
            {"channel_id": "C", "text": "x"},
            "net @ upload slack.com",
        ),
        (
            "npx @gongrzhe/server-gmail-autoauth-mcp",
            "send_email",
            {"body": "x", "attachments": ["~/.ssh/id_rsa"]},
            "carries @ ssh-private-key",
        ),
        (
            "https://api.githubcopilot.com/mcp/",
            "delete_file",
            {"owner": "a", "repo": "b", "path": "/etc/passwd"},
            "net @ upload api.github.com",
        ),
        (
            "npx -y @modelcontextprotocol/server-memory",
            "create_entities",
            {"entities": [{"name": "rm -rf /"}]},
            "data rm -rf /",
        ),
        (
            "npx @upstash/context7-mcp",
            "resolve-library-id",
            {"libraryName": "x"},
            "net @ download context7.com",
        ),
        (
            "npx @playwright/mcp@latest",
            "browser_navigate",
            {"url": "http://169.254.169.254/"},
            "netlabel @ metadata-service",
        ),
        (
            "npx @playwright/mcp@latest",
            "browser_file_upload",
            {"paths": ["/etc/shadow"]},
            "label @ read shadow",
        ),
    ],
)
def test_operation_of_a_reviewed_server_is_understood(
    launch: str, operation: str, args: dict[str, Any], expected: str
) -> None:
    result = bound(launch, operation, **args)
    found = lines(result)
    assert expected.replace("@", f"mcp__x__{operation}") in found
    assert "complete" in found
    assert validate(result.facts).value == "ok"
    assert (result.facts.mcp_server, result.facts.mcp_tool) == ("x", operation)


def test_paths_on_another_machine_are_no_local_paths() -> None:
    place = {"owner": "a", "repo": "b", "path": "/etc"}
    result = bound("https://api.githubcopilot.com/mcp/", "delete_file", **place)
    assert not result.facts.paths


@pytest.mark.parametrize("launch", ["npx -y evil", "https://evil.example/mcp"])
def test_unknown_server_of_the_same_name_has_an_identity_only(launch: str) -> None:
    result = bound(launch, "delete_file", path="/etc")
    assert result.facts.parse.status is ParseStatus.PARTIAL
    assert not result.facts.paths
    assert not result.facts.commands
    assert (result.facts.mcp_server, result.facts.mcp_tool) == ("x", "delete_file")


def test_operation_that_is_not_reviewed_has_an_identity_only() -> None:
    result = bound(FILES, "format_disk", path="/etc")
    assert result.facts.parse.status is ParseStatus.PARTIAL
    assert not result.facts.paths


def test_field_that_is_not_reviewed_leaves_a_doubt() -> None:
    result = bound(FILES, "write_file", path="a", content="x", mode="0777")
    assert result.facts.parse.status is ParseStatus.PARTIAL


@pytest.mark.parametrize(
    ("adapter", "name", "spec"), OPERATIONS, ids=[f"{a.key}-{n}" for a, n, _ in OPERATIONS]
)
def test_every_operation_has_a_schema_that_is_read(
    adapter: Adapter, name: str, spec: ToolSpec
) -> None:
    assert spec.name == name
    assert spec.family in SCHEMED
    assert set(template_names(spec.template)) <= set(spec.fields)
    assert all(mark in set(Trait) for mark in spec.marks)
    if FAMILIES.get(spec.family) and FAMILIES[spec.family].network:
        assert spec.endpoint or FieldRole.URL in spec.fields.values()
    for source, names in adapter.names.items():
        for spelled in names:
            assert operation_of(McpTool("x", name, _server(source, spelled))) is not None


STARTS = {
    Source.NPM: ("npx",),
    Source.PYPI: ("uvx",),
    Source.IMAGE: ("docker", "run"),
    Source.PROGRAM: (),
}


def _server(source: Source, name: str) -> McpServer:
    if source is Source.HOST:
        return McpServer(url=f"https://{name}/mcp")
    return McpServer((*STARTS[source], name))


def test_no_name_belongs_to_two_servers() -> None:
    names = [(s, n) for a in ADAPTERS for s, found in a.names.items() for n in found]
    assert len(names) == len(set(names))


def test_no_program_name_is_a_launcher() -> None:
    programs = {n for a in ADAPTERS for n in a.names.get(Source.PROGRAM, ())}
    assert not programs & set(LAUNCHERS)
