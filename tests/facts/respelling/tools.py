"""Other spellings of the arguments of typed tools: the same file, the same place, the same JSON.

A tool takes a path as it stands, but for a leading tilde, so variables of the shell are no
spellings here. URLs are read as browsers and agents read them.
"""

from __future__ import annotations

import json
import posixpath
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from defenseclaw.core.jsontext import parse_object
from defenseclaw.core.tool import FieldRole, ToolCall
from defenseclaw.facts import GLOBAL_TOOLS
from defenseclaw.rules import ExampleForm
from defenseclaw.rules.proof import call_of
from tests.facts.respelling.judge import CWD, HOME, pack

Rewrite = Callable[[ToolCall, random.Random], ToolCall | None]  # None: it does not apply here
Change = Callable[[str, random.Random], str | None]
DEPTH = 8  # of the arguments of any example, and more
WIDE = 0xFEE0  # from an ASCII character to its full-width form
DEFAULT_PORTS = {"http": 80, "https": 443}
DEEPEST = 3


@dataclass(frozen=True, slots=True)
class ToolRespelling:
    """One way to say the same in a tool's arguments."""

    name: str
    rewrite: Rewrite


@dataclass(frozen=True, slots=True)
class RespelledCall:
    """A call in another spelling, and the steps that made it."""

    plain: ToolCall
    call: ToolCall
    names: tuple[str, ...]


def tool_seeds() -> list[ToolCall]:
    """The tool calls of all rules' matching examples."""
    examples = [e for rule in pack().rules for e in rule.examples]
    shown = [e for e in examples if e.form is ExampleForm.TOOL and e.matches]
    calls = [call_of(example, GLOBAL_TOOLS) for example in shown]
    return [replace(call, cwd=CWD, home=HOME) for call in calls if call.spec is not None]


def fields(call: ToolCall, *roles: FieldRole) -> list[str]:
    """The names of the text arguments with one of the roles."""
    known = {} if call.spec is None else call.spec.fields
    return [n for n, v in call.args.items() if known.get(n) in roles and isinstance(v, str)]


def _on(change: Change, *roles: FieldRole) -> Rewrite:
    def rewrite(call: ToolCall, chance: random.Random) -> ToolCall | None:
        names = fields(call, *roles)
        if not names:
            return None
        name = chance.choice(names)
        changed = change(str(call.args[name]), chance)
        return None if changed is None else replace(call, args={**call.args, name: changed})

    return rewrite


# --- paths ---


def _path(change: Change) -> Rewrite:
    return _on(change, FieldRole.PATH, FieldRole.DESTINATION)


def _at_slash(*insertions: str) -> Change:
    """Something that means nothing in the place of one slash."""

    def change(value: str, chance: random.Random) -> str | None:
        slashes = [i for i, c in enumerate(value) if c == "/"]
        if not slashes:
            return None
        at = chance.choice(slashes)
        return value[:at] + chance.choice(insertions) + value[at + 1 :]

    return change


def _above_root(value: str, _: random.Random) -> str | None:
    return f"/..{value}" if value.startswith("/") else None


def _tilde(value: str, _: random.Random) -> str | None:
    return f"~{value.removeprefix(HOME)}" if value.startswith(f"{HOME}/") else None


def _absolute(value: str, _: random.Random) -> str | None:
    return HOME + value[1:] if value.startswith("~/") else None


def _relative(value: str, chance: random.Random) -> str | None:
    if not value.startswith("/"):
        return None
    return chance.choice(("", "./", "./././")) + posixpath.relpath(value, CWD)


# --- places ---


def _url(change: Callable[[str, str, str, random.Random], str | None]) -> Rewrite:
    """A change that is given scheme, host and the rest, which begins with a slash."""

    def apart(value: str, chance: random.Random) -> str | None:
        scheme, mark, behind = value.partition("://")
        host, slash, rest = behind.partition("/")
        plain = mark and slash and host and re.fullmatch(r"[A-Za-z0-9.-]+", host)
        return change(scheme, host, "/" + rest, chance) if plain and scheme.isalpha() else None

    return _on(apart, FieldRole.URL)


