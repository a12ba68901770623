"""Gemini CLI's built-in tools as its hooks present them.

``web_fetch`` has its addresses inside prose: no argument is reviewed there, so patterns see it.
"""

from __future__ import annotations

from defenseclaw.connectors.tables.roles import several, table, tool
from defenseclaw.core.tool import FieldRole as F
from defenseclaw.core.tool import ToolFamily as T

_FILTERS = (
    "respect_git_ignore respect_gemini_ignore file_filtering_options case_sensitive"
    " useDefaultExcludes recursive exclude ignore"
)
_GREP_INERT = (
    "names_only max_matches_per_file total_max_matches fixed_strings context after before"
    " no_ignore exclude_pattern"
)

TOOLS = table(
    (
        tool(
            "run_shell_command",
            T.SHELL,
            "description is_background delay_ms",
            command=F.COMMAND,
            dir_path=F.CWD,
            directory=F.CWD,
        ),
        tool(
            "read_file",
            T.READ,
            "offset limit start_line end_line",
            file_path=F.PATH,
            absolute_path=F.PATH,
            path=F.PATH,
        ),
        tool("read_many_files", T.READ, _FILTERS, include=F.PATHS, paths=F.PATHS),
        tool("write_file", T.WRITE, file_path=F.PATH, content=F.CONTENT),
        tool(
            "replace",
            T.EDIT,
            "instruction expected_replacements allow_multiple",
            file_path=F.PATH,
            old_string=F.REMOVED,
            new_string=F.CONTENT,
        ),
        tool("list_directory", T.LIST, _FILTERS, dir_path=F.PATH, path=F.PATH),
        tool("glob", T.SEARCH, _FILTERS, pattern=F.GLOB, dir_path=F.PATH, path=F.PATH),
        *several(
            "grep_search search_file_content",
            tool(
                "",
                T.SEARCH,
                f"{_FILTERS} {_GREP_INERT}",
                pattern=F.PATTERN,
                dir_path=F.PATH,
                path=F.PATH,
                include=F.GLOB,
                include_pattern=F.GLOB,
            ),
        ),
        tool("web_fetch", T.FETCH),
        tool("google_web_search", T.INERT, query=F.PROMPT),
        tool("save_memory", T.INERT, "scope", fact=F.PROMPT),
        tool("write_todos", T.INERT, "todos"),
        tool("ask_user", T.INERT, "questions"),
        tool("enter_plan_mode", T.INERT, "reason"),
        tool("exit_plan_mode", T.INERT, "plan_path plan_filename"),
        tool("activate_skill", T.SKILL, "name"),
        tool("codebase_investigator", T.AGENT, objective=F.PROMPT),
        tool("cli_help", T.AGENT, question=F.PROMPT),
        tool("generalist", T.AGENT, request=F.PROMPT),
        tool("get_internal_docs", T.INERT, "path"),
    )
)
