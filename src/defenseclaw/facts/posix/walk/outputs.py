"""What a command substitution gives, where the text decides it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from defenseclaw.facts.inline.filters import FILTERS
from defenseclaw.facts.posix.expand.state import UNKNOWN, Kind, Scalar, Soft
from defenseclaw.facts.posix.syntax.quoting import unescape_echo
from defenseclaw.facts.posix.syntax.tree import AndOr, Pipeline, Sequence, Simple
from defenseclaw.facts.posix.walk.flow import Flow
from defenseclaw.facts.script import UNKNOWN_COMPONENT, Redirect, SimpleCommand, Word

DIRECTIVE = re.compile(r"%(?:(%)|([-+ 0#]*)([0-9]*)(?:\.([0-9]+))?([sbdicqxXou]))")
MAX_PRINTED = 64 * 1024  # characters; core.limits.MAX_COMMAND_BYTES bounds the source as well
HOLE = "\0"  # stands for what is not known; no word of a shell can hold it
MAX_DIRECTIVES = 64  # of one format; each may be padded to a thousand characters
PLAIN_DATE = re.compile(r"\+[A-Za-z0-9%_.,:-]+")
WIDE_DATE = re.compile(r"%[-_0^#]?[cDxrnth+]")  # these write blanks or slashes
# Commands that print numbers or single plain words, with the options that keep it so.
PLAIN_OUTPUT: dict[str, tuple[re.Pattern[str], str]] = {
    "nproc": (re.compile(r".*"), "4"),
    "seq": (re.compile(r"[0-9 ]+"), "1"),
    "id": (re.compile(r"-[ug]"), "1000"),
    "uname": (re.compile(r"(-[smrn])?"), "Linux"),
    "hostname": (re.compile(r"(-s)?"), "host"),
    "whoami": (re.compile(r""), "user"),
    "arch": (re.compile(r""), "x86_64"),
    "expr": (re.compile(r"[0-9 +*/%()-]+"), "1"),
    "wc": (re.compile(r"-[lwcm]"), "1"),
    "getconf": (re.compile(r"[A-Z_]+"), "1"),
    "git": (re.compile(r"rev-parse (--short(=[0-9]+)? )?HEAD"), "0000000"),
}
# Commands that print nothing when they work, and work for certain or are taken to.
SILENT = frozenset({"cd", "true", ":", "export", "set", "shopt", "local", "umask"})
QUIET = SILENT | {"test", "[", "mkdir", "touch", "rm", "cp", "mv", "ln", "chmod"}


def output_of(flow: Flow, body: Sequence, commands: list[SimpleCommand]) -> Scalar:
    """The output of a substitution whose own commands are given in order, without the last line
    ends; unknown unless the body is a plain list of commands that are known to work."""
    shape = list(plain_commands(body))
    if len(shape) != len(commands) or None in shape:
        return UNKNOWN
    pieces: list[Scalar] = []
    piped: Scalar | None = None
    for link, command in zip(shape, commands, strict=True):
        found = filtered(piped, command) if piped is not None else printed(flow, command)
        piped = found if link == "|" else None
        if link == "&&" and name_of(command) not in SILENT:
            return UNKNOWN
        if link != "|":
            pieces.append(found)
    return combined(pieces)


def plain_commands(body: Sequence) -> Iterator[str | None]:
    """What follows each simple command: ``;``, ``&&`` or ``|``; None if the list is not plain."""
    for item, background in body.items:
        if background:
            yield None
        nodes = item.items if isinstance(item, AndOr) else [("", item)]
        for at, (op, node) in enumerate(nodes):
            end = ";" if at == len(nodes) - 1 else "&&"
            if op == "||":
                yield None
            if isinstance(node, Simple):
                yield end
            elif isinstance(node, Pipeline) and all(isinstance(n, Simple) for n in node.commands):
                yield from ["|"] * (len(node.commands) - 1)
                yield None if node.negated else end
            else:
                yield None


def combined(pieces: list[Scalar]) -> Scalar:
    """Outputs in a row as one value."""
    if all(isinstance(piece, str) for piece in pieces):
        text = "".join(piece for piece in pieces if isinstance(piece, str))
        return text.rstrip("\n") if len(text) <= MAX_PRINTED else UNKNOWN
    soft = [piece for piece in pieces if piece != ""]
    return soft[0] if len(soft) == 1 else UNKNOWN


def name_of(command: SimpleCommand) -> str:
    """The command's name without its directory; empty for an assignment, unknown or a function."""
    word = command.words[0] if command.words else None
    if word is None or word.value is None or word.glob or command.function:
        return "" if word is None else "?"
    return posixpath.basename(word.value)