def _host_case(scheme: str, host: str, rest: str, chance: random.Random) -> str | None:
    return f"{scheme}://{''.join(chance.choice((c, c.upper())) for c in host)}{rest}"


def _scheme_case(scheme: str, host: str, rest: str, _: random.Random) -> str | None:
    return f"{scheme.swapcase()}://{host}{rest}"


def _trailing_dot(scheme: str, host: str, rest: str, _: random.Random) -> str | None:
    return None if host.endswith(".") else f"{scheme}://{host}.{rest}"


def _default_port(scheme: str, host: str, rest: str, _: random.Random) -> str | None:
    port = DEFAULT_PORTS.get(scheme.lower())
    return f"{scheme}://{host}:{port}{rest}" if port else None


def _empty_port(scheme: str, host: str, rest: str, _: random.Random) -> str | None:
    return f"{scheme}://{host}:{rest}"


def _user(scheme: str, host: str, rest: str, chance: random.Random) -> str | None:
    return f"{scheme}://{chance.choice(('me', 'me:', 'docs.example.test'))}@{host}{rest}"


def _coded_path(scheme: str, host: str, rest: str, chance: random.Random) -> str | None:
    places = [i for i, c in enumerate(rest.partition("?")[0]) if c.isalnum()]
    if not places:
        return None
    at = chance.choice(places)
    return f"{scheme}://{host}{rest[:at]}%{ord(rest[at]):02{chance.choice('xX')}}{rest[at + 1 :]}"


def _coded_host(scheme: str, host: str, rest: str, chance: random.Random) -> str | None:
    at = chance.randrange(len(host))
    return f"{scheme}://{host[:at]}%{ord(host[at]):02x}{host[at + 1 :]}{rest}"


def _wide_host(scheme: str, host: str, rest: str, chance: random.Random) -> str | None:
    at = chance.randrange(len(host))
    return f"{scheme}://{host[:at]}{chr(ord(host[at]) + WIDE)}{host[at + 1 :]}{rest}"


def _soft_hyphen(scheme: str, host: str, rest: str, chance: random.Random) -> str | None:
    at = chance.randrange(1, len(host))
    return f"{scheme}://{host[:at]}\u00ad{host[at:]}{rest}"


def _slashes(scheme: str, host: str, rest: str, chance: random.Random) -> str | None:
    return f"{scheme}:{chance.choice(('/', '///', chr(92) * 2, ''))}{host}{rest}"


def _control(scheme: str, host: str, rest: str, chance: random.Random) -> str | None:
    at = chance.randrange(len(host))
    mark = chance.choice("\t\n\r")
    return f"{scheme}://{host[:at]}{mark}{host[at:]}{rest}"


def _blanks(scheme: str, host: str, rest: str, chance: random.Random) -> str | None:
    return chance.choice((" {}", "{} ", "\t{}\n")).format(f"{scheme}://{host}{rest}")


def _fragment(scheme: str, host: str, rest: str, _: random.Random) -> str | None:
    return None if "#" in rest else f"{scheme}://{host}{rest}#top"


def _dots(scheme: str, host: str, rest: str, chance: random.Random) -> str | None:
    return f"{scheme}://{host}{chance.choice(('/.', '/x/..', '/x/%2e%2E'))}{rest}"


# --- the arguments as JSON, and their names ---


def _json(write: Callable[[dict[str, object]], str]) -> Rewrite:
    """The arguments written in another way and read again."""

    def rewrite(call: ToolCall, _: random.Random) -> ToolCall | None:
        return replace(call, args=parse_object(write(dict(call.args)).encode(), max_depth=DEPTH))

    return rewrite


def _reversed(args: dict[str, object]) -> str:
    return json.dumps(dict(reversed(args.items())))


def _escaped(args: dict[str, object]) -> str:
    """Every letter of keys and values as its code."""
    text = json.dumps(args, ensure_ascii=True)
    return "".join(f"\\u{ord(c):04x}" if _is_inside(text, i) else c for i, c in enumerate(text))


