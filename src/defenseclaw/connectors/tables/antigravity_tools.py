"""Antigravity's built-in tools as its hooks present them; arguments are in capitals.

``call_mcp_tool`` names a server and a tool in its arguments, which nobody documents: it is an
identity and no more. Browser tools have no row, as one argument tells another agent what to do.
"""

from __future__ import annotations

from defenseclaw.connectors.tables.roles import table, tool
from defenseclaw.core.tool import FieldRole as F
from defenseclaw.core.tool import ToolFamily as T

# What the user interface shows and in which order calls run.
_SHOWN = "waitForPreviousTools toolAction toolSummary"
_EDIT = (
    f"{_SHOWN} AllowMultiple StartLine EndLine Instruction Description Complexity"
    " CodeMarkdownLanguage TargetLintErrorIds ArtifactMetadata IsArtifact"
)

TOOLS = table(
    (
        tool(
            "run_command",
            T.SHELL,
            f"{_SHOWN} WaitMsBeforeAsync SafeToAutoRun Blocking RequestedTerminalID",
            CommandLine=F.COMMAND,
            Cwd=F.CWD,
        ),
        tool(
            "command_status",
            T.INERT,
            f"{_SHOWN} CommandId OutputCharacterCount OutputPriority WaitDurationSeconds",
        ),
        tool(
            "send_command_input",
            T.SHELL_INPUT,
            f"{_SHOWN} CommandId Terminate WaitMs SafeToAutoRun",
            Input=F.COMMAND,
        ),
        tool("read_terminal", T.INERT, f"{_SHOWN} Name ProcessID"),
        tool("view_file", T.READ, f"{_SHOWN} StartLine EndLine", AbsolutePath=F.PATH),
        tool("view_file_outline", T.READ, f"{_SHOWN} ItemOffset", AbsolutePath=F.PATH),
        tool("view_code_item", T.READ, f"{_SHOWN} NodePaths", File=F.PATH),
        tool(
            "write_to_file",
            T.WRITE,
            f"{_EDIT} Overwrite EmptyFile",
            TargetFile=F.PATH,
            CodeContent=F.CONTENT,
        ),
        tool(
            "replace_file_content",
            T.EDIT,
            _EDIT,
            TargetFile=F.PATH,
            TargetContent=F.REMOVED,
            ReplacementContent=F.CONTENT,
        ),
        tool(
            "multi_replace_file_content",
            T.EDIT,
            _EDIT,
            TargetFile=F.PATH,
            ReplacementChunks=F.EDITS,
        ),
        tool("list_dir", T.LIST, _SHOWN, DirectoryPath=F.PATH),
        tool(
            "find_by_name",
            T.SEARCH,
            f"{_SHOWN} Excludes Extensions FullPath MaxDepth Type",
            SearchDirectory=F.PATH,
            Pattern=F.GLOB,
        ),
        tool(
            "grep_search",
            T.SEARCH,
            f"{_SHOWN} Includes IsRegex CaseInsensitive MatchPerLine",
            SearchPath=F.PATH,
            Query=F.PATTERN,
        ),
        tool("read_url_content", T.FETCH, _SHOWN, Url=F.URL),
        tool("view_content_chunk", T.INERT, f"{_SHOWN} document_id position"),
        tool("search_web", T.INERT, f"{_SHOWN} domain", query=F.PROMPT),
        tool("ask_question", T.INERT, f"{_SHOWN} Questions questions"),
        tool("notify_user", T.INERT, f"{_SHOWN} BlockedOnUser PathsToReview Message"),
        tool("call_mcp_tool", T.MCP),
        tool("list_resources", T.INERT, f"{_SHOWN} ServerName"),
        tool("read_resource", T.MCP),
    )
)
