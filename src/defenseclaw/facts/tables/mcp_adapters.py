"""Reviewed MCP servers: how each is launched or reached, and what its operations' arguments mean.

A row binds to a package, image, program or host. Fields are written as ``path=path head tail``: a
name alone changes nothing about what the call touches. What an operation does on another machine
is no local path; texts that leave this machine are payload.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from defenseclaw.core.labels import Trait
from defenseclaw.core.tool import FieldRole, ToolSpec
from defenseclaw.core.tool import ToolFamily as F
from defenseclaw.facts.typed.template import template_names


class Source(StrEnum):
    """Where a server's identity is read from."""

    NPM = "npm"
    PYPI = "pypi"
    IMAGE = "image"
    PROGRAM = "program"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Adapter:
    """One reviewed server; ``local`` says that its arguments name files of this machine."""

    key: str
    names: Mapping[Source, tuple[str, ...]]
    operations: Mapping[str, ToolSpec] = field(default_factory=dict, hash=False)
    local: bool = False


def _names(text: str) -> Mapping[Source, tuple[str, ...]]:
    """Names by source from ``npm:name pypi:name …``."""
    found: dict[Source, tuple[str, ...]] = {}
    for word in text.split():
        source, _, name = word.partition(":")
        found[Source(source)] = (*found.get(Source(source), ()), name)
    return found


def _fields(text: str) -> dict[str, FieldRole]:
    pairs = (word.partition("=") for word in text.split())
    return {name: FieldRole(role) if role else FieldRole.INERT for name, _, role in pairs}


def _op(
    names: str, family: F, fields: str = "", *, dialect: str = "", marks: tuple[Trait, ...] = ()
) -> dict[str, ToolSpec]:
    """Operations that read their arguments by role."""
    return {
        name: ToolSpec(name, family, _fields(fields), dialect, marks=marks)
        for name in names.split()
    }


def _sent(names: str, endpoint: str, payload: str, inert: str = "") -> dict[str, ToolSpec]:
    """Operations that send texts to the server's own place."""
    fields = {**_fields(inert), **dict.fromkeys(payload.split(), FieldRole.PAYLOAD)}
    return {n: ToolSpec(n, F.UPLOAD, fields, endpoint=endpoint) for n in names.split()}


def _asked(names: str, endpoint: str, inert: str = "") -> dict[str, ToolSpec]:
    """Operations that only obtain something from the server's own place."""
    return {n: ToolSpec(n, F.FETCH, _fields(inert), endpoint=endpoint) for n in names.split()}


def _form(names: str, template: str, inert: str = "") -> dict[str, ToolSpec]:
    """Operations that are a form of a command."""
    taken = dict.fromkeys(template_names(template), FieldRole.OPERAND)
    fields = {**_fields(inert), **taken}
    return {n: ToolSpec(n, F.SHELL, fields, template=template) for n in names.split()}


# --- files ---

_FILES = {
    **_op("read_file read_text_file", F.READ, "path=path head tail"),
    **_op("read_media_file get_file_info", F.READ, "path=path"),
    **_op("read_multiple_files", F.READ, "paths=paths"),
    **_op("write_file", F.WRITE, "path=path content=content"),
    **_op("edit_file", F.EDIT, "path=path edits=edits dryRun"),
    **_op("create_directory", F.WRITE, "path=path"),
    **_op("list_directory list_directory_with_sizes", F.LIST, "path=path sortBy"),
    **_op("directory_tree", F.LIST, "path=path excludePatterns"),
    **_op("move_file", F.MOVE, "source=path destination=destination"),
    **_op("search_files", F.SEARCH, "path=path pattern=glob excludePatterns"),
    **_op("list_allowed_directories", F.INERT),
}
# The same names with more operations, by other authors.
_FILES_WIDE = {
    **_FILES,
    **_op("delete_file", F.DELETE, "path=path recursive=recursive"),
    **_op("copy_file", F.COPY, "source=path destination=destination"),
    **_op("modify_file", F.EDIT, "path=path find=removed replace=content all_occurrences regex"),
    **_op("tree", F.LIST, "path=path depth follow_symlinks"),
    **_op("search_within_files", F.SEARCH, "path=path substring=pattern depth max_results"),
}
_FILES_SERVICE = {
    **_op("read_file", F.READ, "path=path"),
    **_op("write_file", F.WRITE, "path=path content=content"),
    **_op("update_file", F.EDIT, "path=path blocks=edits useRegex replaceAll"),
    **_op("list_files", F.LIST, "path=path includeNested maxEntries"),
    **_op("delete_file", F.DELETE, "path=path"),
    **_op("delete_directory", F.DELETE, "path=path recursive=recursive"),
    **_op("create_directory", F.WRITE, "path=path create_parents"),
    **_op("move_path", F.MOVE, "source_path=path destination_path=destination"),
    **_op("copy_path", F.COPY, "source_path=path destination_path=destination recursive=recursive"),
}

