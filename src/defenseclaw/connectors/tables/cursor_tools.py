"""Cursor's built-in tools as its hooks present them, and the names that older versions use.

The events for shell calls and for reads carry the same arguments as the tools ``Shell`` and
``Read``, and the text of the file that is about to be read.
"""

from __future__ import annotations

from defenseclaw.connectors.tables.roles import several, table, tool
from defenseclaw.core.tool import FieldRole as F
from defenseclaw.core.tool import ToolFamily as T

_SHELL_INERT = (
    "description timeout is_background explanation sandbox required_permissions block_until_ms"
    " require_user_approval"
)
_READ_INERT = (
    "offset limit explanation should_read_entire_file start_line_one_indexed"
    " end_line_one_indexed_inclusive attachments"
)
_GREP_INERT = (
    "output_mode -A -B -C -i -n type head_limit offset multiline case_sensitive explanation"
    " exclude_pattern"
)

TOOLS = table(
    (
        *several(
            "Shell run_terminal_cmd",
            tool(
                "",
                T.SHELL,
                _SHELL_INERT,
                command=F.COMMAND,
                working_directory=F.CWD,
                cwd=F.CWD,
            ),
        ),
        *several(
            "Read read_file",
            tool(
                "",
                T.READ,
                _READ_INERT,
                file_path=F.PATH,
                path=F.PATH,
                target_file=F.PATH,
                content=F.PROMPT,
            ),
        ),
        tool(
            "Write",
            T.WRITE,
            file_path=F.PATH,
            path=F.PATH,
            content=F.CONTENT,
            contents=F.CONTENT,
        ),
        *several(
            "Edit StrReplace search_replace",
            tool(
                "",
                T.EDIT,
                "replace_all",
                file_path=F.PATH,
                path=F.PATH,
                old_string=F.REMOVED,
                new_string=F.CONTENT,
                edits=F.EDITS,
            ),
        ),
        tool("edit_file", T.EDIT, "instructions", target_file=F.PATH, code_edit=F.CONTENT),
        *several(
            "EditNotebook edit_notebook",
            tool(
                "",
                T.EDIT,
                "cell_idx is_new_cell cell_language",
                target_notebook=F.PATH,
                old_string=F.REMOVED,
                new_string=F.CONTENT,
            ),
        ),
        *several(
            "Delete delete_file",
            tool("", T.DELETE, "explanation", path=F.PATH, file_path=F.PATH, target_file=F.PATH),
        ),
        *several(
            "Grep grep grep_search",
            tool(
                "",
                T.SEARCH,
                _GREP_INERT,
                pattern=F.PATTERN,
                query=F.PATTERN,
                path=F.PATH,
                glob=F.GLOB,
                include_pattern=F.GLOB,
            ),
        ),
        *several(
            "Glob glob_file_search",
            tool("", T.SEARCH, "explanation", glob_pattern=F.GLOB, target_directory=F.PATH),
        ),
        *several(
            "LS list_dir",
            tool(
                "",
                T.LIST,
                "ignore_globs explanation",
                path=F.PATH,
                target_directory=F.PATH,
                relative_workspace_path=F.PATH,
            ),
        ),
        *several(
            "SemanticSearch codebase_search",
            tool(
                "",
                T.SEARCH,
                "num_results explanation search_only_prs",
                query=F.PATTERN,
                target_directories=F.PATHS,
            ),
        ),
        tool("file_search", T.SEARCH, "explanation", query=F.PATTERN),
        *several("WebSearch web_search", tool("", T.INERT, "explanation", search_term=F.PROMPT)),
        tool("WebFetch", T.FETCH, url=F.URL),
        tool(
            "Task",
            T.AGENT,
            "subagent_type model resume readonly run_in_background",
            prompt=F.PROMPT,
            description=F.PROMPT,
        ),
        *several("TodoWrite todo_write", tool("", T.INERT, "todos merge")),
        *several("ReadLints read_lints", tool("", T.READ, paths=F.PATHS)),
        tool("AskQuestion", T.INERT, "title questions"),
        tool("SwitchMode", T.INERT, "target_mode_id explanation"),
        tool("CreatePlan", T.INERT, "name overview plan todos"),
        *several("CallMcpTool FetchMcpResource", tool("", T.MCP)),
        tool("ListMcpResources", T.INERT, "server"),
    )
)
