"""Asking the agent itself: which hooks it knows, whether it runs them, what is required of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from defenseclaw.connectors import Connector
from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.platform import DataHome, Limits, converse
from defenseclaw.setup.model import Options, TrustReport
from defenseclaw.setup.probe import detect, probe_environment
from defenseclaw.setup.target import config_home, ownership

MAX_REPLY_BYTES = 2 * 1024 * 1024  # connector contract, section 1.1
MAX_REPLY_LINES = 1000  # notifications that may come before the answer
_MAX_DEPTH = 32
_QUESTION_ID = 2
_CLIENT = {"name": "defenseclaw", "title": "DefenseClaw", "version": "1"}
_UNTRUSTED = "untrusted"


class NoAnswerError(Exception):
    """The agent could not be asked; the text says why."""


def trust_status(
    connector: Connector, home: DataHome, options: Options | None = None
) -> TrustReport:
    """What the agent says of our hooks. Never raises: silence is a problem in the report."""
    options = options or Options()
    asked = connector.registration.introspection
    if asked is None:
        return TrustReport({}, f"{connector.label} cannot be asked about its hooks")
    try:
        answer = ask(connector, asked.list_method, {"cwds": [str(options.cwd)]}, options)
    except NoAnswerError as error:
        return TrustReport({}, str(error))
    owner = ownership(connector, home)
    return TrustReport({
        str(hook.get("eventName", "")): _status(hook)
        for entry in _dicts(answer.get("data"))
        for hook in _dicts(entry.get("hooks"))
        if owner.owns(hook)
    })  # fmt: skip


def is_managed_only(connector: Connector, options: Options) -> bool:
    """Whether the agent says that only an administrator's hooks count; silence means no."""
    asked = connector.registration.introspection
    if asked is None:
        return False
    try:
        answer = ask(connector, asked.requirements_method, None, options)
    except NoAnswerError:
        return False
    requirements = answer.get("requirements")
    return isinstance(requirements, dict) and requirements.get(asked.managed_only) is True


def ask(
    connector: Connector, method: str, parameters: Mapping[str, Any] | None, options: Options
) -> dict[str, Any]:
    """One question to the agent's own server. Raises NoAnswerError."""
    asked = connector.registration.introspection
    executable = detect(connector, options).executable
    if asked is None or executable is None:
        raise NoAnswerError(f"{connector.label} was not found and cannot be asked")
    environment = {
        **probe_environment(options.environment),
        connector.registration.home_env: str(_home(connector, options)),
    }
    argv = [str(executable), *asked.arguments]
    limits = Limits(asked.timeout_s, MAX_REPLY_BYTES, MAX_REPLY_LINES)
    try:
        lines = converse(argv, _request(method, parameters), _is_answer, limits, environment)
    except (OSError, TimeoutError) as error:
        raise NoAnswerError(f"{connector.label} did not answer ({error})") from error
    answer = _object(lines[-1]).get("result")
    if not isinstance(answer, dict):
        raise NoAnswerError(f"{connector.label} does not know the question {method}")
    return answer


def _home(connector: Connector, options: Options) -> Path:
    return options.config_home or config_home(connector, options.environment)


def _request(method: str, parameters: Mapping[str, Any] | None) -> bytes:
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"clientInfo": _CLIENT}},
        {"method": "initialized"},
        {"id": _QUESTION_ID, "method": method, "params": parameters},
    ]
    return "".join(json.dumps({"jsonrpc": "2.0", **m}) + "\n" for m in messages).encode()


def _is_answer(line: bytes) -> bool:
    message = _object(line)
    return message.get("id") == _QUESTION_ID and ("result" in message or "error" in message)


def _object(line: bytes) -> dict[str, Any]:
    try:
        return parse_object(line, max_depth=_MAX_DEPTH)
    except JsonTextError:
        return {}


def _dicts(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _status(hook: Mapping[str, Any]) -> str:
    if hook.get("enabled") is False:
        return "disabled"
    return str(hook.get("trustStatus", _UNTRUSTED))
