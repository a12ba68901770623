"""Amp's built-in tools as its plugin events present them.

Tools that run code or other agents in a way that no argument tells have no row on purpose.
"""

from __future__ import annotations

from defenseclaw.connectors.tables.roles import table, tool
from defenseclaw.core.tool import FieldRole as F
from defenseclaw.core.tool import ToolFamily as T

TOOLS = table(
    (
        tool("Bash", T.SHELL, "description timeout", cmd=F.COMMAND, command=F.COMMAND, cwd=F.CWD),
        tool("Read", T.READ, "read_range", path=F.PATH),
        tool("create_file", T.WRITE, path=F.PATH, content=F.CONTENT),
        tool(
            "edit_file",
            T.EDIT,
            "replace_all",
            path=F.PATH,
            old_str=F.REMOVED,
            new_str=F.CONTENT,
        ),
        tool("undo_edit", T.EDIT, path=F.PATH),
        tool("format_file", T.EDIT, path=F.PATH),
        tool("apply_patch", T.PATCH, patchText=F.PATCH, input=F.PATCH),
        tool(
            "Grep", T.SEARCH, "caseSensitive literal", pattern=F.PATTERN, path=F.PATH, glob=F.GLOB
        ),
        tool("glob", T.SEARCH, "limit offset", filePattern=F.GLOB),
        tool("finder", T.AGENT, query=F.PROMPT),
        tool("get_diagnostics", T.READ, path=F.PATH),
        tool(
            "look_at",
            T.READ,
            objective=F.PROMPT,
            context=F.PROMPT,
            path=F.PATH,
            referenceFiles=F.PATHS,
        ),
        tool("read_web_page", T.FETCH, "forceRefetch", url=F.URL, objective=F.PROMPT),
        tool("web_search", T.INERT, "max_results", objective=F.PROMPT, search_queries=F.PROMPT),
        tool("Task", T.AGENT, prompt=F.PROMPT, description=F.PROMPT),
        tool("oracle", T.AGENT, task=F.PROMPT, context=F.PROMPT, files=F.PATHS),
        tool("librarian", T.AGENT, query=F.PROMPT, context=F.PROMPT),
        tool("handoff", T.AGENT, "follow mode", goal=F.PROMPT),
        tool("read_thread", T.INERT, "threadID", goal=F.PROMPT),
        tool("find_thread", T.INERT, "limit", query=F.PROMPT),
        tool("todo_write", T.INERT, "todos"),
        tool("todo_read", T.INERT),
        tool("mermaid", T.INERT, "citations", code=F.PROMPT),
        tool("skill", T.SKILL, "name arguments"),
        tool("read_mcp_resource", T.MCP, "server uri"),
    )
)