# --- shells ---

_COMMANDER = {
    **_op("execute_command start_process", F.SHELL, "command=command timeout_ms verbose_timing"),
    **_op(
        "interact_with_process",
        F.SHELL_INPUT,
        "input=command pid timeout_ms wait_for_prompt verbose_timing",
    ),
    **_op("read_process_output", F.INERT, "pid timeout_ms offset length verbose_timing"),
    **_op("list_processes list_sessions get_config get_usage_stats list_searches", F.INERT),
    **_form("kill_process", "kill $pid"),
    **_op(
        "force_terminate stop_search get_more_search_results",
        F.INERT,
        "pid sessionId offset length",
    ),
    **_op("read_file", F.READ, "path=path offset length sheet range options"),
    **_op("read_multiple_files", F.READ, "paths=paths"),
    **_op("write_file", F.WRITE, "path=path content=content mode"),
    **_op("create_directory", F.WRITE, "path=path"),
    **_op("list_directory", F.LIST, "path=path depth"),
    **_op("get_file_info", F.READ, "path=path"),
    **_op("move_file", F.MOVE, "source=path destination=destination"),
    **_op(
        "edit_block",
        F.EDIT,
        "file_path=path old_string=removed new_string=content expected_replacements",
    ),
    **_op(
        "start_search",
        F.SEARCH,
        "path=path pattern=pattern filePattern=glob searchType ignoreCase maxResults includeHidden"
        " contextLines timeout_ms earlyTermination literalSearch",
    ),
}
_COMMANDS = {
    **_op("run_command", F.SHELL, "command=command workdir=cwd cwd=cwd timeout timeout_ms"),
    **_op("run_process", F.SHELL, "command_line=command argv=argv cwd=cwd mode timeout_ms"),
}
_VECTOR = _op("shell_execute", F.SHELL, "command=argv directory=cwd timeout")

# --- the web ---