def _is_inside(text: str, at: int) -> bool:
    """A letter of a string that belongs to no escape; literals hold letters too."""
    before = text[:at].replace("\\\\", "").replace('\\"', "")
    return text[at].isalpha() and before.count('"') % 2 == 1 and "\\" not in text[at - 5 : at]


def _spread(args: dict[str, object]) -> str:
    return json.dumps(args, indent="\t", separators=(" , ", " : ")).replace("/", "\\/")


def _other_field(call: ToolCall, chance: random.Random) -> ToolCall | None:
    """Another of the names that the tool takes for the same."""
    spec = call.spec
    found = fields(call, FieldRole.PATH, FieldRole.URL)
    if spec is None or len(found) != 1:
        return None
    role = spec.fields[found[0]]
    others = [name for name, other in spec.fields.items() if other is role and name != found[0]]
    if not others:
        return None
    value = call.args[found[0]]
    rest = {name: v for name, v in call.args.items() if name != found[0]}
    return replace(call, args={chance.choice(others): value, **rest})


def _other_tool(call: ToolCall, chance: random.Random) -> ToolCall | None:
    """Another tool of the family that takes all these arguments as the same."""
    spec = call.spec
    if spec is None:
        return None
    roles = {name: spec.fields.get(name) for name in call.args}
    others = [
        other
        for other in GLOBAL_TOOLS.values()
        if other.name != spec.name
        and (other.family, other.variants, other.marks) == (spec.family, spec.variants, spec.marks)
        and all(other.fields.get(name) is role for name, role in roles.items())
    ]
    if not others:
        return None
    other = chance.choice(others)
    return replace(call, tool=other.name, spec=other)


TOOL_RESPELLINGS = (
    ToolRespelling("dot-component", _path(_at_slash("/./", "/././"))),
    ToolRespelling("doubled-slash", _path(_at_slash("//", "///"))),
    ToolRespelling("parent-component", _path(_at_slash("/tmp/../", "/a/b/../../", "/x/./../"))),
    ToolRespelling("above-root", _path(_above_root)),
    ToolRespelling("tilde", _path(_tilde)),
    ToolRespelling("home", _path(_absolute)),
    ToolRespelling("relative", _path(_relative)),
    ToolRespelling("host-case", _url(_host_case)),
    ToolRespelling("scheme-case", _url(_scheme_case)),
    ToolRespelling("trailing-dot", _url(_trailing_dot)),
    ToolRespelling("default-port", _url(_default_port)),
    ToolRespelling("empty-port", _url(_empty_port)),
    ToolRespelling("user", _url(_user)),
    ToolRespelling("coded-path", _url(_coded_path)),
    ToolRespelling("coded-host", _url(_coded_host)),
    ToolRespelling("wide-host", _url(_wide_host)),
    ToolRespelling("soft-hyphen", _url(_soft_hyphen)),
    ToolRespelling("slashes", _url(_slashes)),
    ToolRespelling("control-character", _url(_control)),
    ToolRespelling("blanks-around", _url(_blanks)),
    ToolRespelling("fragment", _url(_fragment)),
    ToolRespelling("dots-in-url", _url(_dots)),
    ToolRespelling("key-order", _json(_reversed)),
    ToolRespelling("unicode-escapes", _json(_escaped)),
    ToolRespelling("spread-json", _json(_spread)),
    ToolRespelling("other-field", _other_field),
    ToolRespelling("other-tool", _other_tool),
)


def respelled_calls(calls: Sequence[ToolCall], chains: int, seed: int) -> Iterator[RespelledCall]:
    """Every single respelling of each call, then so many deeper chains."""
    chance = random.Random(seed)
    tries = [(call, (step,)) for call in calls for step in TOOL_RESPELLINGS]
    for _ in range(chains):
        steps = tuple(chance.sample(TOOL_RESPELLINGS, chance.randint(2, DEEPEST)))
        tries.append((chance.choice(calls), steps))
    for plain, steps in tries:
        call, names = plain, []
        for step in steps:
            made = step.rewrite(call, chance)
            if made is not None:
                call = made
                names.append(step.name)
        if names:
            yield RespelledCall(plain, call, tuple(names))
