"""A closed reader of short Perl, Ruby, JavaScript, PHP and Lua bodies.

It splits the text into names, strings and signs, and looks at every name that can reach files,
programs, the network or code. A reach with constant arguments becomes an effect; any other reach,
and text that cannot be split for certain, make the reading incomplete. A body without such a name
does nothing outside itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container

from defenseclaw.core.facts import NetworkAction, PathAccess
from defenseclaw.core.labels import Trait
from defenseclaw.facts.inline.known import settle
from defenseclaw.facts.inline.model import (
    ArgvEffect,
    CodeEffect,
    FileEffect,
    NetworkEffect,
    Reading,
    ShellEffect,
    TraitEffect,
)
from defenseclaw.facts.inline.script_reach import files_read, hands_on, is_listed, reaches_by_value
from defenseclaw.facts.inline.tokens import Token, Unreadable, rough_tokens, split_tokens
from defenseclaw.facts.tables.script_calls import LANGUAGES, Language

MAX_CALLS = 128  # outward calls that are looked at; more is no one-liner
MAX_ARGUMENT_TOKENS = 400  # of one call
MAX_BODY = 16 * 1024  # longer bodies are files in disguise: not read, never complete
MESSAGES = frozenset({"send", "__send__", "public_send"})  # of Ruby: their first word is a name
_HOST = re.compile(r"(?:[\w-]+\.)+[\w-]+")


def reader(language: str) -> Callable[[str, str], Reading]:
    """The reader of one language."""
    table = LANGUAGES[language]

    def read(text: str, home: str) -> Reading:
        reading = Reading()
        if len(text) > MAX_BODY:
            reading.fail()
            return reading
        try:
            tokens = split_tokens(text, language, table)
        except Unreadable:
            tokens = rough_tokens(text)
            reading.fail()
        settled = settle(tokens, language, home)
        named = named_directly(settled) if table.messages else settled
        _Calls(reading, language, table, named).run()
        return reading

    return read


def named_directly(tokens: list[Token]) -> list[Token]:
    """``send(:name, …)`` is a call of the name."""
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token.kind != "name" or token.text not in MESSAGES:
            out.append(token)
            continue
        closed = at < len(tokens) and tokens[at].text == "("
        first = at + closed
        symbol = first + 1 < len(tokens) and tokens[first].text == ":"
        name = tokens[first + symbol] if first + symbol < len(tokens) else token
        after = first + symbol + 1
        comma = after < len(tokens) and tokens[after].text == ","
        if not comma or name.text is None or name.kind != ("name" if symbol else "string"):
            out.append(token)
            continue
        out.append(Token("name", name.text))
        out += tokens[at:first]
        at = after + 1
    return out


class _Calls:
    """Looks at every name that reaches outside."""

    def __init__(
        self, reading: Reading, language: str, table: Language, tokens: list[Token]
    ) -> None:
        self.reading, self.language, self.table, self.tokens = reading, language, table, tokens
        names = {t.text for t in tokens if t.kind == "name"}
        strings = {(t.text or "").removeprefix("node:") for t in tokens if t.kind == "string"}
        present = names | {s.partition("/")[0] for s in strings}
        self.armed = not table.needs or any(word in present for word in table.needs)
        self.connects = self.listens = self.wires = self.spawns = False
        self.calls = 0

    def run(self) -> None:
        for index, token in enumerate(self.tokens):
            if token.kind == "shell":
                self.spawns = True
                self.reading.add(ShellEffect(token.text))
            elif token.kind == "name" and token.text is not None:
                self._name(index, token.text)
        self._computed_calls()
        self._conclude()

    def _computed_calls(self) -> None:
        """Calls through a computed name: ``&$f``, ``x[…](…)``, ``${"…"}``."""
        signs = "".join((t.text or "") if t.kind == "sign" else "\0" for t in self.tokens)
        if (
            self.language == "js"
            and ("](" in signs and '"' not in signs)
            and self._computed_member()
        ):
            self.reading.fail()
        if reaches_by_value(self.tokens, self.language) or (self.table.named and ")(" in signs):
            self.reading.fail()
        if self.language == "perl" and ("&$" in signs or "&{" in signs or "->$" in signs):
            self.reading.fail()

    def _computed_member(self) -> bool:
        """``a["b" + "c"](…)``: a member whose name is built at run time, then called."""
        for index, token in enumerate(self.tokens[:-1]):
            if token.text == "]" and self.tokens[index + 1].text == "(":
                inner = self.tokens[index - 1]
                if inner.kind not in ("number",) and not (
                    inner.kind == "name" and self.tokens[index - 2].text == "["
                ):
                    return True
        return False

    def _name(self, index: int, name: str) -> None:
        bare = name.lstrip("&")
        if name[:1] in "$@%" or (bare in self.table.only_with and not self.armed):
            return
        if self.table.called and hands_on(self.tokens, index, self.language):
            self.reading.fail()
            return
        if self.table.called and is_listed(self.tokens, index, self.language):
            return
        for known, handler in _HANDLERS:
            if bare in known(self.table):
                self.calls += 1
                if self.calls > MAX_CALLS:
                    self.reading.fail()
                else:
                    handler(self, index, bare)
                return
        if bare in ("dup2", "reopen", "fdopen"):
            self.wires = True

    def arguments(self, index: int) -> list[list[Token]] | None:
        """The arguments of the call at a name, split at commas; None if it is no call."""
        at = index + 1
        if at < len(self.tokens) and self.tokens[at].text == ".":
            return None
        closed = at < len(self.tokens) and self.tokens[at].text == "("
        at += closed
        found: list[list[Token]] = [[]]
        depth = 0
        last = min(len(self.tokens), at + MAX_ARGUMENT_TOKENS)
        while at < last:
            token = self.tokens[at]
            if token.kind == "sign" and (token.text or "") in "([{":
                depth += 1
            elif token.kind == "sign" and (token.text or "") in ")]}":
                depth -= 1
                if depth < 0:
                    break
            elif token.kind == "sign" and token.text == ";" and depth == 0:
                break
            if token.kind == "sign" and token.text == "," and depth == 0:
                found.append([])
            else:
                found[-1].append(token)
            at += 1
        return found if found != [[]] else []

    @staticmethod
    def constant(argument: list[Token]) -> str | None:
        """The text of an argument that is one string, or strings joined by signs."""
        if len(argument) == 1 and argument[0].kind == "string":
            return argument[0].text
        if len(argument) % 2 == 1 and all(
            t.kind == "string" if i % 2 == 0 else t.text in ("+", ".")
            for i, t in enumerate(argument)
        ):
            parts = [t.text for t in argument[::2]]
            return "".join(p for p in parts if p is not None) if None not in parts else None
        return None

    def words(self, argument: list[Token]) -> list[str | None]:
        """The strings of a list argument."""
        if argument and argument[0].text in ("[", "("):
            inner = argument[1:-1]
            return [t.text if t.kind == "string" else None for t in inner if t.text != ","]
        return [self.constant(argument)]

    def shell(self, index: int, name: str) -> None:
        found = self.arguments(index)
        if found is None:
            return
        self.spawns = True
        if not found:
            self.reading.add(ShellEffect(None))
            return
        if self.language in ("php", "js") or len(found) == 1:
            if len(found[0]) > 1 and found[0][0].text in ("[", "("):
                self.reading.add(ArgvEffect(tuple(self.words(found[0]))))
            else:
                self.reading.add(ShellEffect(self.constant(found[0])))
            return
        self.reading.add(ArgvEffect(tuple(self.constant(a) for a in found)))

    def argv(self, index: int, name: str) -> None:
        found = self.arguments(index)
        if not found:
            return
        self.spawns = True
        words: list[str | None] = [self.constant(found[0])]
        if len(found) > 1 and found[1] and found[1][0].text == "[":
            words += self.words(found[1])
        self.reading.add(ArgvEffect(tuple(words)))

    def file(self, path: str | None, accesses: tuple[PathAccess, ...], recursive: bool) -> None:
        for access in accesses:
            if path is None and access in (PathAccess.READ, PathAccess.LIST):
                continue
            self.reading.add(FileEffect(path, access, recursive))
            if path is None:
                self.reading.fail()

    def files(self, index: int, name: str) -> None:
        found = self.arguments(index) or []
        for position, accesses in self.table.files[name]:
            if position < len(found) and found[position]:
                path = self.constant(found[position])
                self.file(path, accesses, name in self.table.recursive)

    def every_file(self, index: int, name: str) -> None:
        for argument in self.arguments(index) or [[]]:
            for path in self.words(argument):
                self.file(path, self.table.every_file[name], name in self.table.recursive)

    def open(self, index: int, name: str) -> None:
        """Perl and Ruby open: the mode decides, and a pipe runs a program."""
        found = self.arguments(index)
        owner = self.tokens[index - 2].text if index > 1 else ""
        if not found or owner in self.table.sockets:
            return
        texts = [self.constant(a) for a in found]
        if self.language == "perl":
            texts = texts[1:]
        if not texts or texts[0] is None:
            self.reading.fail()
        elif self.language == "perl":
            self._perl_open(texts)
        else:
            self._mode_open(texts)

    def _perl_open(self, texts: list[str | None]) -> None:
        mode = (texts[0] or "").strip()
        if "|" in mode:
            self.spawns = True
            command = " ".join(t or "" for t in texts[1:]) if len(texts) > 1 else mode.strip("|")
            known = command.strip() if None not in texts else None
            self.reading.add(ShellEffect(known, fed=mode.startswith("|")))
        elif "&" in mode:
            self.wires = True
        else:
            path = texts[1] if len(texts) > 1 else mode.lstrip("<>+ ")
            access = PathAccess.READ
            if ">" in mode:
                access = PathAccess.APPEND if ">>" in mode else PathAccess.WRITE
            self.file(path, (access,), False)

    def _mode_open(self, texts: list[str | None]) -> None:
        path, mode = texts[0] or "", (texts[1] if len(texts) > 1 else "r") or "r"
        if path.startswith("|"):
            self.reading.add(ShellEffect(path[1:]))
        elif "://" in path:
            self.reading.add(NetworkEffect(NetworkAction.DOWNLOAD, path))
        else:
            writes = any(c in mode for c in "wax+")
            access = PathAccess.APPEND if "a" in mode else PathAccess.WRITE
            self.file(path, (access if writes else PathAccess.READ,), False)

    def evaluate(self, index: int, name: str) -> None:
        following = self.tokens[index + 1].text if index + 1 < len(self.tokens) else ""
        if following == "{" and name in self.table.block_safe:
            return
        found = self.arguments(index)
        if not found:
            return
        self.reading.add(CodeEffect(self.language, self.constant(found[-1])))

    def opaque(self, index: int, name: str) -> None:
        following = self.tokens[index + 1] if index + 1 < len(self.tokens) else Token("sign", "")
        if following.text == "{" and name in self.table.block_safe:
            return
        named = following.kind in ("name", "number", "string") and following.text is not None
        if not (named and name in ("require", "include", "include_once", "require_once")):
            self.reading.fail()

    def socket(self, index: int, name: str) -> None:
        if name == "TCPServer":
            self.listens = True
        else:
            self.connects = True
        hosts = [
            t.text for t in self.tokens if t.kind == "string" and _HOST.fullmatch(t.text or "")
        ]
        target = hosts[0] if hosts else None
        self.reading.add(NetworkEffect(NetworkAction.CONNECT, target, 0, "tcp"))

    def fetch(self, index: int, name: str) -> None:
        found = self.arguments(index)
        text = self.constant(found[0]) if found else None
        if text is not None and "://" in text:
            self.reading.add(NetworkEffect(NetworkAction.DOWNLOAD, text))
        elif text is not None and self.language == "php":
            self.file(text, (PathAccess.READ,), False)

    def send(self, index: int, name: str) -> None:
        """A request; the address and the files that are read stand among its arguments."""
        found = self.arguments(index) or []
        flat = [token for argument in found for token in argument]
        texts = [t.text or "" for t in flat if t.kind == "string"]
        address = next((text for text in texts if "://" in text), None)
        files = files_read(flat, self.table)
        sends = name != "fetch" or files or not _SENDING.isdisjoint(w.upper() for w in texts)
        if address is not None:
            action = NetworkAction.UPLOAD if sends else NetworkAction.DOWNLOAD
            self.reading.add(NetworkEffect(action, address, 0, "http", files))

    def _conclude(self) -> None:
        names = {t.text for t in self.tokens if t.kind == "name"}
        strings = [t.text or "" for t in self.tokens if t.kind == "string"]
        wired = {"STDIN", "STDOUT"} <= names or "pipe" in names or "proc_open" in names
        self.wires = self.wires or wired or any("<&" in s for s in strings)
        if self.spawns and self.connects and self.wires:
            self.reading.add(TraitEffect(Trait.REVERSE_SHELL))
        elif self.spawns and self.listens and self.wires:
            self.reading.add(TraitEffect(Trait.SHELL_LISTENER))
        texts = [t.text for t in self.tokens if t.kind in ("name", "sign")]
        if texts[:4] in (["fork", "while", "fork"], ["fork", "while", "fork", ";"]) or (
            texts[:4] == ["loop", "{", "fork", "}"]
        ):
            self.reading.effects.clear()
            self.reading.add(TraitEffect(Trait.FORK_BOMB))
            self.reading.complete = True


_SENDING = frozenset({"POST", "PUT", "PATCH"})
_Handler = Callable[[_Calls, int, str], None]
_HANDLERS: tuple[tuple[Callable[[Language], Container[str]], _Handler], ...] = (
    (lambda t: t.runs_text, _Calls.shell),
    (lambda t: t.runs_words, _Calls.argv),
    (lambda t: t.every_file, _Calls.every_file),
    (lambda t: t.files, _Calls.files),
    (lambda t: t.openers, _Calls.open),
    (lambda t: t.evaluate, _Calls.evaluate),
    (lambda t: t.sockets, _Calls.socket),
    (lambda t: t.fetch, _Calls.fetch),
    (lambda t: t.sends, _Calls.send),
    (lambda t: t.opaque, _Calls.opaque),
)
