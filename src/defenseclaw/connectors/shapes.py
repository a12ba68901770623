"""Shared reading and writing of hook documents; total over JSON values and bounded.

A decoder turns one payload into typed fields or raises ``DecodeError``; nothing here looks at an
agent's name.
"""

from __future__ import annotations

import json
import ntpath
import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from defenseclaw.connectors.api import Connector, DecodeError, DecodeFault, Environment
from defenseclaw.connectors.evidence import read_proof
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.limits import MAX_REASON_CHARS, MAX_SCALAR_BYTES
from defenseclaw.core.tool import Platform, ToolCall, ToolFamily, ToolSpec
from defenseclaw.core.verdict import Action, Severity, Verdict

MAX_ID_CHARS = 512  # agents send identifiers of 36 characters; room for other formats
# One text costs one pass of the content rules: the tail of a longer list is read as one text.
MAX_CONTENT_TEXTS = 64

# What a closed failure answer says. The hook client puts the cause in its place.
FAILURE_TEXT = (
    "DefenseClaw could not get a verdict and its fail mode is closed; no policy was consulted. "
    "Run `defenseclaw-gateway start`."
)

MCP_PREFIX = "mcp__"
_ELLIPSIS = " […]"


@dataclass(frozen=True, slots=True)
class NativeCall:
    """One call as a payload tells it.

    ``spec`` is for calls that a payload marks by more than a name: it counts before every table, as
    a server may call its tools what it likes.
    """

    tool: str
    args: Mapping[str, Any]
    cwd: str = ""  # not checked yet; empty: the payload's
    spec: ToolSpec | None = None


def plain_call(payload: Mapping[str, Any], _spec: EventSpec) -> NativeCall:
    """A call under the names that most agents use."""
    return NativeCall(text(payload, "tool_name"), mapping(payload, "tool_input"))


@dataclass(frozen=True, slots=True)
class PayloadShape:
    """Where an agent keeps what in its payloads.

    ``contents`` and ``details`` map event names to fields; a dot leads into an object, and
    ``list/field`` takes the field of every object in the list. ``tool_events`` are those that carry
    one call, which ``read_call`` takes out. Of several fields of an identity the first counts.
    """

    connector: str
    turn_fields: tuple[str, ...]
    tools: Mapping[str, ToolSpec]
    tool_events: frozenset[str]
    contents: Mapping[str, tuple[str, ...]]
    details: Mapping[str, tuple[str, ...]]
    common_details: tuple[str, ...] = ()
    stop_events: frozenset[str] = field(default_factory=frozenset)
    session_fields: tuple[str, ...] = ("session_id",)
    call_fields: tuple[str, ...] = ("tool_use_id",)
    cwd_fields: tuple[str, ...] = ("cwd",)
    read_call: Callable[[Mapping[str, Any], EventSpec], NativeCall] = plain_call


def event_name(
    payload: Mapping[str, Any],
    fields: Iterable[str] = ("hook_event_name",),
    aliases: Mapping[str, str] | None = None,
) -> str:
    """The event that a payload names, exact and case-sensitive; never inferred from its shape.

    Empty when it names none. Two fields that name different events are refused.
    """
    found = {name for key in fields if (name := text(payload, key))}
    names = {(aliases or {}).get(name, name) for name in found}
    if len(names) > 1:
        raise DecodeError(DecodeFault.WRONG_TYPE)
    return names.pop() if names else ""


def named_event(connector: Connector, payload: Mapping[str, Any], bound: str) -> EventSpec:
    """The row of an event that a payload names, or that its registered command was bound to.

    Where the two disagree, and for a name that no table has, it is a row without any trusted
    boundary. Raises DecodeError where there is no name at all.
    """
    named = event_name(payload, connector.name_fields, connector.name_aliases)
    known = connector.event(bound) if bound else None
    if not named and known is None:
        raise DecodeError(DecodeFault.NO_EVENT_NAME)
    if bound and named and named != bound:
        return EventSpec(named, Route.UNKNOWN, registered=False)
    return connector.event_or_unknown(named or bound)