def printed(flow: Flow, command: SimpleCommand) -> Scalar:
    """What one command writes to standard output."""
    name = name_of(command)
    if not name:
        return UNKNOWN if command.redirects else ""
    if any(item.fd in (1, -1) for item in command.redirects):
        return UNKNOWN
    printer = PRINTERS.get(name)
    if printer is not None:
        return printer(flow, command)
    if name in QUIET:
        return ""
    if name in FILTERS and streams_of(command):
        return filtered_body(command)
    text = " ".join(word.value or "\0" for word in command.words[1:])
    plain = PLAIN_OUTPUT.get(name)
    return Soft(Kind.EXAMPLE, plain[1]) if plain and plain[0].fullmatch(text) else UNKNOWN


def operands(command: SimpleCommand) -> list[str] | None:
    """The argument values if all are known."""
    return known_values(command.words[1:])


def known_values(words: list[Word]) -> list[str] | None:
    """The values of words if all are known."""
    values = [word.value for word in words if not word.glob]
    known = [value for value in values if value is not None]
    return known if len(known) == len(words) else None


def like_inputs(words: list[Word], text: str, *, kept: bool = False) -> Scalar:
    """Text made of the arguments: an example if one of them is; ``kept`` with its line ends."""
    if not any(word.example for word in words):
        return text
    return Soft(Kind.EXAMPLE, text if kept else text.rstrip("\n"))


def print_echo(flow: Flow, command: SimpleCommand) -> Scalar:
    """``echo``."""
    words = command.words[1:]
    escapes, newline = False, "\n"
    while words and words[0].value is not None and re.fullmatch(r"-[neE]+", words[0].value):
        flags = words[0].value
        newline = "" if "n" in flags else newline
        escapes = ("e" in flags or escapes) and "E" not in flags
        words = words[1:]
    if any(word.value is None for word in words):
        first = words[0]
        known = (first.value or "") + " " if first.value is not None else first.prefix
        return Soft(Kind.UNKNOWN, known, words[-1].suffix if words[-1].value is None else "")
    text = " ".join(word.value or "" for word in words)
    if any(word.glob for word in words):
        return Soft(Kind.PATTERN, text) if len(words) == 1 else UNKNOWN
    if not escapes and len(words) == len(command.words) - 1 and unescape_echo(text) != text:
        return UNKNOWN  # bash prints it as it is, zsh and dash do not
    return like_inputs(words, (unescape_echo(text) if escapes else text) + newline)


def print_printf(flow: Flow, command: SimpleCommand) -> Scalar:
    """``printf`` with the common directives."""
    words = command.words[1:]
    return formatted_words(words[1:] if words and words[0].value == "--" else words)


def formatted_words(words: list[Word], *, kept: bool = False) -> Scalar:
    """A format and its arguments as ``printf`` writes them; ``kept``: into a variable."""
    if not words or words[0].value is None or words[0].value.startswith("-"):
        return UNKNOWN
    if any(word.glob for word in words):
        return UNKNOWN
    template = words[0].value
    arguments = [
        word.prefix + HOLE + word.suffix if word.value is None else word.value for word in words[1:]
    ]
    out: list[str] = []
    while True:
        before = len(arguments)
        piece = formatted(template, arguments)
        if piece is None:
            return UNKNOWN
        out.append(piece)
        if not arguments or len(arguments) == before:
            break
    return with_holes(words, "".join(out), kept=kept)


