"""One page for each agent: versions, events, answers, tools and registration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from defenseclaw.connectors import (
    CONNECTORS,
    Connector,
    Contract,
    PolicyFile,
    Registration,
    Switch,
    Version,
)
from defenseclaw.connectors.shapes import FAILURE_TEXT
from defenseclaw.connectors.tables.assets import ASSETS
from defenseclaw.core.event import Answer, EventSpec, HookEvent
from defenseclaw.core.tool import FieldRole, Platform, ToolSpec
from defenseclaw.core.verdict import Action, Severity, Verdict
from tools.pages.markdown import code, prose, table, yes

HEAD = """\
# Agents

The agents that DefenseClaw protects today. Each page lists the versions, events, answers and tools
as the code has them.

"""
REASON = "REASON"
NOTHING = "nothing: this event cannot be stopped"
BLOCK = Verdict(Action.BLOCK, Action.BLOCK, Severity.CRITICAL, REASON)
ASK = Verdict(Action.CONFIRM, Action.CONFIRM, Severity.HIGH, REASON)


def pages() -> Mapping[str, str]:
    """The index and one page for each agent."""
    rows = [
        (f"[{c.label}](connectors/{c.key}.md)", code(c.key), _ranges(c), str(len(c.events)))
        for c in CONNECTORS.values()
    ]
    index = HEAD + table(("agent", "key", "versions", "events"), rows)
    each = {f"connectors/{c.key}.md": _page(c) for c in CONNECTORS.values()}
    return {"connectors.md": index, **each}


def _page(connector: Connector) -> str:
    names = ", ".join(code(name) for name in (connector.key, *connector.aliases))
    text = f"""\
# {connector.label}

What DefenseClaw knows of {connector.label}: {len(connector.events)} events and
{len(connector.tools)} tools, from <{connector.docs_url}> and from the real program. Commands accept
the names {names}. The limits of what hooks show are in
[what we cannot see](../../explain/what-we-cannot-see.md).
"""
    parts = (
        ("Versions", _versions(connector)),
        ("Events", _events(connector)),
        ("Answers", _answers(connector)),
        ("Tools", _tools(connector)),
        ("Registration", _registration(connector.registration)),
        ("Skills, plugins and servers", _assets(connector.key)),
    )
    return text + "".join(f"\n## {heading}\n\n{body}" for heading, body in parts)


def _ranges(connector: Connector) -> str:
    return f"{_version(min(c.since for c in connector.contracts))} and newer"


def _version(version: Version) -> str:
    return ".".join(map(str, version))


def _versions(connector: Connector) -> str:
    probe = connector.probe
    asked = " ".join((probe.executables[0], *probe.arguments))
    text = (
        f"`setup` asks `{asked}` for the version and registers the events of the contract that "
        "covers it. An older version may be observed, not enforced.\n\n"
    )
    return text + table(
        ("contract", "from", "below", "events", "use"),
        [
            (
                code(contract.id),
                _version(contract.since),
                _version(contract.below) if contract.below else "–",
                str(len(contract.events)),
                _use(contract),
            )
            for contract in connector.contracts
        ],
    )


def _use(contract: Contract) -> str:
    if contract.opt_in:
        return "only when asked for"
    return "also where no version could be found" if contract.default else ""


def _events(connector: Connector) -> str:
    text = (
        "A block or a question exists only where the table says so; elsewhere a finding is told or "
        "just recorded. The hook answers within its own deadline, which ends before the time-out "
        "that is registered, because the agent lets a call pass when a hook takes longer.\n\n"
    )
    rows = [
        (
            code(spec.name),
            spec.route.value,
            yes(spec.can_block),
            yes(spec.can_ask),
            f"{connector.client_budget_s(spec.name):g} s",
            f"{spec.timeout_s} s",
            code(spec.matcher or ""),
        )
        for spec in connector.events
    ]
    headers = ("event", "kind", "can block", "can ask", "our deadline", "time-out", "matcher")
    return text + table(headers, rows)


def _answers(connector: Connector) -> str:
    text = (
        "What is printed on a block, and without any verdict under fail mode `closed`. Under "
        f"`open` the event passes. `{REASON}` stands for the text. An agent that already goes on "
        "because of a stop hook is not stopped again.\n\n"
    )
    blocks = [
        (code(spec.name), _verdict(connector, spec, BLOCK), _failure(connector, spec.name))
        for spec in connector.events
        if spec.can_block
    ]
    text += table(("event", "block", "no verdict, closed"), blocks)
    asks = [spec for spec in connector.events if spec.can_ask]
    if asks:
        rows = [(code(spec.name), _verdict(connector, spec, ASK)) for spec in asks]
        text += "\n" + table(("event", "ask"), rows)
    return text


def _verdict(connector: Connector, spec: EventSpec, verdict: Verdict) -> str:
    return _shown(connector.encode(HookEvent(connector.key, spec), verdict))


def _failure(connector: Connector, name: str) -> str:
    answer = connector.failure_answer(name, False)
    # Whatever the text is, the hook client puts the kind of the failure in its place.
    return _shown(replace(answer, stdout=answer.stdout.replace(FAILURE_TEXT, REASON)))


def _shown(answer: Answer) -> str:
    if answer.stdout:
        return code(answer.stdout.strip())
    return f"exit {answer.exit}, text on standard error" if answer.stderr else NOTHING


def _tools(connector: Connector) -> str:
    text = (
        "Tools whose arguments were reviewed. A tool that is not listed, or an argument that is "
        "not, makes the call partly understood: its text is then judged by patterns. Tools of MCP "
        "servers are known by server and name.\n\n"
    )
    rows = [
        (code(tool.name), tool.family.value, _arguments(tool), _inert(tool))
        for tool in connector.tools.values()
    ]
    return text + table(("tool", "family", "arguments", "change nothing"), rows)


def _arguments(tool: ToolSpec) -> str:
    return ", ".join(
        f"{code(name)} {role.value}"
        for name, role in tool.fields.items()
        if role is not FieldRole.INERT
    )


def _inert(tool: ToolSpec) -> str:
    return _codes(name for name, role in tool.fields.items() if role is FieldRole.INERT)


def _codes(names: Iterable[str]) -> str:
    return ", ".join(map(code, names))


def _place(found: Registration, file: str) -> str:
    """Where a file is, with and without the agent's own variable."""
    usual = f"`~/{found.home_default}`"
    if not found.home_env:
        return f"`{file}` in {usual}"
    below = f"/{found.home_env_below}" if found.home_env_below else ""
    own = f"`${found.home_env}{below}`"
    return f"`{file}` in {own}, or in {usual} where that variable is not set"