def decode_event(
    shape: PayloadShape, payload: Mapping[str, Any], spec: EventSpec, env: Environment
) -> HookEvent:
    """The typed event of a payload, with what it proves."""
    cwd = absolute(first_text(payload, shape.cwd_fields, MAX_SCALAR_BYTES), env.platform)
    stop_active = spec.name in shape.stop_events and flag(payload, "stop_hook_active")
    return HookEvent(
        connector=shape.connector,
        # A second block in a row would keep the agent running for ever.
        spec=replace(spec, can_block=False) if stop_active else spec,
        session_id=first_text(payload, shape.session_fields),
        turn_id=first_text(payload, shape.turn_fields),
        call_id=first_text(payload, shape.call_fields),
        cwd=cwd,
        call=_call(shape, payload, spec, (cwd, env)) if spec.name in shape.tool_events else None,
        contents=contents(payload, shape.contents.get(spec.name, ())),
        proof=read_proof(shape.connector, spec.name, payload),
        stop_active=stop_active,
        details=_details(payload, (*shape.common_details, *shape.details.get(spec.name, ()))),
    )


def _call(
    shape: PayloadShape, payload: Mapping[str, Any], spec: EventSpec, place: tuple[str, Environment]
) -> ToolCall:
    native = shape.read_call(payload, spec)
    cwd, env = place
    return ToolCall(
        tool=native.tool,
        args=native.args,
        cwd=absolute(native.cwd, env.platform) if native.cwd else cwd,
        home=env.home,
        platform=env.platform,
        spec=native.spec or shape.tools.get(native.tool) or mcp_spec(native.tool),
        own_paths=env.own_paths,
        hook_paths=env.hook_paths,
    )


def _details(payload: Mapping[str, Any], names: Iterable[str]) -> Mapping[str, str]:
    found = {name: text(payload, name, MAX_SCALAR_BYTES) for name in names if name in payload}
    return {name: value for name, value in found.items() if value}


def text(payload: Mapping[str, Any], name: str, limit: int = MAX_ID_CHARS) -> str:
    """A text field; empty when it is absent or null."""
    value = payload.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise DecodeError(DecodeFault.WRONG_TYPE)
    return _checked(value, limit)


def first_text(payload: Mapping[str, Any], names: Iterable[str], limit: int = MAX_ID_CHARS) -> str:
    """The first of some text fields that is there; a dot leads into an object."""
    for name in names:
        *heads, last = name.split(".")
        holder: Any = payload
        for head in heads:
            holder = holder.get(head) if isinstance(holder, Mapping) else None
        if isinstance(holder, Mapping) and (value := text(holder, last, limit)):
            return value
    return ""


def _checked(value: str, limit: int) -> str:
    if len(value) > limit:
        raise DecodeError(DecodeFault.TOO_LONG)
    if "\0" in value or not _is_unicode(value):
        raise DecodeError(DecodeFault.BAD_TEXT)
    return value


def _is_unicode(value: str) -> bool:
    """False for lone surrogates, which no file, database or agent can store."""
    return value.isascii() or value.encode("utf-8", "replace").decode("utf-8") == value


def flag(payload: Mapping[str, Any], name: str) -> bool:
    """A boolean field; False when it is absent or null."""
    value = payload.get(name)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise DecodeError(DecodeFault.WRONG_TYPE)
    return value


