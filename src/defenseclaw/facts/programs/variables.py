"""Environment variables that are code, name code, or switch protection off."""

from __future__ import annotations

import re
from collections.abc import Mapping

from defenseclaw.core.facts import Dialect, IssueCode, PathAccess
from defenseclaw.core.labels import PathLabel, Trait
from defenseclaw.facts.identity import identify
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.network import classify, parse_url
from defenseclaw.facts.roles import require
from defenseclaw.facts.script import Word

# Values that some program runs as shell text or as a command.
COMMAND_VARIABLES = frozenset(
    {"GIT_SSH_COMMAND", "GIT_SSH", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "GIT_ASKPASS",
     "SSH_ASKPASS", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "EDITOR", "VISUAL", "PAGER", "GIT_PAGER",
     "MANPAGER", "BROWSER", "PROMPT_COMMAND", "LESSOPEN", "LESSCLOSE", "FZF_DEFAULT_COMMAND",
     "RSYNC_RSH", "CVS_RSH", "SVN_SSH", "TAR_OPTIONS", "SUDO_ASKPASS", "SUDO_EDITOR", "SYSTEMD_EDITOR",
     "SYSTEMD_PAGER", "KUBE_EDITOR", "HGEDITOR", "SVN_EDITOR", "P4EDITOR", "GH_EDITOR", "GH_PAGER", "GH_BROWSER",
     "GLAB_PAGER", "AWS_PAGER", "BAT_PAGER", "DELTA_PAGER", "PSQL_EDITOR", "PSQL_PAGER", "FCEDIT", "HGMERGE",
     "npm_config_script_shell", "NPM_CONFIG_SCRIPT_SHELL", "PERL5DB", "FZF_CTRL_T_COMMAND", "FZF_ALT_C_COMMAND"}
)  # fmt: skip
# Harmless commands that such variables usually name.
PLAIN_COMMANDS = frozenset(
    {"", "cat", "less", "more", "true", ":", "vi", "vim", "nvim", "nano", "emacs", "code", "code --wait",
     "/bin/true", "/usr/bin/true", "delta", "bat", "less -R", "less -FRX", "ssh", "echo", "/bin/echo"}
)  # fmt: skip
# Values that name files whose code is loaded, and by which programs; any program where none is named.
_SHELLS = frozenset({"sh", "dash", "ash", "ksh", "mksh", "bash", "zsh", "busybox"})
FILE_VARIABLES: Mapping[str, frozenset[str]] = {
    "BASH_ENV": frozenset(),
    "ENV": _SHELLS,  # elsewhere a word such as `production`
    "ZDOTDIR": frozenset(),
    "PYTHONSTARTUP": frozenset(),
    **dict.fromkeys(("LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"), frozenset()),
}
MAX_LIBRARIES = 32  # of one variable that are looked at; people name one or two
# Machine code, which a project may bring along as well as the system; elsewhere nobody can say.
_LIBRARIES = frozenset({"LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"})
_OWN_PLACES = frozenset({PathLabel.SYSTEM_TREE, PathLabel.IN_SYSTEM_TREE, PathLabel.PROJECT})
# Values that a shell expands again before it shows them, command substitutions included.
PROMPT_VARIABLES = frozenset(
    {"PS0", "PS1", "PS2", "PS3", "PS4", "PROMPT", "RPROMPT", "RPS1", "PROMPT4"}
)
# Values of options that may load code.
OPTION_VARIABLES: Mapping[str, tuple[str, ...]] = {
    "NODE_OPTIONS": ("--require", "-r ", "--import", "--loader", "--experimental-loader", "--eval"),
    "PERL5OPT": ("-M", "-m", "-e"),
    "RUBYOPT": ("-r", "-e"),
    "JAVA_TOOL_OPTIONS": ("-javaagent", "-agentpath", "-XX:OnOutOfMemoryError"),
}
OWN_PREFIX = "DEFENSECLAW_"
# Names of ours that only say where things are for one command line run; the rest is a switch.
OWN_NEUTRAL: Mapping[str, frozenset[str]] = {
    "DEFENSECLAW_STRICT_AVAILABILITY": frozenset({"1", "true", "yes", "on"}),
    "DEFENSECLAW_FAIL_MODE": frozenset({"closed"}),
}
# Switches of agents that turn hooks or permission checks off.
BYPASS_VARIABLES: Mapping[str, frozenset[str]] = {
    "CLAUDE_CODE_DISABLE_HOOKS": frozenset({"1", "true"}),
    "HUSKY": frozenset({"0"}),
    "HUSKY_SKIP_HOOKS": frozenset({"1", "true"}),
    "PRE_COMMIT_ALLOW_NO_CONFIG": frozenset(),
    "LEFTHOOK": frozenset({"0", "false"}),
    "SKIP": frozenset(),
}
# Where agents send their prompts, and the servers that are meant for it.
ENDPOINT_VARIABLES = frozenset(
    {"ANTHROPIC_BASE_URL", "ANTHROPIC_BEDROCK_BASE_URL", "ANTHROPIC_VERTEX_BASE_URL", "OPENAI_BASE_URL",
     "OPENAI_API_BASE", "OPENAI_API_HOST", "AZURE_OPENAI_ENDPOINT", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL",
     "CODE_ASSIST_ENDPOINT", "COPILOT_API_URL", "AMP_URL"}
)  # fmt: skip
_VENDORS = (
    "anthropic.com", "openai.com", "googleapis.com", "azure.com", "amazonaws.com", "githubcopilot.com", "ampcode.com"
)  # fmt: skip
_HISTORY = {"HISTFILE": ("", "/dev/null"), "HISTSIZE": ("0",), "HISTFILESIZE": ("0",)}


