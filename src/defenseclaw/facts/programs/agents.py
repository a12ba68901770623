"""Coding agents started from a command line, above all with their protections off."""

from __future__ import annotations

from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.paths import clean
from defenseclaw.facts.roles import apply_role

# Option -> values that switch protection off; an empty set means the option alone does.
_BYPASS = {
    "dangerously-skip-permissions": frozenset[str](),
    "allow-dangerously-skip-permissions": frozenset[str](),
    "dangerously-bypass-approvals-and-sandbox": frozenset[str](),
    "dangerously-bypass-hook-trust": frozenset[str](),
    "yolo": frozenset[str](),
    "dangerously-allow-all": frozenset[str](),
    "allow-all-tools": frozenset[str](),
    "allow-all": frozenset[str](),
    "dangerously-disable-sandbox": frozenset[str](),
    "yes-always": frozenset[str](),
    "auto-approve": frozenset[str](),
    "trust-all-tools": frozenset[str](),
    "permission-mode": frozenset({"bypassPermissions", "bypasspermissions"}),
    "approval-mode": frozenset({"yolo"}),
}
# Variables that move an agent's settings -> where they usually are, below the home.
_HOMES = {
    "HOME": "",
    "CLAUDE_CONFIG_DIR": ".claude",
    "CODEX_HOME": ".codex",
    "GEMINI_CLI_HOME": "",
    "COPILOT_HOME": ".copilot",
    "HERMES_HOME": ".hermes",
    "XDG_CONFIG_HOME": ".config",
}
# Names of the feature without which no hook runs, as an override and as a feature to disable.
_HOOK_FEATURES = ("features.hooks", "features.codex_hooks", "hooks", "codex_hooks")
# Options that leave hooks out altogether.
_NO_HOOKS = {
    "bare": frozenset[str](),
    "setting-sources": frozenset({"project", "local", "project,local", ""}),
}


def _agent(inv: Invocation) -> None:
    """Prompts are data; bypass options and configuration overrides are not."""
    parsed = inv.parsed
    for option, word in parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    for word in parsed.operands:
        inv.data(word, f"{inv.fact.program} prompt")
    for name, values in (*_BYPASS.items(), *_NO_HOOKS.items()):
        if not parsed.has(name):
            continue
        given = parsed.value(name)
        if not values or (given is not None and (given.value or "") in values):
            _bypass(inv)
    _elsewhere(inv)
    sandbox = parsed.value("sandbox")
    asks = parsed.value("ask-for-approval")
    full = sandbox is not None and sandbox.value == "danger-full-access"
    if full and asks is not None and asks.value == "never":
        _bypass(inv)
    _settings(inv)


def _elsewhere(inv: Invocation) -> None:
    """An agent that looks for its settings in another folder does not find our hooks there."""
    home = inv.builder.scope.place.home
    given = {n: v for n, v in inv.command.variables.items() if v and n in inv.command.exported}
    for wrapper in inv.fact.wrappers:  # such as env
        given.update({n: v for n, mark, v in (a.partition("=") for a in wrapper.argv) if mark})
    given.update((name, word.value or "\0") for name, word in inv.command.assignments)
    for name, usual in _HOMES.items():
        value = given.get(name)
        place = clean(f"{home}/{usual}")
        if value is not None and inv.builder.locate(value, inv.cwd).resolved != place:
            _bypass(inv)


def _bypass(inv: Invocation) -> None:
    inv.op(O.POLICY_BYPASS)
    inv.trait(Trait.AGENT_BYPASS)


def _settings(inv: Invocation) -> None:
    """``-c key=value`` and ``--settings`` may switch the hooks off."""
    full = never = False
    for word in inv.parsed.all_values("config"):
        key, _, value = (word.value or "").replace(" ", "").partition("=")
        value = value.strip("\"'").lower()
        full = full or (key == "sandbox_mode" and value == "danger-full-access")
        never = never or (key == "approval_policy" and value == "never")
        if key in _HOOK_FEATURES and value == "false":
            _bypass(inv)
    if full and never:
        _bypass(inv)
    if any((w.value or "").lower() in _HOOK_FEATURES for w in inv.parsed.all_values("disable")):
        _bypass(inv)
    for word in inv.parsed.all_values("settings"):
        text = (word.value or "").replace(" ", "").lower()
        if '"disableallhooks":true' in text or "bypasspermissions" in text:
            _bypass(inv)


_OPTIONS = (
    "c,config= enable= disable= i,image=read m,model= local-provider= p profile? print s,sandbox= C,cd= add-dir= remote= a,ask-for-approval= output-schema=read color= o,output-last-message=write"
    " strict-config oss dangerously-bypass-approvals-and-sandbox dangerously-bypass-hook-trust search no-alt-screen full-auto skip-git-repo-check ephemeral ignore-user-config ignore-rules json"
    " permission-mode= output-format= input-format= system-prompt=text append-system-prompt=text max-budget-usd= fallback-model= json-schema= permission-prompt-tool= mcp-config= dangerously-skip-permissions"
    " allow-dangerously-skip-permissions verbose debug continue r,resume? session-id= settings= setting-sources= bare allowedTools= allowed-tools= disallowedTools= max-turns= agents= model= prompt=text yolo y approval-mode="
    " agent= f,file=read format= attach= session= title= share dangerously-allow-all allow-all-tools allow-all allow-tool= deny-tool= yes-always auto-approve trust-all-tools message=text no-auto-commits help version"
)
_AGENT = E(_OPTIONS, special=_agent)
_CODEX = E(_OPTIONS.replace("p profile?", "p,profile="), special=_agent)
_YOLO = E(_OPTIONS.replace(" y ", " y,yolo ").replace(" yolo ", " "), special=_agent)

PROGRAMS = {
    "claude": E(_OPTIONS, special=_agent), "codex": _CODEX, "gemini": _YOLO, "opencode": _AGENT, "amp": _AGENT, "cursor-agent": E(_OPTIONS.replace("f,file=read", "f,allow-all"), special=_agent), "copilot": _AGENT,
    "aider": E(_OPTIONS.replace("yes-always", "yes,yes-always"), special=_agent), "goose-agent": _AGENT, "q": E(_OPTIONS + " a,trust-all-tools", special=_agent), "kiro": _AGENT, "qwen": _YOLO, "crush": _YOLO, "openhands": _AGENT, "hermes": _AGENT, "droid": _AGENT, "auggie": _AGENT,
}  # fmt: skip