def mapping(payload: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """An object field; empty when it is absent or null."""
    value = payload.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise DecodeError(DecodeFault.WRONG_TYPE)
    return value


def absolute(path: str, platform: Platform) -> str:
    """A cleaned absolute path, or empty when the path is not absolute on its own platform."""
    if platform is Platform.WINDOWS:
        drive, rest = ntpath.splitdrive(path)
        return ntpath.normpath(path) if drive and rest[:1] in ("\\", "/") else ""
    return posixpath.normpath(path) if path.startswith("/") else ""


def mcp_spec(tool: str) -> ToolSpec | None:
    """The identity-only schema of ``mcp__server__tool``; None for any other name."""
    server, separator, name = tool.removeprefix(MCP_PREFIX).partition("__")
    if not tool.startswith(MCP_PREFIX) or not (server and separator and name):
        return None
    return ToolSpec(tool, ToolFamily.MCP)


def contents(payload: Mapping[str, Any], names: Iterable[str]) -> tuple[str, ...]:
    """Every non-blank string in the named fields, in order, as a bounded number of texts."""
    found = [leaf for name in names for leaf in leaves(_select(payload, name)) if leaf.strip()]
    if len(found) > MAX_CONTENT_TEXTS:
        keep = MAX_CONTENT_TEXTS - 1
        found = [*found[:keep], "\n".join(found[keep:])]
    return tuple(found)


def _select(payload: Mapping[str, Any], name: str) -> Any:
    head, _, inner = name.partition("/")
    value: Any = payload
    for step in head.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    if not inner or value is None:
        return value
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        raise DecodeError(DecodeFault.WRONG_TYPE)
    return [item.get(inner) for item in value]


def leaves(value: Any) -> list[str]:
    """All strings of a JSON value in document order, without recursion."""
    found: list[str] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, Mapping):
            stack.extend(reversed(list(item.values())))
        elif isinstance(item, list):
            stack.extend(reversed(item))
    return found


def document(body: Mapping[str, Any]) -> Answer:
    """One compact JSON document on standard output, in ASCII so that any console can carry it."""
    return Answer(stdout=json.dumps(body, separators=(",", ":")) + "\n")


def specific(event: HookEvent, **fields: Any) -> dict[str, Any]:
    """The event-specific object that names its own event."""
    return {"hookSpecificOutput": {"hookEventName": event.spec.name, **fields}}


def reason(verdict: Verdict, default: str) -> str:
    """The reason an agent is shown: never empty, valid Unicode, below the agents' caps."""
    return clipped(verdict.reason.strip() or default)


def clipped(value: str) -> str:
    """Text that every agent can show: at most ``MAX_REASON_CHARS``, no lone surrogates, and nothing
    that would act on a terminal."""
    sound = value.encode("utf-8", "replace").decode("utf-8")
    if not sound.isprintable():
        sound = "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in sound)
    if len(sound) <= MAX_REASON_CHARS:
        return sound
    return sound[: MAX_REASON_CHARS - len(_ELLIPSIS)] + _ELLIPSIS


def effective(event: HookEvent, verdict: Verdict) -> Action:
    """What may be said on this event: a block or question that it does not have is an alert."""
    if verdict.action is Action.BLOCK and not event.spec.can_block:
        return Action.ALERT
    if verdict.action is Action.CONFIRM and not event.spec.can_ask:
        return Action.ALERT
    return verdict.action


def advisory(event: HookEvent, verdict: Verdict, label: str) -> str:
    """What to tell about a finding that stops nothing; empty when there is nothing to tell."""
    if verdict.raw is Action.ALLOW and verdict.action is Action.ALLOW:
        return ""
    would = verdict.would_block and event.spec.can_block
    head = "DefenseClaw would block this in action mode:" if would else "DefenseClaw observed"
    article = "an" if verdict.severity is Severity.INFO else "a"
    told = f"{head} {article} {verdict.severity.value} {label} hook finding"
    if why := verdict.reason.strip():
        told += f": {why}"
    if verdict.raw is Action.CONFIRM and verdict.action is Action.ALERT:
        told = told.rstrip(".") + ". The user should confirm this, but cannot be asked here."
    return clipped(told)


def index(events: Iterable[EventSpec]) -> Mapping[str, EventSpec]:
    """Rows by exact event name."""
    return {spec.name: spec for spec in events}