def with_holes(words: list[Word], text: str, *, kept: bool) -> Scalar:
    """Text made of words of which some are unknown; only its ends are known then."""
    if not any(word.value is None for word in words):
        return like_inputs(words, text, kept=kept)
    head, _, rest = text.partition(HOLE)
    return Soft(Kind.UNKNOWN, head, rest.rpartition(HOLE)[2].rstrip("\n"))


def formatted(template: str, arguments: list[str]) -> str | None:
    """The template filled once; used arguments are taken off the list."""
    out: list[str] = []
    at = 0
    for found in DIRECTIVE.finditer(template):
        out.append(unescape_echo(template[at : found.start()]))
        at = found.end()
        if found.group(1):
            out.append("%")
            continue
        value = arguments.pop(0) if arguments else ""
        piece = converted(found, value)
        if piece is None:
            return None
        out.append(piece)
        if len(out) > MAX_DIRECTIVES:
            return None
    rest = template[at:]
    return None if "%" in rest else "".join(out) + unescape_echo(rest)


def converted(found: re.Match[str], value: str) -> str | None:
    """One argument by its directive."""
    _, flags, width, precision, kind = found.groups()
    if kind in "di" and re.fullmatch(r"[-+]?[0-9]{1,18}|", value):
        text = str(int(value or "0"))
    elif kind in "sb":
        text = unescape_echo(value) if kind == "b" else value
        text = text[: int(precision)] if precision and len(precision) < 6 else text
    elif kind == "c":
        text = value[:1]
    else:
        return None
    if len(width) > 3:
        return None
    size = int(width or "0")
    if "-" in flags:
        return text.ljust(size)
    return text.rjust(size, "0" if "0" in flags and kind in "di" else " ")


def print_pwd(flow: Flow, command: SimpleCommand) -> Scalar:
    """``pwd``."""
    cwd = command.cwd
    if cwd is None:
        return UNKNOWN
    return cwd or flow.env.cwd or "."


def print_path(flow: Flow, command: SimpleCommand) -> Scalar:
    """``dirname`` and ``basename``."""
    words = command.words[1:]
    if words and words[0].value == "--":
        words = words[1:]
    elif any(word.value is None or word.value.startswith("-") for word in words):
        return UNKNOWN
    values = [word.value for word in words if word.value is not None]
    if not values or len(values) != len(words):
        return UNKNOWN
    if name_of(command) == "dirname":
        found = "\n".join(map(directory_part, values))
    elif len(values) > 2:
        return UNKNOWN
    else:
        text = last_part(values[0])
        suffix = values[1] if len(values) == 2 else ""
        found = text.removesuffix(suffix) if suffix != text else text
    return Soft(Kind.PATTERN, found) if words[0].glob else like_inputs(words, found)


def directory_part(path: str) -> str:
    """What ``dirname`` prints."""
    head = posixpath.dirname(path.rstrip("/") or path[:1])
    return head.rstrip("/") or ("/" if path[:1] == "/" else ".")


def last_part(path: str) -> str:
    """What ``basename`` prints."""
    short = path.rstrip("/") or path[:1]
    return posixpath.basename(short) or short


def print_resolved(flow: Flow, command: SimpleCommand) -> Scalar:
    """``realpath`` and ``readlink -f``, links aside."""
    values = operands(command)
    names = [value for value in values or [] if not value.startswith("-")]
    if len(names) != 1 or (name_of(command) == "readlink" and len(values or []) != 2):
        return UNKNOWN
    cwd = command.cwd or (flow.env.cwd if command.cwd == "" else None)
    if not cwd and not names[0].startswith("/"):
        return UNKNOWN
    return like_inputs(command.words, posixpath.normpath(posixpath.join(cwd or "/", names[0])))