_FETCHING = {
    **_op("fetch", F.FETCH, "url=url max_length start_index raw"),
    **_op(
        "fetch_html fetch_markdown fetch_txt fetch_json fetch_readable",
        F.FETCH,
        "url=url max_length start_index",
    ),
}
_CRAWLING = {
    **_op(
        "firecrawl_scrape",
        F.FETCH,
        "url=url formats onlyMainContent waitFor timeout includeTags excludeTags maxAge mobile parsers storeInCache",
    ),
    **_op(
        "firecrawl_map",
        F.FETCH,
        "url=url search limit sitemap includeSubdomains ignoreQueryParameters",
    ),
    **_asked(
        "firecrawl_search",
        "https://api.firecrawl.dev/",
        "query limit lang country sources tbs filter location",
    ),
}
_PAGE = (
    "click hover drag select_option press_key wait_for resize close snapshot tabs handle_dialog navigate_back"
    " navigate_forward console_messages network_requests type fill_form install"
)
_BROWSING = {
    **_op("browser_navigate", F.FETCH, "url=url"),
    **_op("browser_file_upload", F.READ, "paths=paths"),
    **_op(
        "browser_take_screenshot browser_pdf_save",
        F.INERT,
        "filename type element ref fullPage raw",
    ),
    **_op(
        " ".join(f"browser_{verb}" for verb in _PAGE.split()),
        F.INERT,
        "element=prompt ref text=prompt submit slowly button doubleClick modifiers startElement=prompt startRef"
        " endElement=prompt endRef values key time textGone width height accept promptText=prompt action index"
        " fields=prompt onlyErrors level includeStatic filename",
    ),
}
_PUPPETS = {
    **_op("puppeteer_navigate", F.FETCH, "url=url"),
    **_op("puppeteer_screenshot", F.INERT, "name selector width height encoded"),
    **_op(
        "puppeteer_click puppeteer_hover puppeteer_fill puppeteer_select",
        F.INERT,
        "selector value=prompt",
    ),
}
_DEVTOOLS = {
    **_op("navigate_page new_page", F.FETCH, "url=url timeout background"),
    **_op("upload_file", F.READ, "filePath=path uid includeSnapshot"),
    **_op(
        "list_pages select_page close_page take_snapshot click fill hover press_key wait_for"
        " list_console_messages list_network_requests get_network_request get_console_message resize_page",
        F.INERT,
        "pageIdx pageId bringToFront verbose uid dblClick includeSnapshot value=prompt key text=prompt timeout"
        " pageSize types resourceTypes includePreservedMessages includePreservedRequests reqid msgid width height",
    ),
}

# --- version control ---

_AT = "git [-C $repo_path]"
_GIT = {
    **_form(
        "git_status git_diff_unstaged git_diff_staged git_branch",
        f"{_AT} status",
        "context_lines branch_type contains not_contains",
    ),
    **_form("git_diff", f"{_AT} diff $target", "context_lines"),
    **_form("git_commit", f"{_AT} commit -m $message"),
    **_form("git_add", f"{_AT} add $files"),
    **_form("git_reset", f"{_AT} reset"),
    **_form("git_log", f"{_AT} log", "max_count start_timestamp end_timestamp"),
    **_form("git_create_branch", f"{_AT} branch $branch_name [$base_branch]"),
    **_form("git_checkout", f"{_AT} checkout $branch_name"),
    **_form("git_show", f"{_AT} show $revision"),
    **_form("git_init", "git init $repo_path"),
}
_HERE = "git [-C $path]"
_GIT_SERVICE = {
    **_form("git_status", f"{_HERE} status", "includeUntracked"),
    **_form(
        "git_push",
        f"{_HERE} push [--force ?force] [--force-with-lease ?forceWithLease] [-u ?setUpstream] [--tags ?tags] [--delete ?delete] [$remote] [$branch]",
    ),
    **_form(
        "git_pull",
        f"{_HERE} pull [--rebase ?rebase] [--ff-only ?fastForwardOnly] [$remote] [$branch]",
    ),
    **_form("git_fetch", f"{_HERE} fetch [--prune ?prune] [--tags ?tags] [$remote]", "depth"),
    **_form("git_clean", f"{_HERE} clean [-f ?force] [-n ?dryRun] [-d ?directories] [-x ?ignored]"),
    **_form(
        "git_commit",
        f"{_HERE} commit -m $message [--amend ?amend] [--no-verify ?noVerify] [--allow-empty ?allowEmpty] [$filesToStage]",
        "author sign",
    ),
    **_form("git_add", f"{_HERE} add [--all ?all] [$files]", "update force"),
    **_form(
        "git_set_working_dir",
        "git -C $path status",
        "validateGitRepo initializeIfNotPresent includeMetadata",
    ),
}

# --- hosting ---

