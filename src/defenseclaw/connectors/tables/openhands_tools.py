"""OpenHands' built-in tools as its hooks present them: a dump of the action with its kind.

MCP tools come under their bare names and have no row; nothing tells their server.
"""

from __future__ import annotations

from defenseclaw.connectors.tables.roles import choice, several, table, tool
from defenseclaw.core.tool import FieldRole as F
from defenseclaw.core.tool import ToolFamily as T

_COMMON = "kind security_risk summary"
_TERMINAL = tool("", T.SHELL, f"{_COMMON} timeout", "posix", command=F.COMMAND, reset=F.RESTART)
_KEYS = tool("", T.SHELL_INPUT, f"{_COMMON} timeout", "posix", command=F.COMMAND, reset=F.RESTART)
_EDITED = {"path": F.PATH, "old_str": F.REMOVED, "new_str": F.CONTENT, "file_text": F.CONTENT}
_PLACES = f"{_COMMON} insert_line view_range"
_EDIT = tool("", T.EDIT, _PLACES, **_EDITED)
_EDITOR = choice(
    "command",
    _EDIT,
    view=tool("", T.READ, _PLACES, **_EDITED),
    create=tool("", T.WRITE, _PLACES, **_EDITED),
    str_replace=_EDIT,
    insert=_EDIT,
    undo_edit=_EDIT,
)

TOOLS = table(
    (
        *several(
            "terminal execute_bash",
            choice("is_input", _TERMINAL, false=_TERMINAL, true=_KEYS),
        ),
        *several("file_editor str_replace_editor", _EDITOR),
        tool("apply_patch", T.PATCH, _COMMON, patch=F.PATCH),
        tool("grep", T.SEARCH, _COMMON, pattern=F.PATTERN, path=F.PATH, include=F.GLOB),
        tool("glob", T.SEARCH, _COMMON, pattern=F.GLOB, path=F.PATH),
        tool("task_tracker", T.INERT, f"{_COMMON} command task_list"),
        tool("think", T.INERT, _COMMON, thought=F.PROMPT),
        tool("finish", T.INERT, _COMMON, message=F.PROMPT),
        tool("delegate", T.AGENT, f"{_COMMON} command ids tasks"),
        tool("browser_navigate", T.FETCH, f"{_COMMON} new_tab", url=F.URL),
        *several(
            "browser_click browser_type browser_get_state browser_scroll browser_go_back"
            " browser_list_tabs browser_switch_tab browser_close_tab browser_get_content",
            tool(
                "",
                T.INERT,
                f"{_COMMON} index new_tab include_screenshot direction tab_id extract_links"
                " start_from_char",
                text=F.PROMPT,
            ),
        ),
        tool("invoke_skill", T.SKILL, f"{_COMMON} name"),
    )
)
