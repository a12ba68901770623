"""Copilot CLI's built-in tools as its hooks present them.

Input to a running shell is partly understood, whatever it says. Where permission is asked the same
call may come under another name and with fewer arguments.
"""

from __future__ import annotations

from defenseclaw.connectors.tables.roles import several, table, tool
from defenseclaw.core.tool import FieldRole as F
from defenseclaw.core.tool import ToolFamily as T

_SHELL_INERT = "description sessionId shellId mode initial_wait detach timeout"
_SESSION = "sessionId shellId delay"
_GREP_INERT = "output_mode -A -B -C -n -i type head_limit multiline"

TOOLS = table(
    (
        tool("bash", T.SHELL, _SHELL_INERT, "posix", command=F.COMMAND),
        tool("powershell", T.SHELL, _SHELL_INERT, "powershell", command=F.COMMAND),
        *several("write_bash write_powershell", tool("", T.SHELL_INPUT, _SESSION, input=F.COMMAND)),
        *several(
            "read_bash stop_bash read_powershell stop_powershell", tool("", T.INERT, _SESSION)
        ),
        *several("list_bash list_powershell", tool("", T.INERT)),
        tool("view", T.READ, "view_range forceReadLargeFiles", path=F.PATH),
        tool("create", T.WRITE, path=F.PATH, file_text=F.CONTENT),
        tool(
            "edit",
            T.EDIT,
            path=F.PATH,
            old_str=F.REMOVED,
            new_str=F.CONTENT,
            file_path=F.PATH,  # as permission is asked for
            diff=F.CONTENT,
        ),
        tool("apply_patch", T.PATCH, patch=F.PATCH, input=F.PATCH),
        tool("glob", T.SEARCH, pattern=F.GLOB, path=F.PATH),
        *several(
            "grep rg",
            tool("", T.SEARCH, _GREP_INERT, pattern=F.PATTERN, path=F.PATH, glob=F.GLOB),
        ),
        tool("web_fetch", T.FETCH, "max_length start_index raw", url=F.URL),
        tool("web_search", T.INERT, query=F.PROMPT),
        tool(
            "task",
            T.AGENT,
            "agent_type model mode name",
            prompt=F.PROMPT,
            description=F.PROMPT,
        ),
        *several("read_agent list_agents", tool("", T.INERT, "agent_id wait timeout")),
        tool("ask_user", T.INERT, "choices allow_freeform", question=F.PROMPT),
        tool("store_memory", T.INERT, "subject fact citations reason category"),
        tool("report_intent", T.INERT, "intent"),
        tool("update_todo", T.INERT, "todos"),
        tool("fetch_copilot_cli_documentation", T.INERT),
        tool("skill", T.SKILL, "skill"),
    )
)
