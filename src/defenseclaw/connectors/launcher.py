"""The text of the registered launcher and of the settings file that it hands to the hook client.

The launcher's path is what an agent's settings name, so its content may change and its path never
does. It trusts nothing of the environment: a project's settings can set variables for it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from defenseclaw.connectors.api import Connector
from defenseclaw.connectors.registry import CONNECTORS
from defenseclaw.connectors.shapes import FAILURE_TEXT
from defenseclaw.core.event import Answer
from defenseclaw.core.verdict import FailMode

MARKER = "# defenseclaw-managed-hook v1"
TOMBSTONE_MARKER = "# defenseclaw-managed-hook v0"

# Names that the loader, the C library or the interpreter obey. Shell functions that a parent
# exported under the names of the built-ins used below are dropped as well, and so are options: a
# shell that is bash takes those of `SHELLOPTS`.
_FUNCTIONS = ("test", "read", "echo")
_VARIABLES = (
    "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT LD_DEBUG LD_DEBUG_OUTPUT LD_PROFILE LD_PROFILE_OUTPUT",
    "LD_BIND_NOW LD_BIND_NOT LD_DYNAMIC_WEAK LD_HWCAP_MASK LD_ORIGIN_PATH LD_ASSUME_KERNEL",
    "LD_SHOW_AUXV LD_TRACE_LOADED_OBJECTS LD_USE_LOAD_BIAS LD_VERBOSE LD_WARN GLIBC_TUNABLES",
    "GCONV_PATH LOCPATH NLSPATH MALLOC_TRACE MALLOC_CHECK_ HOSTALIASES RES_OPTIONS",
    "DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH DYLD_FALLBACK_LIBRARY_PATH",
    "DYLD_FALLBACK_FRAMEWORK_PATH DYLD_VERSIONED_LIBRARY_PATH DYLD_VERSIONED_FRAMEWORK_PATH",
    "DYLD_FORCE_FLAT_NAMESPACE DYLD_IMAGE_SUFFIX DYLD_ROOT_PATH DYLD_SHARED_REGION",
    "DYLD_PRINT_TO_FILE DYLD_PRINT_LIBRARIES",
    "PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PYTHONUSERBASE PYTHONPLATLIBDIR",
    "PYTHONEXECUTABLE PYTHONPYCACHEPREFIX PYTHONWARNINGS PYTHONBREAKPOINT PYTHONMALLOC",
    "PYTHONDUMPREFS PYTHONDUMPREFSFILE PYTHONPROFILEIMPORTTIME PYTHONTRACEMALLOC PYTHONVERBOSE",
    "PYTHONSAFEPATH PYTHONIOENCODING PYTHONUTF8 PYTHONCOERCECLOCALE PYTHONASYNCIODEBUG",
)

_LAUNCHER = """\
#!/bin/sh
{marker}
# Written by `defenseclaw setup`; do not edit. Connector {connector}, fail mode {fail_mode}.
set +e +u +v +x
unset -f {functions} 2>/dev/null
unset {variables}
python={python}
boot={boot}
conf={conf}
if test -x "$python" && test -r "$boot" && test -r "$conf"; then
  "$python" -I -S "$boot" "$conf" "$@"
  # An interpreter ends with 0 or 2 on its own as well, so the client's last word is another one.
  case $? in {let_go}) exit 0 ;; {refused}) exit 2 ;; esac
fi
{fallback}"""

_UNBOUND = """\
# No verdict and no client: a finished turn is let go, so that an agent cannot loop on it.
while read -r line || test -n "$line"; do
  case $line in
  *'"tool_name":'*) break ;;
  *'"stop_hook_active":true'* | *'"stop_hook_active": true'*) exit 0 ;;
  esac
done
echo {message} >&2
exit {status}
"""

_BOUND = """\
# {why}: the answer that each event needs.
case $1=$2 in
{cases}
esac
"""

# Exit statuses of a client that has answered. No shell, interpreter or signal uses them.
CLIENT_STATUS = {0: 40, 2: 42}

_TOMBSTONE = """\
#!/bin/sh
{marker}
# DefenseClaw was removed here; running agents may still name this file.
{answers}exit 0
"""

_MESSAGE = (
    "defenseclaw: hook client cannot run, {verb} this event (no policy was consulted);"
    " run `defenseclaw doctor`"
)


@dataclass(frozen=True, slots=True)
class HookSettings:
    """The values of one connector's hook: the only configuration that the client reads.

    ``python``, ``gateway`` and ``gateway_sha256`` let the client start a gateway that is down and
    has not changed; ``start`` is that command's arguments after the interpreter.
    """

    connector: str
    home: str
    address: str
    token_file: str
    fail_mode: FailMode
    python: str
    gateway: str = ""
    gateway_sha256: str = ""
    start: tuple[str, ...] = ()
    version: str = ""


class UnsafeValueError(ValueError):
    """A value cannot be written into a line of the settings file or the launcher."""


def launcher_name(connector: str) -> str:
    """The launcher's file below the data home."""
    return f"hooks/{connector}.sh"


