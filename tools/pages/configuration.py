"""The page of settings: keys, values and defaults from the configuration's own types."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import fields
from enum import StrEnum

from defenseclaw.config import CONFIG_VERSION, ConnectorEntry, GuardSettings, StateSettings
from defenseclaw.core.limits import DEFAULT_PORT
from defenseclaw.core.posture import Posture
from tools.pages.markdown import code, table

HEAD = """\
# Configuration

All settings are in one file, `config.toml` in the data home (`~/.defenseclaw`, or what
`DEFENSECLAW_HOME` names). The commands write it and keep your comments; you may edit it as well. A
running gateway goes on with the values it read until a command changes them or
`defenseclaw-gateway reload` is run. A file with an unknown key or value in `gateway`, `guardrail`
or `analysis` is refused with its key and the allowed values: a stopped gateway does not start with
it, and a running one keeps what it had.

The file must belong to you and be private to you. It holds no secret.
"""
# What each setting means; the tests compare the keys with those that the reader accepts.
MEANING = {
    "config_version": "The format of the file.",
    "gateway.port": "The loopback port of the gateway. After a change run `setup` again for "
    "each agent: hooks name it.",
    "enabled": "The switch. A disabled agent has no registration; its settings are kept.",
    "mode": "`observe` judges and records, and never stops anything. `action` enforces.",
    "fail_mode": "What a hook answers when no verdict can be had, in both modes. Only the word "
    "`open` opens. See [fail modes](../explain/fail-modes.md).",
    "profile": "Which findings block, ask or alert. See [how a decision is made]"
    "(../explain/how-a-decision-is-made.md).",
    "human_approval": "Whether a HIGH finding may become a question to you where the agent can "
    "ask. When false it is an alert.",
    "block_message": "Text that replaces the reason an agent is shown on a block. The record "
    "keeps the reason. At most 500 characters; blank keeps the reason.",
    "rule_pack_dir": "A rule pack that is laid over the built-in rules, as an absolute path; for "
    'an agent, `""` means none. A folder named `strict` or `permissive` also sets the profile '
    "where none is set. See [rule packs](../guides/rule-packs.md).",
    "agent_version": "Written by `setup`: the version that it found.",
    "contract": "Written by `setup`: the reviewed contract that fits that version.",
    "config_home": "Written by `setup`: the agent's configuration folder.",
    "plugin_sha256": "Written by `setup`: the digest of the plugin that it installed.",
    "chains": "How far [ordered chains](../explain/ordered-chains.md) of calls count. `off` "
    "remembers nothing, `shadow` remembers and reports what would have been blocked, `on` blocks "
    "where the profile and the agent allow it.",
    "wrappers.command": "The program and its verbs. With `--` at the end the command line stands "
    "behind `--`, else it begins at the first word that is neither verb nor option.",
    "wrappers.options": "The program's own options that may stand before it, with their dashes; a "
    "value is marked by `=`, as in `--profile=`. An option that is not listed leaves the call "
    "not understood.",
    "gate": "How far the content of a shell script counts that a call is about to run: `off` reads "
    "none, `shadow` reports, `on` judges the call by it too.",
}
VARIABLES = {
    "DEFENSECLAW_HOME": "The data home, for the commands: an absolute path. Registered hooks never "
    "read it.",
    "DEFENSECLAW_STRICT_AVAILABILITY": "`1`, `true` or `yes` makes every hook fail closed. It can "
    "open nothing.",
    "DEFENSECLAW_FAIL_MODE": "`closed` makes hooks fail closed. Any other value changes nothing.",
    "DEFENSECLAW_TRACEPARENT": "A W3C trace context that hooks send along; nothing uses it yet.",
    "NO_COLOR": "Set to anything, output has no colours.",
}
EXAMPLE = """\
```toml
config_version = 1

[gateway]
port = 18970

[guardrail]
mode = "observe"
fail_mode = "closed"

[guardrail.connectors.codex]
mode = "action"
profile = "strict"
```
"""
WRAPPERS = """\
A program of your own that runs the rest of its words as a command, as in `mytool run -- npm test`.
Declare it, and what it runs is judged as if it were typed alone; undeclared, its words mean
nothing. The name of a program that is already understood is refused. `explain` names a declared
wrapper that it met; `config show --effective` lists them.

```toml
[[analysis.wrappers]]
command = "mytool run --"
options = ["-v", "--profile="]
```"""
ROW = ("key", "values", "default", "meaning")


def pages() -> Mapping[str, str]:
    """The page."""
    settings = list(_settings())
    entry = [_row(name, "text", "–", name) for name in _names(ConnectorEntry) if name != "settings"]
    state = [
        _row(f.name, _values(t), code(f.default.value), f.name) for f, t in _typed(StateSettings)
    ]
    wrappers = [
        _row("command", "text", "–", "wrappers.command"),
        _row("options", "list of texts", "none", "wrappers.options"),
    ]
    parts = (
        (
            "Top level",
            "",
            [_row("config_version", code(str(CONFIG_VERSION)), code("1"), "config_version")],
        ),
        ("[gateway]", "", [_row("port", "1–65535", code(str(DEFAULT_PORT)), "gateway.port")]),
        ("[guardrail]", "For every agent that does not say otherwise.", settings),
        (
            "[guardrail.connectors.AGENT]",
            "For one agent, by its key; an agent is configured when it has such a table. Every key "
            "of `[guardrail]` may stand here and wins over it. In addition:",
            entry,
        ),
        ("[[analysis.wrappers]]", WRAPPERS, wrappers),
        ("[guardrail.state]", 'One word for both, `state = "shadow"`, is accepted too.', state),
    )
    text = HEAD + "\n" + EXAMPLE
    for heading, about, rows in parts:
        text += f"\n## {heading}\n\n" + (about + "\n\n" if about else "") + table(ROW, rows)
    text += "\n## Environment\n\nNothing in the environment turns protection off.\n\n"
    text += table(("variable", "meaning"), [(code(k), v) for k, v in VARIABLES.items()])
    return {"configuration.md": text}


def _settings() -> Iterable[tuple[str, ...]]:
    default = Posture()
    for field, kind in _typed(GuardSettings):
        yield _row(field.name, _values(kind), _shown(getattr(default, field.name)), field.name)


def _row(key: str, values: str, default: str, meaning: str) -> tuple[str, ...]:
    return code(key), values, default, MEANING[meaning]


def _names(cls: type) -> list[str]:
    return [field.name for field in fields(cls)]


def _typed(cls: type) -> list[tuple[typing.Any, object]]:
    hints = typing.get_type_hints(cls)
    return [(field, hints[field.name]) for field in fields(cls)]


def _values(kind: object) -> str:
    options = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    found = next(option for option in options if option is not type(None))
    if found is bool:
        return "`true`, `false`"
    if isinstance(found, type) and issubclass(found, StrEnum):
        return ", ".join(code(word.value) for word in found)
    return "text"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return code(str(value).lower())
    return code(str(value)) if str(value) else "blank"