_HUB = "https://api.github.com/"
_HUB_PLACE = "owner repo"
_HUB_LIST = (
    "owner repo path ref sha branch page perPage per_page sort order direction state query q since head base"
    " issue_number issueNumber pull_number pullNumber pullnumber method labels milestone author after orderBy"
    " tag include_diff run_id runId job_id jobId fields"
)
_HOSTING = {
    **_asked(
        "get_file_contents list_commits get_commit list_issues get_issue issue_read search_issues search_code"
        " search_repositories search_users search_pull_requests get_pull_request pull_request_read"
        " list_pull_requests get_pull_request_files get_pull_request_status get_pull_request_comments"
        " get_pull_request_reviews get_pull_request_diff list_branches list_tags get_tag list_releases"
        " get_latest_release get_me get_issue_comments list_workflows list_workflow_runs get_workflow_run"
        " get_job_logs get_label get_teams list_notifications",
        _HUB, _HUB_LIST,
    ),
    **_sent("create_issue update_issue issue_write", _HUB, "title body",
            f"{_HUB_PLACE} labels assignees milestone issue_number issueNumber state state_reason type method duplicate_of"),
    **_sent("add_issue_comment", _HUB, "body", f"{_HUB_PLACE} issue_number issueNumber"),
    **_sent("create_pull_request update_pull_request", _HUB, "title body",
            f"{_HUB_PLACE} head base draft maintainer_can_modify pullNumber pull_number state reviewers"),
    **_sent("create_pull_request_review pull_request_review_write add_comment_to_pending_review", _HUB, "body comments",
            f"{_HUB_PLACE} pull_number pullNumber commit_id commitID event method path line side startLine startSide subjectType"),
    **_sent("create_or_update_file", _HUB, "content message", f"{_HUB_PLACE} path branch sha"),
    **_sent("push_files", _HUB, "files message", f"{_HUB_PLACE} branch"),
    **_sent("delete_file", _HUB, "message", f"{_HUB_PLACE} path branch sha"),
    **_sent("create_branch fork_repository merge_pull_request update_pull_request_branch", _HUB, "commit_title commit_message",
            f"{_HUB_PLACE} branch from_branch organization pull_number pullNumber merge_method expected_head_sha expectedHeadSha"),
    **_sent("create_repository", _HUB, "name description", "private autoInit organization"),
    **_sent("create_gist", _HUB, "content description", "filename public"),
}  # fmt: skip

# --- databases ---

_SQL_QUERY = _op("query", F.SHELL, "sql=command", dialect="sql")
_POSTGRES = {
    **_op("execute_sql", F.SHELL, "sql=command", dialect="sql"),
    **_op("explain_query", F.SHELL, "sql=command hypothetical_indexes", dialect="sql"),
    **_op(
        "list_schemas list_objects get_object_details analyze_db_health get_top_queries analyze_workload_indexes",
        F.INERT,
        "schema_name object_type object_name health_type sort_by limit max_index_size_mb method",
    ),
}
_SQLITE = {
    **_op("read_query write_query create_table", F.SHELL, "query=command", dialect="sql"),
    **_op("list_tables describe_table append_insight", F.INERT, "table_name insight=prompt"),
}
_MYSQL = _op("mysql_query", F.SHELL, "sql=command", dialect="sql")
_SUPABASE = {
    **_op("execute_sql", F.SHELL, "query=command project_id", dialect="sql"),
    **_op("apply_migration", F.SHELL, "query=command project_id name", dialect="sql"),
    **_op("list_tables list_extensions list_migrations get_logs get_advisors list_projects get_project", F.INERT,
          "project_id id schemas service type"),
    **_op("delete_branch reset_branch", F.INERT, "branch_id migration_version", marks=(Trait.DESTROYS_DATABASE,)),
}  # fmt: skip
_PLACE = "database collection"
_MONGO = {
    **_op("find aggregate count collection-schema collection-indexes list-collections list-databases explain db-stats"
          " collection-storage-size", F.INERT,
          f"{_PLACE} filter=prompt projection limit sort pipeline=prompt query=prompt method"),
    **_op("insert-many update-many create-index create-collection rename-collection", F.INERT,
          f"{_PLACE} documents=prompt filter=prompt update=prompt upsert keys name newName dropTarget"),
    **_op("drop-database drop-collection", F.INERT, _PLACE, marks=(Trait.DESTROYS_DATABASE,)),
}  # fmt: skip
_REDIS = {
    **_op("get list set", F.INERT, "key value=prompt expireSeconds pattern"),
    **_form("delete", "redis-cli del $key"),
}