def _registration(found: Registration) -> str:
    file = found.files[Platform.POSIX]
    if found.plugin is None:
        what = "Hooks are written to"
        rest = "Other people's hooks keep their text and their place."
    elif found.plugin.module:
        what = (
            f"`{found.plugin.module}` goes into the agent's own Python environment, and is named in"
        )
        rest = "What others wrote there keeps its text and its place."
    else:
        what, rest = "A plugin of ours is", "A file of that name that is not ours is left alone."
    text = f"{what} {_place(found, file)}. {prose(found.restart_hint)} {rest}\n"
    if found.consents is not None:
        text += (
            f"\nThe agent runs a hook only with a consent in `{found.consents.file}`; `setup` "
            "writes those for our own hooks.\n"
        )
    if found.trust:
        text += (
            "\nThe agent runs a hook only with a record of consent; `setup` writes the records of "
            "our own hooks.\n"
        )
    switches = [(code(file), _switch(switch)) for switch in found.switches]
    switches += [_policy(p, s) for p in found.policies.get(Platform.POSIX, ()) for s in p.switches]
    if switches:
        text += (
            "\nThese settings make the agent ignore our hooks; `setup` refuses to register under "
            "them.\n\n"
        )
        text += table(("file", "setting"), switches)
    return text


def _assets(key: str) -> str:
    roots = ASSETS[key]
    text = (
        "Where this agent looks for what extends it. `{config}` is its configuration home, "
        "`{home}` the user's home, `{project}` the session's folder.\n\n"
    )
    kinds = {
        "skills": roots.skills,
        "plugins": roots.plugins,
        f"servers in `{roots.table}`": roots.servers,
    }
    rows = [(kind, _codes(places)) for kind, places in kinds.items() if places]
    return text + table(("kind", "places"), rows) if rows else "None that is known.\n"


def _policy(policy: PolicyFile, switch: Switch) -> tuple[str, str]:
    return code(policy.path), _switch(switch)


def _switch(switch: Switch) -> str:
    return code(f"{'.'.join(switch.path)} = {str(switch.off).lower()}")
