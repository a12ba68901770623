"""One command being read: what program tables and special functions may ask for and add."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from defenseclaw.core.facts import (
    ByteKind,
    CommandContext,
    CommandEffect,
    CommandFact,
    DataKind,
    Dialect,
    IssueCode,
    NetworkAction,
    NetworkFact,
    OperationKind,
    PathAccess,
    PathFact,
    PathFlavor,
    WrapperFact,
)
from defenseclaw.core.labels import PathLabel, Trait
from defenseclaw.facts.builder import ACCESS_OPERATIONS, REASONS, Builder
from defenseclaw.facts.grammar import Entry, Parsed
from defenseclaw.facts.network import SHARED, Endpoint, action_of, share_host
from defenseclaw.facts.paths import GLOB_CHARACTERS, clean, is_below
from defenseclaw.facts.powershell.providers import Kind, provided, registry_labels
from defenseclaw.facts.script import (
    PLAIN,
    UNKNOWN_COMPONENT,
    How,
    Link,
    Runner,
    Script,
    SimpleCommand,
    Word,
)
from defenseclaw.facts.spans import Painter
from defenseclaw.facts.streams import NAMES, NOTHING, SPELL, Stream, merge, named, with_named
from defenseclaw.facts.windows.registry import traits_of_change

_OVERWRITES = (PathAccess.WRITE, PathAccess.APPEND)
_LITERAL = str.maketrans(dict.fromkeys(GLOB_CHARACTERS, UNKNOWN_COMPONENT))  # quoted: no patterns


@dataclass(slots=True)
class Frame:
    """Where a script runs: its text, its owner, and what holds for all its commands."""

    builder: Builder
    dialect: Dialect
    painter: Painter
    offset: int = 0
    parent: int = 0
    wrappers: tuple[WrapperFact, ...] = ()
    depth: int = 0
    remote: bool = False
    elevated: bool = False
    effect: CommandEffect = CommandEffect.EXECUTE
    context: CommandContext = CommandContext.UNCONDITIONAL
    stdin: Stream = NOTHING
    cwd: str | None = ""
    exact: bool = True
    decides_exit: bool = True
    mounts: tuple[tuple[str, str], ...] = ()  # folder here -> folder of this machine behind it
    script: Script | None = None
    bound: frozenset[str] = frozenset()  # variables of the shell that this text is evaluated in
    ids: dict[int, int] = field(default_factory=dict)
    pipelines: dict[int, int] = field(default_factory=dict)
    streams: dict[int, Stream] = field(default_factory=dict)
    children: dict[int, list[SimpleCommand]] = field(default_factory=dict)

    def paint(self, start: int, end: int, kind: ByteKind, consumer: str = "") -> None:
        """Mark a range of this frame's source."""
        if start >= 0:
            self.painter.paint(start + self.offset, end + self.offset, kind, consumer, self.depth)

    def pipeline(self, local: int) -> int:
        """The number that a pipeline of this text has among all; 0 for none."""
        if local and local not in self.pipelines:
            self.pipelines[local] = self.builder.next_pipeline
            self.builder.next_pipeline += 1
        return self.pipelines.get(local, 0)


