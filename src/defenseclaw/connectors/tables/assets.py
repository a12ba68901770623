"""Where each agent finds its skills, plugins and MCP servers. Read-only knowledge.

A root begins with ``{config}`` (the agent's configuration home), ``{home}`` (the user's) or
``{project}`` (a session's folder). ``vendor`` are folders in a root that the agent's maker fills.
``servers`` are files; ``table`` is where in them the servers are, with dots.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

CONFIG, HOME, PROJECT = "{config}", "{home}", "{project}"


@dataclass(frozen=True, slots=True)
class AssetRoots:
    """One agent's roots; an empty tuple says that it has nothing of that kind."""

    skills: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    table: str = ""
    vendor: tuple[str, ...] = ()


ASSETS: Mapping[str, AssetRoots] = {
    "codex": AssetRoots(
        ("{config}/skills", "{project}/.codex/skills"),
        ("{config}/plugins", "{config}/plugins/cache"),
        ("{config}/config.toml", "{project}/.codex/config.toml", "{project}/.mcp.json"),
        "mcp_servers",
        (".system",),
    ),
    "claudecode": AssetRoots(
        ("{config}/skills", "{project}/.claude/skills"),
        ("{config}/plugins", "{project}/.claude/plugins"),
        ("{config}/.claude.json", "{config}/settings.json", "{project}/.mcp.json"),
        "mcpServers",
    ),
    "amp": AssetRoots(
        (
            "{home}/.config/agents/skills",
            "{home}/.agents/skills",
            "{home}/.config/amp/skills",
            "{project}/.agents/skills",
        ),
        ("{home}/.config/amp/plugins", "{project}/.amp/plugins"),
        ("{home}/.config/amp/settings.json", "{project}/.amp/settings.json"),
        "amp.mcpServers",
    ),
    "hermes": AssetRoots(
        ("{config}/skills",),
        ("{config}/plugins", "{project}/.hermes/plugins"),
        ("{config}/config.yaml",),
        "mcp_servers",
    ),
    "cursor": AssetRoots(
        (
            "{config}/skills",
            "{home}/.agents/skills",
            "{project}/.cursor/skills",
            "{project}/.agents/skills",
        ),
        (),
        ("{config}/mcp.json", "{project}/.cursor/mcp.json"),
        "mcpServers",
    ),
    "windsurf": AssetRoots(
        servers=("{home}/.codeium/windsurf/mcp_config.json",),
        table="mcpServers",
    ),
    "geminicli": AssetRoots(
        ("{home}/.gemini/skills", "{project}/.gemini/skills", "{project}/.agents/skills"),
        ("{home}/.gemini/extensions", "{project}/.gemini/extensions"),
        ("{home}/.gemini/settings.json", "{project}/.gemini/settings.json"),
        "mcpServers",
    ),
    "copilot": AssetRoots(
        ("{config}/skills", "{project}/.github/skills", "{project}/.agents/skills"),
        (),
        ("{config}/mcp-config.json",),
        "mcpServers",
    ),
    "openhands": AssetRoots(
        (
            "{project}/.agents/skills",
            "{project}/.openhands/skills",
            "{project}/.openhands/microagents",
            "{home}/.agents/skills",
            "{home}/.openhands/skills",
            "{home}/.openhands/microagents",
            "{home}/.openhands/skills/installed",
        ),
        (),
        ("{home}/.openhands/mcp.json",),
        "mcpServers",
    ),
    "antigravity": AssetRoots(
        (
            "{project}/.agents/skills",
            "{project}/_agents/skills",
            "{home}/.gemini/antigravity-cli/skills",
            "{home}/.gemini/skills",
            "{home}/.agents/skills",
        ),
        (
            "{project}/.agents/plugins",
            "{project}/_agents/plugins",
            "{home}/.gemini/config/plugins",
            "{home}/.gemini/antigravity-cli/plugins",
        ),
        ("{home}/.gemini/config/mcp_config.json", "{project}/.agents/mcp_config.json"),
        "mcpServers",
    ),
    "opencode": AssetRoots(
        (
            "{project}/.opencode/skills",
            "{project}/.claude/skills",
            "{project}/.agents/skills",
            "{home}/.config/opencode/skills",
            "{home}/.claude/skills",
            "{home}/.agents/skills",
        ),
        ("{project}/.opencode/plugins", "{home}/.config/opencode/plugins"),
        (
            "{home}/.config/opencode/opencode.json",
            "{home}/.config/opencode/opencode.jsonc",
            "{project}/opencode.json",
            "{project}/opencode.jsonc",
        ),
        "mcp",
    ),
    "omnigent": AssetRoots(),
}