def apply_variable(inv: Invocation, name: str, word: Word) -> None:
    """What setting one variable for a command or a shell means."""
    value = word.value
    if name.startswith(OWN_PREFIX):
        _own(inv, name, value)
    elif name in COMMAND_VARIABLES:
        _command(inv, word)
    elif name in FILE_VARIABLES:
        _files(inv, name, word)
    elif name in PROMPT_VARIABLES:
        _prompt(inv, word)
    elif name in ENDPOINT_VARIABLES:
        _endpoint(inv, value or word.prefix)
    elif name == "PATH":
        _search_path(inv, word)
    elif name in OPTION_VARIABLES:
        _options(inv, name, word)
    elif name in _HISTORY and value in _HISTORY[name]:
        inv.trait(Trait.HISTORY_CLEAR)
    elif value is not None and value.lower() in BYPASS_VARIABLES.get(name, ()):
        inv.trait(Trait.HOOKS_BYPASS)


def _files(inv: Invocation, name: str, word: Word) -> None:
    """Files that are loaded before anything else: by a shell as a script, else as machine code."""
    readers = FILE_VARIABLES[name]
    first = inv.words[0].value if inv.words else None
    program = identify(first, inv.fact.dialect).program if first else ""
    if readers and program not in readers:
        return
    require(inv, word)
    inv.trait(Trait.CONFIG_EXEC)
    parts = re.split(r"[:\s]+", word.value or "") if name in _LIBRARIES else [word.value or ""]
    if len(parts) > MAX_LIBRARIES:
        inv.partial(IssueCode.OPAQUE_ARTIFACT)
    for part in parts[:MAX_LIBRARIES]:
        fact = inv.path_value(part, PathAccess.EXECUTE) if part != "/dev/null" else None
        if fact is None or ("/" not in part and name in _LIBRARIES):
            continue
        if PathLabel.TEMP in fact.labels:
            inv.trait(Trait.INJECTED_CODE)  # which a rule speaks about
        elif name not in _LIBRARIES or _OWN_PLACES.isdisjoint(fact.labels):
            inv.partial(IssueCode.OPAQUE_ARTIFACT)


def _prompt(inv: Invocation, word: Word) -> None:
    """A prompt's substitutions run whenever it is shown, that of a trace before every command."""
    text = word.value
    if text is None or not inv.fact.id or not ("$(" in text or "`" in text):
        return
    inv.trait(Trait.CONFIG_EXEC)
    before = inv.out
    quoted = text.replace('"', r"\"")
    inv.run_code(Word(f': "{quoted}"'), How(wrapper=False, dialect=Dialect.POSIX))
    inv.out = before


# A value that begins with the search path as it was, in any shell's spelling.
_EXTENDS = re.compile(
    r"""(?:PATH\+?=)?\(*["']?(?:\$\{?(?:env:)?PATH\b|%PATH%
    |\[(?:System\.)?Environment\]::GetEnvironmentVariable\(\s*["']PATH["'])""",
    re.IGNORECASE | re.VERBOSE,
)


def _search_path(inv: Invocation, word: Word) -> None:
    """With an unknown first folder nobody knows which program a name means."""
    script = inv.frame.script
    placed = script is not None and word.start >= 0
    piece = script.source[word.start : word.end] if script is not None and placed else ""
    before = script.source[: word.start].rstrip() if script is not None and placed else ""
    if not word.prefix and not _EXTENDS.match(piece) and not before.endswith("+="):
        require(inv, word)


def _endpoint(inv: Invocation, value: str) -> None:
    """Another server than the vendor's or one of one's own network gets all that the agent sends."""
    endpoint = parse_url(value)
    if endpoint is None or endpoint.host.endswith(_VENDORS):
        return
    if classify(endpoint.host).external:
        inv.trait(Trait.MODEL_REDIRECT)


def _own(inv: Invocation, name: str, value: str | None) -> None:
    """Anything but tightening is an attempt on our own switches."""
    if value is not None and value.lower() in OWN_NEUTRAL.get(name, ()):
        return
    inv.trait(Trait.GUARD_TAMPER)


def _command(inv: Invocation, word: Word) -> None:
    if word.value is None:
        inv.trait(Trait.CONFIG_EXEC, Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    if word.value.strip() in PLAIN_COMMANDS:
        return
    inv.trait(Trait.CONFIG_EXEC)
    if inv.fact.id:
        before = inv.out
        inv.run_code(word, How(wrapper=False, dialect=Dialect.POSIX))
        inv.out = before


def _options(inv: Invocation, name: str, word: Word) -> None:
    if word.value is None:
        if not word.prefix:
            require(inv, word)
        return
    if any(mark in f"{word.value} " for mark in OPTION_VARIABLES[name]):
        inv.trait(Trait.CONFIG_EXEC)
