"""A tool of an MCP server is judged by what the agent's own files say the server is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.conftest import CONNECTORS
from tests.harness import Product, make_payload

pytestmark = pytest.mark.acceptance
REVIEWED = {"command": "npx", "args": ["-y", "@cyanheads/filesystem-mcp-server"]}
UNKNOWN = {"command": "npx", "args": ["-y", "somebody-elses-server"]}


def declare(product: Product, key: str, name: str, entry: dict[str, Any]) -> None:
    """Add a server to the user's own file of an agent, as its user would."""
    if key == "codex":
        path = product.box.home / ".codex" / "config.toml"
        args = json.dumps(entry["args"])
        text = f'\n[mcp_servers.{name}]\ncommand = "{entry["command"]}"\nargs = {args}\n'
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
        return
    path = product.box.home / ".claude.json"
    table = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"mcpServers": {}}
    table["mcpServers"][name] = entry
    path.write_text(json.dumps(table), encoding="utf-8")


def delete_call(project: Path, server: str) -> bytes:
    payload = make_payload(
        project,
        "PreToolUse",
        tool_name=f"mcp__{server}__delete_directory",
        tool_input={"path": "/etc", "recursive": True},
        tool_use_id="call_1",
        turn_id="turn_1",
    )
    return json.dumps(payload).encode()


@pytest.mark.parametrize(("name", "key"), CONNECTORS.items())
def test_file_tool_is_blocked_by_its_path_where_its_server_is_known(
    product: Product, name: str, key: str
) -> None:
    product.protect(name)
    declare(product, key, "files", REVIEWED)
    declare(product, key, "other", UNKNOWN)
    product.gateway("restart").expect()
    for server in ("files", "other"):
        product.registered_hook(key, delete_call(product.box.project, server))
    known, unknown = product.audit(key, event="PreToolUse")
    assert (known["parse"], known["action"]) == ("complete", "block")
    assert known["rules"]
    assert (unknown["parse"], unknown["action"], unknown["rules"]) == ("partial", "allow", [])
