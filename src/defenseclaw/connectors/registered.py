"""Whether an agent's settings still run our hooks, judged from the file's bytes alone."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from defenseclaw.connectors.api import ConfigFormat, Connector
from defenseclaw.connectors.windows import registered_paths


def disarmed(connector: Connector, content: bytes, launcher: str) -> str:
    """Why these settings of the user would drop our hooks, or empty.

    ``launcher`` is the path that the registered command names; on Windows it may be in a script.
    """
    data = _parse(connector.registration.format, content)
    if data is None:
        return "the settings cannot be read any more"
    if switch := switched_off(connector, content):
        return switch
    handlers = {event: list(_handlers(groups)) for event, groups in _events(data)}
    for spec in (s for s in connector.events if s.registered and s.can_block):
        if not any(_names(handler, launcher) for handler in handlers.get(spec.name, [])):
            return f"the hook of {spec.name} is gone"
    return ""


def switched_off(connector: Connector, content: bytes) -> str:
    """The setting in these bytes that makes the agent ignore every hook, or empty."""
    data = _parse(connector.registration.format, content)
    for switch in connector.registration.switches:
        value: Any = data
        for name in switch.path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if switch.is_off(value):
            return switch.told.replace(" = ", " is ")
    return ""


def hook_variables(connector: Connector, content: bytes) -> tuple[str, ...]:
    """The variables that a project's settings set for hooks, by name."""
    table = connector.registration.project_env
    data = _parse(connector.registration.format, content) if table else None
    found = data.get(table) if data else None
    return tuple(found) if isinstance(found, dict) else ()


def _parse(form: ConfigFormat, content: bytes) -> Mapping[str, Any] | None:
    try:
        text = content.decode("utf-8-sig")
        data = tomllib.loads(text) if form is ConfigFormat.TOML else json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _events(data: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    hooks = data.get("hooks")
    if isinstance(hooks, Mapping):
        yield from hooks.items()


def _handlers(groups: object) -> Iterator[Mapping[str, object]]:
    for group in groups if isinstance(groups, list) else []:
        handlers = group.get("hooks") if isinstance(group, Mapping) else None
        for handler in handlers if isinstance(handlers, list) else []:
            if isinstance(handler, Mapping):
                yield handler


def _names(handler: Mapping[str, object], launcher: str) -> bool:
    command = handler.get("command")
    if isinstance(command, str) and launcher in command:
        return True
    return launcher.lower() in registered_paths(handler)