# --- containers and clusters ---

_DOCKER = {
    **_form("list_containers", "docker ps", "all filters"),
    **_form("fetch_container_logs", "docker logs $container_id", "tail"),
    **_form("start_container", "docker start $container_id"),
    **_form("stop_container", "docker stop $container_id"),
    **_form("remove_container", "docker rm [-f ?force] $container_id"),
    **_form("create_container run_container", "docker run [--name $name] [--network $network] $image [$command]",
            "detach entrypoint environment labels auto_remove"),
    **_form("list_images", "docker images", "name all filters"),
    **_form("pull_image", "docker pull $repository", "tag"),
    **_form("push_image", "docker push $repository", "tag"),
    **_form("build_image", "docker build [-t $tag] [-f $dockerfile] $path"),
    **_form("remove_image", "docker rmi [-f ?force] $image"),
    **_form("list_networks", "docker network ls", "filters"),
    **_form("create_network", "docker network create $name", "driver internal labels"),
    **_form("remove_network", "docker network rm $network_id"),
    **_form("list_volumes", "docker volume ls"),
    **_form("create_volume", "docker volume create $name", "driver labels"),
    **_form("remove_volume", "docker volume rm [-f ?force] $volume_name"),
}  # fmt: skip
_IN = "[-n $namespace] [--context $context]"
_CLUSTER = {
    **_form("kubectl_get", f"kubectl get {_IN} $resourceType [$name] [-l $labelSelector]", "output allNamespaces fieldSelector sortBy"),
    **_form("kubectl_describe", f"kubectl describe {_IN} $resourceType [$name]", "allNamespaces"),
    **_form("kubectl_logs", f"kubectl logs {_IN} $name", "resourceType container tail since timestamps previous follow labelSelector sinceTime"),
    **_form("kubectl_apply", f"kubectl apply {_IN} [--dry-run=server ?dryRun] [-f $filename]", "manifest=prompt force"),
    **_form("kubectl_create", f"kubectl create {_IN} [--dry-run=client ?dryRun] [-f $filename]", "manifest=prompt validate"),
    **_form("kubectl_delete", f"kubectl delete {_IN} [$resourceType] [$name] [-l $labelSelector] [-f $filename] [--all-namespaces ?allNamespaces] [--force ?force]", "gracePeriodSeconds"),
    **_form("kubectl_scale", f"kubectl scale {_IN} $resourceType $name", "replicas"),
    **_form("kubectl_rollout", f"kubectl rollout {_IN} $subCommand $resourceType $name", "revision toRevision timeout watch"),
    **_form("kubectl_context", "kubectl config get-contexts", "operation name showCurrent detailed output"),
    **_form("exec_in_pod", f"kubectl exec {_IN} $name [-c $container] -- $command", "timeout"),
    **_form("uninstall_helm_chart", "helm uninstall [-n $namespace] $name", "context"),
    **_form("list_api_resources explain_resource ping", "kubectl api-resources", "apiGroup namespaced verbs output resource recursive context"),
}  # fmt: skip
_PODS = {
    **_form("pods_list namespaces_list events_list helm_list pods_list_in_namespace resources_list", "kubectl get pods",
            "namespace labelSelector context all_namespaces apiVersion kind"),
    **_form("pods_get resources_get pods_top", "kubectl get pods", "name namespace apiVersion kind context all_namespaces label_selector"),
    **_form("pods_log", "kubectl logs [-n $namespace] $name", "container context tail previous"),
    **_form("pods_delete", "kubectl delete [-n $namespace] pod $name", "context"),
    **_form("pods_exec", "kubectl exec [-n $namespace] $name [-c $container] -- $command", "context"),
    **_form("resources_delete", "kubectl delete [-n $namespace] $kind $name", "apiVersion context"),
    **_form("helm_uninstall", "helm uninstall [-n $namespace] $name", "context"),
}  # fmt: skip