@dataclass(slots=True)
class Invocation:
    """A command, its facts so far, and its streams."""

    frame: Frame
    command: SimpleCommand
    fact: CommandFact
    words: list[Word]
    cwd: str | None
    stdin: Stream
    entry: Entry | None = None
    parsed: Parsed = field(default_factory=Parsed)
    inputs: list[Stream] = field(default_factory=list)  # contents it reads besides standard input
    outputs: list[str] = field(default_factory=list)  # resolved files that it writes
    out: Stream | None = None  # its standard output, once a special function knows it
    stdin_kind: ByteKind = ByteKind.DATA  # what its standard input is to it
    stdin_label: str = ""
    mounts: list[tuple[str, str]] = field(default_factory=list)  # for the commands it runs
    sockets: set[int] = field(default_factory=set)  # descriptors that are network connections
    taken: list[Word] = field(default_factory=list)  # words that had their meaning already
    ran: list[Word] = field(default_factory=list)  # words whose text was run

    @property
    def builder(self) -> Builder:
        """The result under construction."""
        return self.frame.builder

    # --- plain facts ---

    def op(self, *operations: OperationKind) -> None:
        """Add operations once."""
        for operation in operations:
            if operation not in self.fact.operations:
                self.fact.operations.append(operation)

    def trait(self, *traits: Trait) -> None:
        """Add traits once."""
        for trait in traits:
            if trait not in self.fact.traits:
                self.fact.traits.append(trait)

    def partial(self, issue: IssueCode) -> None:
        """A part that matters was not understood; where the command never runs, none does."""
        if self.fact.context is CommandContext.DEAD or self.builder.quiet:
            return
        self.builder.partial(issue)
        name = self.fact.program or "a command"
        self.builder.note(f"{name[:64]}: {REASONS.get(issue, 'not understood')}")

    def preview(self) -> None:
        """The command provably does nothing but show."""
        if self.fact.effect is CommandEffect.EXECUTE:
            self.fact.effect = CommandEffect.PREVIEW

    def data(self, word: Word, consumer: str) -> None:
        """The bytes of a word are data to their reader."""
        self.frame.paint(word.start, word.end, ByteKind.DATA, consumer)

    def unknown(self, word: Word) -> None:
        """What becomes of the bytes of a word is not known."""
        self.frame.paint(word.start, word.end, ByteKind.UNKNOWN)

    def flow(self, start: DataKind, end: DataKind, *, incoming: bool) -> None:
        """A flow between this command and a file or the network."""
        ids = (0, self.fact.id) if incoming else (self.fact.id, 0)
        self.builder.add_flow(*ids, start, end)

    # --- paths ---

    def path(
        self, word: Word, access: PathAccess, *, recursive: bool = False, tree: bool = False
    ) -> PathFact | None:
        """Add a path fact; ``tree`` adds the labels of what lies below, without recursion."""
        if word.value is None:
            return self._unresolved(word, access)
        fact = self.path_value(word.value, access, glob=word.glob, recursive=recursive or tree)
        if fact is not None:
            fact.recursive = recursive
        return fact

    def path_value(
        self, value: str, access: PathAccess, *, glob: bool = False, recursive: bool = False
    ) -> PathFact | None:
        """Add a path fact for a known spelling."""
        if not value or "\0" in value or not self.builder.has_room():
            return None
        builder, remote = self.builder, self.frame.remote
        if self.fact.dialect is Dialect.POWERSHELL:
            kind, value = provided(value, self.cwd, builder.scope.place)
            if kind is not Kind.FILE:
                return self.elsewhere(kind, value, access)
        if self.frame.mounts:
            value, remote = self._behind_mount(value), remote and self._behind_mount(value) == value
        located = builder.locate(value, None if remote else self.cwd, access, remote=remote)
        shown = located
        if not glob and not GLOB_CHARACTERS.isdisjoint(value):
            shown = replace(located, resolved=located.resolved.translate(_LITERAL))
        labels = builder.labels_of(shown, recursive, remote)
        spelled = (located.flavor, value, located.normalized, located.absolute, located.resolved)
        fact = PathFact(self.fact.id, access, *spelled, labels, recursive, remote)
        if not builder.add_path(fact):
            return None
        if access in _OVERWRITES and PathLabel.RAW_DISK in labels:
            self.op(OperationKind.DISK_WRITE)
        if fact.resolved.startswith("//") and not remote:
            self._share(fact.resolved, access)
        return fact

    def _share(self, path: str, access: PathAccess) -> None:
        """A path on a share of another machine goes over the network."""
        endpoint = share_host(path)
        fact = self.network(SHARED[access], endpoint) if endpoint and access in SHARED else None
        if fact is not None and fact.external and access is PathAccess.EXECUTE:
            self.trait(Trait.CODE_FROM_NETWORK)

    def elsewhere(self, kind: Kind, value: str, access: PathAccess) -> PathFact | None:
        """A path that is no file: a registry key, or a place of another provider."""
        if kind is Kind.ENVIRONMENT and access in (PathAccess.READ, PathAccess.LIST):
            self.op(OperationKind.ENVIRONMENT_READ)
        if access in (*_OVERWRITES, PathAccess.DELETE):
            self.op(*([OperationKind.CONFIG_CHANGE] if kind is Kind.REGISTRY else ()))
            self.trait(*traits_of_change(value))
        if kind is not Kind.REGISTRY:
            return None
        fact = PathFact(self.fact.id, access, PathFlavor.REGISTRY, value, value, True, value)
        fact.labels, fact.remote = registry_labels(value), self.frame.remote
        return fact if self.builder.add_path(fact) else None

    def mount(self, inside: str, outside: str) -> None:
        """The commands that this one runs see a folder of this machine at ``inside``."""
        self.mounts.append((clean(inside), outside))

    def _behind_mount(self, value: str) -> str:
        """The place on this machine that a path inside a container or root really is."""
        path = clean(value)
        for inside, outside in self.frame.mounts:
            if path == inside or is_below(path, inside):
                return clean(f"{outside}/{path[len(inside.rstrip('/')) :]}")
        return value

    def _unresolved(self, word: Word, access: PathAccess) -> PathFact | None:
        folder = word.prefix.rpartition("/")[0] + "/" if "/" in word.prefix else ""
        labels: list[str] = []
        if word.prefix.startswith("~"):
            labels = [PathLabel.OUTSIDE if word.suffix else PathLabel.OTHER_HOME]
        elif folder and ".." not in word.prefix.split("/"):
            located = self.builder.locate(folder + UNKNOWN_COMPONENT, self.cwd)
            labels = self.builder.labels_of(located, False, self.frame.remote)
        fact = PathFact(
            self.fact.id,
            access,
            PathFlavor.UNKNOWN,
            word.prefix,
            word.prefix,
            folder.startswith("/"),
            "",
            [*(w for w in labels if w != PathLabel.UNRESOLVED), PathLabel.UNRESOLVED],
            remote=self.frame.remote,
        )
        return fact if self.builder.add_path(fact) else None

    def reads(self, word: Word, *, recursive: bool = False) -> None:
        """The command takes the content of a file; ``-`` is its standard input."""
        if word.value == "-":
            self.inputs.append(self.stdin)
            return
        fact = self.path(word, PathAccess.READ, recursive=recursive)
        if fact is not None:
            self.inputs.append(self.content_of(fact))

    def writes(self, word: Word, access: PathAccess = PathAccess.WRITE) -> None:
        """The command's result goes into a file; ``-`` is its standard output."""
        if word.value == "-":
            return
        fact = self.path(word, access)
        if fact is not None:
            self.op(ACCESS_OPERATIONS[access])
            if fact.resolved:
                self.outputs.append(fact.resolved)

    def content_of(self, fact: PathFact) -> Stream:
        """The provenance of a file's content, including what this call wrote into it."""
        written = self.builder.files.get(fact.resolved) if fact.resolved else None
        sensitive = tuple(word for word in fact.labels if not fact.remote)
        own = Stream(
            labels=sensitive, files=(fact.resolved,) if fact.resolved else (), connected=True
        )
        if written is None:
            return own
        return replace(merge([written, own]), text=written.text, at=written.at)

    # --- network ---

    def network(self, action: NetworkAction, endpoint: Endpoint) -> NetworkFact | None:
        """Add a network fact."""
        return self.builder.add_network(self.fact.id, action, endpoint)

    def carry(self, fact: NetworkFact | None, content: Stream) -> None:
        """Record what provably flows to a network target."""
        if fact is None:
            return
        fact.carries.extend(word for word in content.labels if word not in fact.carries)
        fact.carries_environment = fact.carries_environment or content.environment

    def network_action(self) -> NetworkAction:
        """What the command's operations do with a network target."""
        return action_of(self.fact.operations)

    # --- inner code ---

    def run(self, words: list[Word], how: How = PLAIN) -> Invocation | None:
        """Interpret an inner command; None when a budget is spent."""
        self.taken += words
        return self.builder.runner.command(self, words, how)

    def run_code(self, word: Word, how: How = PLAIN) -> None:
        """Interpret a word as shell text."""
        self.ran.append(word)
        if word.value is None or _is_open(word):
            self.trait(Trait.DYNAMIC_CODE)
            self.partial(IssueCode.DYNAMIC_WORD)
            return
        out = self.builder.runner.code(self, word.value, word, how)
        self.out = out if self.out is None else merge([self.out, out])

    def run_language(self, name: str, word: Word) -> None:
        """Interpret a word as text of another language."""
        self.taken.append(word)
        if word.value is None or _is_open(word):
            self.trait(Trait.DYNAMIC_CODE)
            self.partial(IssueCode.DYNAMIC_WORD)
            return
        self.builder.runner.language(self, name, word.value, word)

    def consumer(self, word: Word) -> str:
        """Who reads a data word, for the byte tags: the program, its verb and the option."""
        name = f"{self.fact.program} {self.fact.subcommand}".rstrip()
        for option, value in self.parsed.values:
            if value is word:
                dashes = "-" if len(option.name) == 1 else "--"
                return f"{name} {dashes}{option.name}"
        return name

    # --- streams ---

    def word_stream(self, word: Word) -> Stream:
        """The provenance of a word: its substitutions and the variables it names."""
        frame = self.frame
        taken = [word.origin] if word.origin is not None else []
        if word.start < 0:
            return merge(taken)
        parts = taken + [
            frame.streams[child.id]
            for child in frame.children.get(self.command.id, ())
            if word.start <= child.start < word.end and child.id in frame.streams
        ]
        return with_named(parts, self.named_streams(word.start, word.end))

    def named_streams(self, start: int, end: int) -> list[Stream]:
        """Where the variables that a piece of the text names got their values from."""
        script, known = self.frame.script, self.builder.variables
        piece = script.source[start:end] if known and script is not None else ""
        return named(SPELL[self.frame.dialect](piece), known, self.command.variables)

    def has_taken(self, word: Word) -> bool:
        """Whether a role or inner code has read a word, or a part of it."""
        return any(t is word or t.start == word.start >= 0 for t in (*self.taken, *self.ran))

    def is_process(self, word: Word) -> bool:
        """Whether a word is a process substitution, which looks like a file and is none."""
        if not word.sources:
            return False
        children = self.frame.children.get(self.command.id, ())
        return any(
            c.id in word.sources and c.link in (Link.PROCESS_READ, Link.PROCESS_WRITE)
            for c in children
        )

    def text_of(self, word: Word) -> str | None:
        """The text of a word, also when it is only the known output of one substitution."""
        if word.value is not None or word.prefix or word.suffix or len(word.sources) != 1:
            return word.value
        text = self.frame.streams.get(word.sources[0], NOTHING).text
        return text.rstrip("\n") if text is not None else None

    def words_stream(self, words: Iterable[Word]) -> Stream:
        """The provenance of several words together."""
        return merge([s for s in map(self.word_stream, words) if s.tainted or s.commands])

    def bound_here(self, word: Word) -> bool:
        """Whether the text itself finds what makes a word unknown, as a loop or a read does."""
        script, stream = self.frame.script, self.word_stream(word)
        if stream.network or not all(path in self.builder.files for path in stream.files):
            return False  # what a command prints is found, what a file holds is not
        if word.origin is not None or script is None or word.start < 0:
            return word.origin is not None and bool(word.origin.commands)
        piece = SPELL[self.frame.dialect](script.source[word.start : word.end])
        if "$(" in piece or "`" in piece:
            return True
        known = {*script.variables, *self.frame.bound, *self.builder.variables}
        return any(name in known - self.builder.outside for _, name in NAMES.findall(piece))

    def content(self) -> Stream:
        """Everything the command takes in: the files it reads, or its standard input."""
        return merge(self.inputs) if self.inputs else self.stdin


def _is_open(word: Word) -> bool:
    """Whether a word holds a name that was only found at run time."""
    return word.example and UNKNOWN_COMPONENT in (word.value or "")


__all__ = ["PLAIN", "Frame", "How", "Invocation", "Runner"]
