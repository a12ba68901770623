"""Hermes' built-in tools as its shell hooks present them.

Sending messages, managing skills and scheduling have no row: what they do is not in the arguments.
"""

from __future__ import annotations

from defenseclaw.connectors.tables.roles import choice, several, table, tool
from defenseclaw.core.tool import FieldRole as F
from defenseclaw.core.tool import ToolFamily as T

_PROCESS = tool("process", T.INERT, "session_id timeout limit offset")
_PROCESS_INPUT = tool("process", T.SHELL_INPUT, "session_id timeout", data=F.COMMAND)
_REPLACE = tool(
    "patch",
    T.EDIT,
    "replace_all",
    path=F.PATH,
    old_string=F.REMOVED,
    new_string=F.CONTENT,
)

TOOLS = table(
    (
        tool(
            "terminal",
            T.SHELL,
            "background timeout pty notify_on_complete watch_patterns check_interval",
            command=F.COMMAND,
            workdir=F.CWD,
        ),
        choice(
            "action",
            _PROCESS,
            **dict.fromkeys(("list", "poll", "log", "wait", "kill", "close"), _PROCESS),
            write=_PROCESS_INPUT,
            submit=_PROCESS_INPUT,
        ),
        tool("execute_code", T.SHELL, "timeout", "python", code=F.COMMAND),
        tool("read_file", T.READ, "offset limit", path=F.PATH),
        tool("write_file", T.WRITE, path=F.PATH, content=F.CONTENT),
        choice(
            "mode",
            _REPLACE,
            replace=_REPLACE,
            patch=tool("patch", T.PATCH, patch=F.PATCH),
        ),
        tool(
            "search_files",
            T.SEARCH,
            "target limit offset output_mode context",
            pattern=F.PATTERN,
            path=F.PATH,
            file_glob=F.GLOB,
        ),
        tool("web_search", T.INERT, "limit", query=F.PROMPT),
        tool("web_extract", T.FETCH, "format use_llm_processing", urls=F.URL),
        tool("browser_navigate", T.FETCH, url=F.URL),
        *several(
            "browser_click browser_type browser_scroll browser_back browser_press browser_snapshot"
            " browser_get_images browser_vision browser_close",
            tool("", T.INERT, "ref direction key full question annotate", text=F.PROMPT),
        ),
        tool(
            "delegate_task",
            T.AGENT,
            "tasks role background toolsets max_iterations",
            goal=F.PROMPT,
            context=F.PROMPT,
        ),
        tool("skill_view", T.SKILL, "name file_path"),
        tool("skills_list", T.INERT, "category"),
        tool("memory", T.INERT, "action target content old_text"),
        tool("session_search", T.INERT, "query role_filter limit"),
        tool("todo", T.INERT, "todos merge"),
        tool("clarify", T.INERT, "question choices"),
    )
)