def settings_name(connector: str) -> str:
    """The settings file below the data home."""
    return f"hooks/{connector}.conf"


def token_name(connector: str) -> str:
    """The token file below the data home."""
    return f"hooks/.hook-{connector}.token"


def settings_text(settings: HookSettings) -> str:
    """The settings file: one ``key=value`` a line; lists are separated by tabs."""
    lines = ["# Written by `defenseclaw setup`; do not edit."]
    for item in fields(settings):
        value = getattr(settings, item.name)
        parts = value if isinstance(value, tuple) else (str(value),)
        if any(is_unsafe(part) for part in parts):
            raise UnsafeValueError(item.name)
        lines.append(f"{item.name}=" + "\t".join(parts))
    return "\n".join(lines) + "\n"


def removed_settings_text(connector: str) -> str:
    """The settings file that stays where running agents still name it: the client lets all go."""
    return (
        "# DefenseClaw was removed here; running agents may still name this file.\n"
        f"connector={connector}\nremoved=yes\n"
    )


def launcher_text(settings: HookSettings, *, boot: str, settings_file: str) -> str:
    """The ``/bin/sh`` launcher of a connector; every path in it is absolute."""
    return _LAUNCHER.format(
        marker=MARKER,
        connector=settings.connector,
        fail_mode=settings.fail_mode.value,
        functions=" ".join(_FUNCTIONS),
        variables=" \\\n  ".join(_VARIABLES),
        python=quoted(settings.python),
        boot=quoted(boot),
        conf=quoted(settings_file),
        fallback=_fallback(settings),
        let_go=CLIENT_STATUS[0],
        refused=CLIENT_STATUS[2],
    )


def _fallback(settings: HookSettings) -> str:
    """What the launcher does where the client cannot run."""
    opens = settings.fail_mode is FailMode.OPEN
    connector = CONNECTORS[settings.connector]
    message = missing_text("allowing" if opens else "blocking")
    if not connector.registration.binds_events:
        return _UNBOUND.format(message=quoted(message), status=0 if opens else 2)
    reason = json.dumps(message)
    answers = {}
    for name in _event_names(connector):
        closed = connector.failure_answer(name, False)
        text = closed.stdout.replace(json.dumps(FAILURE_TEXT), reason)
        refused = replace(closed, stdout=text, stderr=message if closed.stderr else "")
        answers[name] = replace(connector.open_answer(name), stderr=message) if opens else refused
    return _BOUND.format(why="No verdict and no client", cases=_cases(answers))


def _event_names(connector: Connector) -> list[str]:
    return [*(spec.name for spec in connector.events), ""]


def _cases(answers: Mapping[str, Answer]) -> str:
    """The branches of a shell's ``case``: events with the same answer share one, the rest is last.

    Written with ``echo``, which some shells let read escapes: no answer holds a backslash.
    """
    by_answer: dict[Answer, list[str]] = {}
    for name, answer in answers.items():
        pattern = f"--event={name}" if name else "*"
        by_answer.setdefault(answer, []).append(pattern)
    rows = []
    for answer, patterns in sorted(by_answer.items(), key=lambda row: "*" in row[1]):
        if "\\" in answer.stdout + answer.stderr:
            raise UnsafeValueError("answer")
        says = [f"echo {quoted(answer.stdout.strip())};"] if answer.stdout.strip() else []
        says += [f"echo {quoted(answer.stderr.strip())} >&2;"] if answer.stderr.strip() else []
        told = "*" if "*" in patterns else " | ".join(patterns)
        rows.append("  ".join(["", f"{told})", " ".join([*says, f"exit {answer.exit}"]), ";;"]))
    return "\n".join(rows)


def tombstone_text(connector: Connector) -> str:
    """The inert script that stays where running agents still look for the launcher."""
    answers = {name: connector.open_answer(name) for name in _event_names(connector)}
    speaks = any(answer.stdout for answer in answers.values())
    text = _BOUND.format(why="Nothing is judged any more", cases=_cases(answers)) if speaks else ""
    return _TOMBSTONE.format(marker=TOMBSTONE_MARKER, answers=text)


def quoted(value: str) -> str:
    """A word for ``/bin/sh`` that stands for exactly these characters."""
    if is_unsafe(value):
        raise UnsafeValueError("path")
    return "'" + value.replace("'", "'\\''") + "'"


def missing_text(verb: str) -> str:
    """What is said where the client cannot run."""
    return _MESSAGE.format(verb=verb)


def interpreter_variables() -> tuple[str, ...]:
    """The variables that an interpreter obeys, in the launcher's own order."""
    return tuple(name for line in _VARIABLES for name in line.split() if name.startswith("PYTHON"))


def is_unsafe(value: str) -> bool:
    """Control characters would end the line or the word; lone surrogates cannot be written."""
    return any(c < " " or c == "\x7f" or "\ud800" <= c <= "\udfff" for c in value)