# --- messages ---

_CHAT = {
    **_sent("slack_post_message slack_reply_to_thread", "https://slack.com/", "text", "channel_id thread_ts"),
    **_asked(
        "slack_list_channels slack_get_channel_history slack_get_thread_replies slack_get_users slack_get_user_profile"
        " slack_add_reaction",
        "https://slack.com/", "limit cursor channel_id thread_ts user_id timestamp reaction",
    ),
}  # fmt: skip
_CHAT_WIDE = {
    **_sent("conversations_add_message", "https://slack.com/", "payload text", "channel_id thread_ts content_type"),
    **_asked("conversations_history conversations_replies conversations_search_messages channels_list",
             "https://slack.com/",
             "channel_id thread_ts limit cursor include_activity_messages channel_types sort search_query filter_in_channel"
             " filter_in_im_or_mpim filter_users_with filter_users_from filter_date_before filter_date_after filter_date_on"
             " filter_date_during filter_threads_only"),
}  # fmt: skip
_MAIL_PLACE = "https://gmail.googleapis.com/"


def _mail(names: str) -> dict[str, ToolSpec]:
    """Attachments are files of this machine that leave it."""
    fields = _fields(
        "attachments=paths subject=payload body=payload htmlBody=payload to cc bcc mimeType threadId inReplyTo"
    )
    return {n: ToolSpec(n, F.UPLOAD, fields, endpoint=_MAIL_PLACE) for n in names.split()}


_MAIL = {
    **_mail("send_email draft_email"),
    **_asked(
        "read_email search_emails list_email_labels", _MAIL_PLACE, "messageId query maxResults"
    ),
}

# --- memory, thought, time and documentation ---

_MEMORY = _op(
    "create_entities create_relations add_observations delete_entities delete_observations delete_relations"
    " read_graph search_nodes open_nodes",
    F.INERT,
    "entities=prompt relations=prompt observations=prompt entityNames=prompt deletions=prompt query=pattern names=prompt",
)
_THINKING = _op(
    "sequentialthinking sequential_thinking", F.INERT,
    "thought=prompt nextThoughtNeeded thoughtNumber totalThoughts isRevision revisesThought branchFromThought"
    " branchId needsMoreThoughts",
)  # fmt: skip
_TIME = _op(
    "get_current_time convert_time", F.INERT, "timezone source_timezone time target_timezone"
)
_LIBRARY_DOCS = _asked(
    "resolve-library-id get-library-docs query-docs", "https://context7.com/",
    "libraryName query context7CompatibleLibraryID libraryId topic tokens page mode",
)  # fmt: skip
_WIKI = _asked(
    "read_wiki_structure read_wiki_contents ask_question",
    "https://mcp.deepwiki.com/",
    "repoName question",
)
_WEB_SEARCH = _asked(
    "brave_web_search brave_local_search brave_news_search brave_image_search brave_video_search brave_summarizer",
    "https://api.search.brave.com/",
    "query count offset country search_lang ui_lang safesearch freshness text_decorations spellcheck result_filter"
    " summary key inline_references entity_info units goggles extra_snippets",
)


