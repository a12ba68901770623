"""Records that make an agent run hooks which the user has not been asked about.

``hooks-state``: in the same file, keyed by file, event and position, the digest of the handler. The
person who runs setup consents to our handlers and to nothing else.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from defenseclaw.setup.model import HOOKS, Hook, Slot
from defenseclaw.setup.plan import STATE, Planned

NO_TRUST = "has no valid record of consent"
_HASH_KEY = "trusted_hash"
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def trust_key(source: str, event: str, slot: Slot) -> str:
    """The name of one handler's record."""
    return f"{source}:{_CAPITAL.sub('_', event).lower()}:{slot[0]}:{slot[1]}"


def trusted_hash(hook: Hook) -> str:
    """The digest that the agent computes over one handler."""
    handler = {
        "async": hook.is_async,
        "command": hook.command,
        "timeout": max(1, hook.timeout),
        "type": "command",
    }
    value: dict[str, Any] = {
        "event_name": _CAPITAL.sub("_", hook.event).lower(),
        "hooks": [handler],
    }
    if hook.matcher is not None:
        value["matcher"] = hook.matcher
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def expected_records(
    wanted: Sequence[Hook], slots: Mapping[str, Slot], sources: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """The records of all handlers under every name that the file may be known by."""
    return {
        trust_key(source, hook.event, slots[hook.event]): {_HASH_KEY: trusted_hash(hook)}
        for source in sources
        for hook in wanted
        if hook.event in slots
    }


def with_records(
    planned: Planned, wanted: Sequence[Hook], sources: Sequence[str]
) -> dict[str, Any]:
    """The planned data with our records set and the records of places that we left removed."""
    records = expected_records(wanted, planned.slots, sources)
    left = {trust_key(s, event, slot) for s in sources for event, slot in planned.previous}
    data = copy.deepcopy(planned.data)
    old = data.get(HOOKS, {}).get(STATE, {})
    kept = {key: value for key, value in old.items() if key not in left or key in records}
    state = {**kept, **{key: _renewed(old.get(key), record) for key, record in records.items()}}
    if state:
        data.setdefault(HOOKS, {})[STATE] = state
    elif old:
        del data[HOOKS][STATE]
        if not data[HOOKS]:
            del data[HOOKS]
    return data


def _renewed(old: object, record: dict[str, Any]) -> dict[str, Any]:
    """A record brought up to date; what the user switched off is on again after a setup."""
    kept = old if isinstance(old, dict) else {}
    return {**{k: v for k, v in kept.items() if v is not False}, **record}


def record_problems(
    data: Mapping[str, Any],
    wanted: Sequence[Hook],
    slots: Mapping[str, Slot],
    sources: Sequence[str],
) -> list[str]:
    """The records that are missing, outdated or switched off."""
    state = data.get(HOOKS, {}).get(STATE, {})
    problems = []
    for key, record in expected_records(wanted, slots, sources).items():
        entry = state.get(key, {})
        valid = isinstance(entry, dict) and {**entry, **record} == entry
        if not valid or entry.get("enabled") is False:
            problems.append(f"{HOOKS}.{STATE} {key} {NO_TRUST}")
    return problems
