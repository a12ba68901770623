"""OpenCode's built-in tools as its plugin hooks present them.

``invalid`` stands for a call of a tool that does not exist: nothing runs.
"""

from __future__ import annotations

from defenseclaw.connectors.tables.roles import several, table, tool
from defenseclaw.core.tool import FieldRole as F
from defenseclaw.core.tool import ToolFamily as T

TOOLS = table(
    (
        tool("bash", T.SHELL, "description timeout", command=F.COMMAND, workdir=F.CWD, cwd=F.CWD),
        tool("read", T.READ, "offset limit", filePath=F.PATH),
        tool("write", T.WRITE, filePath=F.PATH, content=F.CONTENT),
        tool(
            "edit",
            T.EDIT,
            "replaceAll",
            filePath=F.PATH,
            oldString=F.REMOVED,
            newString=F.CONTENT,
        ),
        tool("multiedit", T.EDIT, filePath=F.PATH, edits=F.EDITS),
        *several("apply_patch patch", tool("", T.PATCH, patchText=F.PATCH)),
        tool("glob", T.SEARCH, pattern=F.GLOB, path=F.PATH),
        tool("grep", T.SEARCH, pattern=F.PATTERN, path=F.PATH, include=F.GLOB),
        tool("list", T.LIST, "ignore", path=F.PATH),
        tool("webfetch", T.FETCH, "format timeout", url=F.URL),
        tool(
            "websearch",
            T.INERT,
            "numResults livecrawl type contextMaxCharacters",
            query=F.PROMPT,
        ),
        tool("codesearch", T.INERT, "tokensNum", query=F.PROMPT),
        tool("lsp", T.READ, "operation line character", filePath=F.PATH),
        tool(
            "task",
            T.AGENT,
            "subagent_type session_id task_id command",
            prompt=F.PROMPT,
            description=F.PROMPT,
        ),
        tool("skill", T.SKILL, "name"),
        tool("todowrite", T.INERT, "todos"),
        tool("todoread", T.INERT),
        tool("question", T.INERT, "questions"),
        tool("invalid", T.INERT, "tool error"),
        tool("list_mcp_resources", T.INERT, "server cursor"),
        tool("read_mcp_resource", T.MCP, "server uri"),
    )
)