ADAPTERS: tuple[Adapter, ...] = (
    Adapter("bridge", _names("npm:mcp-remote")),
    Adapter("files", _names("npm:@modelcontextprotocol/server-filesystem program:mcp-server-filesystem"), _FILES, local=True),
    Adapter("files-wide", _names("program:mcp-filesystem-server"), _FILES_WIDE, local=True),
    Adapter("files-service", _names("npm:@cyanheads/filesystem-mcp-server"), _FILES_SERVICE, local=True),
    Adapter("commander", _names("npm:@wonderwhy-er/desktop-commander program:desktop-commander"), _COMMANDER, local=True),
    Adapter("commands", _names("npm:mcp-server-commands program:mcp-server-commands"), _COMMANDS, local=True),
    Adapter("shell-vector", _names("pypi:mcp-shell-server program:mcp-shell-server"), _VECTOR, local=True),
    Adapter("fetch", _names("pypi:mcp-server-fetch npm:mcp-fetch-server image:mcp/fetch program:mcp-server-fetch"), _FETCHING),
    Adapter("crawl", _names("npm:firecrawl-mcp"), _CRAWLING),
    Adapter("browser", _names("npm:@playwright/mcp"), _BROWSING, local=True),
    Adapter("puppets", _names("npm:@modelcontextprotocol/server-puppeteer"), _PUPPETS),
    Adapter("devtools", _names("npm:chrome-devtools-mcp"), _DEVTOOLS, local=True),
    Adapter("git", _names("pypi:mcp-server-git program:mcp-server-git"), _GIT, local=True),
    Adapter("git-service", _names("npm:@cyanheads/git-mcp-server"), _GIT_SERVICE, local=True),
    Adapter(
        "hosting",
        _names("npm:@modelcontextprotocol/server-github image:ghcr.io/github/github-mcp-server"
               " image:mcp/github program:github-mcp-server host:api.githubcopilot.com"),
        _HOSTING,
    ),
    Adapter("sql-query", _names("npm:@modelcontextprotocol/server-postgres image:mcp/postgres"), _SQL_QUERY),
    Adapter("postgres", _names("pypi:postgres-mcp image:crystaldba/postgres-mcp program:postgres-mcp"), _POSTGRES),
    Adapter("sqlite", _names("pypi:mcp-server-sqlite image:mcp/sqlite program:mcp-server-sqlite"), _SQLITE),
    Adapter("mysql", _names("npm:@benborla29/mcp-server-mysql"), _MYSQL),
    Adapter("supabase", _names("npm:@supabase/mcp-server-supabase host:mcp.supabase.com"), _SUPABASE),
    Adapter("mongo", _names("npm:mongodb-mcp-server image:mongodb/mongodb-mcp-server"), _MONGO),
    Adapter("redis", _names("npm:@modelcontextprotocol/server-redis image:mcp/redis"), _REDIS),
    Adapter("docker", _names("pypi:mcp-server-docker program:mcp-server-docker"), _DOCKER, local=True),
    Adapter("cluster", _names("npm:mcp-server-kubernetes image:flux159/mcp-server-kubernetes"), _CLUSTER),
    Adapter("pods", _names("npm:kubernetes-mcp-server pypi:kubernetes-mcp-server image:quay.io/containers/kubernetes_mcp_server"), _PODS),
    Adapter("chat", _names("npm:@modelcontextprotocol/server-slack image:mcp/slack"), _CHAT),
    Adapter("chat-wide", _names("npm:slack-mcp-server image:ghcr.io/korotovsky/slack-mcp-server"), _CHAT_WIDE),
    Adapter("mail", _names("npm:@gongrzhe/server-gmail-autoauth-mcp"), _MAIL, local=True),
    Adapter("memory", _names("npm:@modelcontextprotocol/server-memory image:mcp/memory"), _MEMORY),
    Adapter("thinking", _names("npm:@modelcontextprotocol/server-sequential-thinking image:mcp/sequentialthinking"), _THINKING),
    Adapter("time", _names("pypi:mcp-server-time image:mcp/time"), _TIME),
    Adapter("library-docs", _names("npm:@upstash/context7-mcp host:mcp.context7.com"), _LIBRARY_DOCS),
    Adapter("wiki", _names("host:mcp.deepwiki.com"), _WIKI),
    Adapter("web-search", _names("npm:@modelcontextprotocol/server-brave-search npm:@brave/brave-search-mcp-server"), _WEB_SEARCH),
)  # fmt: skip