def print_mktemp(flow: Flow, command: SimpleCommand) -> Scalar:
    """``mktemp``: a fresh path, under the temporary folder unless a template says otherwise."""
    values = operands(command)
    if values is None:
        return UNKNOWN
    folder, names, bare = "/tmp", [], True  # noqa: S108
    at = 0
    while at < len(values):
        value = values[at]
        if value in ("-p", "--tmpdir") and at + 1 < len(values) and value == "-p":
            folder, at, bare = values[at + 1], at + 1, False
        elif value.startswith("--tmpdir="):
            folder, bare = value.partition("=")[2], False
        elif value in ("-t", "--tmpdir"):
            bare = False
        elif not value.startswith("-"):
            names.append(value)
        at += 1
    name = names[0] if names else "tmp.XXXXXXXXXX"
    name = re.sub(r"X{3,}", lambda run: "0" * len(run.group()), name)
    inside = not names or not bare
    return Soft(Kind.EXAMPLE, posixpath.join(folder, name) if inside else name)


def print_date(flow: Flow, command: SimpleCommand) -> Scalar:
    """``date`` with a format of plain characters."""
    formats = [
        word.value or "" for word in command.words[1:] if (word.value or "+").startswith("+")
    ]
    plain = len(formats) == 1 and PLAIN_DATE.fullmatch(formats[0])
    if not plain or WIDE_DATE.search(formats[0]):
        return UNKNOWN
    return Soft(Kind.EXAMPLE, "20000101")


def print_found(flow: Flow, command: SimpleCommand) -> Scalar:
    """``which`` and ``command -v``: a path that ends in the name; the search path decides which."""
    values = operands(command) or []
    options = [value for value in values if value.startswith("-")]
    names = [value for value in values if not value.startswith("-")]
    looks = options == ([] if name_of(command) == "which" else FINDING[name_of(command)])
    if len(names) != 1 or not looks or not PROGRAM.fullmatch(names[0]):
        return UNKNOWN
    return Soft(Kind.EXAMPLE, f"/usr/{UNKNOWN_COMPONENT}/{names[0]}")


FINDING = {"command": ["-v"], "type": ["-P"]}
PROGRAM = re.compile(r"[A-Za-z0-9_.+-]+")

PRINTERS: dict[str, Callable[[Flow, SimpleCommand], Scalar]] = {
    "echo": print_echo,
    "printf": print_printf,
    "pwd": print_pwd,
    "dirname": print_path,
    "basename": print_path,
    "realpath": print_resolved,
    "readlink": print_resolved,
    "mktemp": print_mktemp,
    "date": print_date,
    "which": print_found,
    "command": print_found,
    "type": print_found,
}


# --- filters ---


def filtered(text: Scalar, command: SimpleCommand) -> Scalar:
    """What a filter makes of known input."""
    values = operands(command)
    run = FILTERS.get(name_of(command))
    if run is None or values is None or not isinstance(text, str) or streams_of(command):
        return UNKNOWN
    found = run(text, values)
    return UNKNOWN if found is None else found


def streams_of(command: SimpleCommand) -> list[Redirect]:
    """The redirections that change what a command reads or prints."""
    return [item for item in command.redirects if item.fd in (0, 1, -1)]


def filtered_body(command: SimpleCommand) -> Scalar:
    """The same for a here-document or here-string as the only redirection."""
    inputs = streams_of(command)
    own = inputs[-1] if len(inputs) == 1 and inputs[0].fd == 0 else None
    run, values = FILTERS.get(name_of(command)), operands(command)
    if run is None or values is None or own is None or own.body is None or not own.body_static:
        return UNKNOWN
    found = run(own.body, values)
    return UNKNOWN if found is None else found
