"""From a tool call to its facts: the order of work.

1. validate the trusted inputs    2. sort the arguments by their reviewed roles
3. shell text through its front end, typed tools by their family, patches by their envelope
4. what is left unknown lowers the status; whatever goes wrong inside becomes a typed refusal
"""

from __future__ import annotations

import re
from typing import Any

from defenseclaw.core.facts import (
    ActionFacts,
    ByteKind,
    Dialect,
    FactsResult,
    IssueCode,
    ParseResult,
    ParseStatus,
)
from defenseclaw.core.limits import MAX_ARGV_ITEMS, MAX_COMMAND_BYTES, MAX_SCALAR_BYTES
from defenseclaw.core.tool import FieldRole, Platform, ToolCall, ToolFamily, ToolSpec
from defenseclaw.facts.builder import NO_WRAPPERS, Builder, Wrappers, make_builder
from defenseclaw.facts.cmd import is_for_cmd
from defenseclaw.facts.frontends import FRONT_ENDS, Setting
from defenseclaw.facts.inline import apply
from defenseclaw.facts.interpret import run_script
from defenseclaw.facts.invocation import Frame, Invocation
from defenseclaw.facts.paths import is_windows_spelling
from defenseclaw.facts.roles import LANGUAGES
from defenseclaw.facts.runner import INTERPRETER
from defenseclaw.facts.script import Script, SimpleCommand, Word
from defenseclaw.facts.spans import Painter
from defenseclaw.facts.typed.arguments import (
    HALF_PAIR,
    Arguments,
    check_shape,
    sort_arguments,
    working_directory,
)
from defenseclaw.facts.typed.families import large_writes, tool_command, typed_facts
from defenseclaw.facts.typed.mcp import mcp_identity, operation_of
from defenseclaw.facts.typed.patching import patch_facts
from defenseclaw.facts.typed.template import fill_template
from defenseclaw.facts.typed.unknown import unknown_facts, unreviewed
from defenseclaw.facts.typed.variants import choose_variant

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_SHELLS = (ToolFamily.SHELL, ToolFamily.SHELL_INPUT)
_DIALECTS = {
    "posix": Dialect.POSIX,
    "powershell": Dialect.POWERSHELL,
    "cmd": Dialect.CMD,
}


def analyze(call: ToolCall, wrappers: Wrappers = NO_WRAPPERS) -> FactsResult:
    """The facts of one tool call. Never raises; the work is bounded by core.limits.

    ``wrappers`` are the programs that the user declared; see ``declare_wrappers``.
    """
    try:
        return _analyze(call, wrappers)
    except Exception:  # the one place where an analyser bug becomes a refusal instead of a crash
        return _refused(IssueCode.INTERNAL_PARSER_FAILURE)


def _refused(issue: IssueCode, status: ParseStatus = ParseStatus.INVALID) -> FactsResult:
    parse = ParseResult(status, Dialect.NONE, [issue])
    return FactsResult(ActionFacts(parse=parse), modelled=False)


def _analyze(call: ToolCall, wrappers: Wrappers) -> FactsResult:
    problem = _check_call(call)
    if problem is not None:
        return problem
    adapted = operation_of(call.mcp)
    spec = adapted or choose_variant(call.spec, call.args)
    shell = spec is not None and spec.family in _SHELLS
    builder = make_builder(call, INTERPRETER, tilde=not shell)
    builder.wrappers = wrappers
    facts = builder.facts
    facts.mcp_server, facts.mcp_tool = mcp_identity(call)
    facts.family = spec.family.value if spec is not None else ""
    if not check_shape(builder, call.args):
        if spec is not None and builder.issues == [IssueCode.INPUT_LIMIT]:
            large_writes(builder, sort_arguments(call.args, spec.fields))
        return builder.result()
    if spec is None or spec.family is ToolFamily.MCP:
        unknown_facts(builder, call.args, lambda *a: _run_guessed(builder, *a))
        builder.modelled = False
        return builder.result()
    _read(builder, spec)
    return builder.result()


def _read(builder: Builder, spec: ToolSpec) -> None:
    """The facts of a call whose schema is reviewed."""
    found = sort_arguments(builder.call.args, spec.fields)
    if spec.template:
        _form(builder, spec)
    elif spec.family in _SHELLS:
        _shell(builder, spec, found)
    elif spec.family is ToolFamily.PATCH:
        patch_facts(builder, found)
    else:
        typed_facts(builder, spec, found)
    unreviewed(builder, spec, found)


def _form(builder: Builder, spec: ToolSpec) -> None:
    """A tool that is a form of a command."""
    words = fill_template(builder, spec.template, builder.call.args)
    _run_argv(builder, "command", words, "")


def _check_call(call: ToolCall) -> FactsResult | None:
    """Refuse malformed trusted inputs before anything is read."""
    if not call.tool or call.tool != call.tool.strip():
        return _refused(IssueCode.INVALID_SYNTAX)
    for text in (call.tool, call.cwd, call.home):
        if HALF_PAIR.search(text):
            return _refused(IssueCode.INVALID_UTF8)
        if "\0" in text:
            return _refused(IssueCode.INVALID_SYNTAX)
        if len(text.encode("utf-8", "surrogatepass")) > MAX_SCALAR_BYTES:
            return _refused(IssueCode.INPUT_LIMIT, ParseStatus.LIMIT_EXCEEDED)
    home = call.home
    if home and (home.rstrip("/\\") == "" or not (home[0] == "/" or is_windows_spelling(home))):
        return _refused(IssueCode.INVALID_SYNTAX)
    return None


# --- shell tools ---


def _shell(builder: Builder, spec: ToolSpec, found: Arguments) -> None:
    """Command text or argument vectors, in the directory the tool was told."""
    cwd = working_directory(builder, found)
    commands = _commands(builder, found)
    typed = spec.family is ToolFamily.SHELL_INPUT
    restarts = any(value is True for _, value in found.of(FieldRole.RESTART))
    if not commands or ((typed or restarts) and not any(value for _, value in commands)):
        _nothing_to_run(builder, idle=typed or restarts)
        return
    if typed:  # whatever runs there reads it, be it a shell or not
        builder.partial(IssueCode.UNSUPPORTED_CONSTRUCT)
    if spec.dialect in LANGUAGES:
        for name, value in commands:
            _run_language(builder, name, spec.dialect, value)
        return
    for name, value in commands:
        if isinstance(value, str):
            dialect = shell_dialect(spec.dialect, builder.call.platform, value)
            builder.facts.parse.dialect = dialect
            run_command_text(builder, name, value, dialect, cwd)
        elif isinstance(value, list | tuple):
            _run_argv(builder, name, value, cwd)
        else:
            builder.invalid(IssueCode.INVALID_JSON)


def _commands(builder: Builder, found: Arguments) -> list[tuple[str, Any]]:
    """The commands of a call; the same one twice is one, two different ones contradict."""
    commands = found.of(FieldRole.COMMAND) + found.of(FieldRole.ARGV)
    if any(value != commands[0][1] for _, value in commands[1:]):
        builder.ambiguous(IssueCode.CONFLICTING_SOURCES)
        return commands
    return commands[:1]


def _nothing_to_run(builder: Builder, *, idle: bool) -> None:
    """A look at a running shell's output, or a start without a command, touches nothing."""
    if not idle:
        builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
        return
    builder.facts.parse.dialect = Dialect.ARGV
    tool_command(builder)
    builder.understood()


def _run_language(builder: Builder, name: str, language: str, value: Any) -> None:
    """Text of a language that the tool itself runs."""
    if not isinstance(value, str):
        builder.invalid(IssueCode.INVALID_JSON)
        return
    if not _check_text(builder, value):
        builder.add_text(Painter(name, value, ByteKind.UNKNOWN))
        return
    builder.facts.parse.dialect = Dialect.ARGV
    command = tool_command(builder)
    if command is None:
        return
    builder.understood()
    painter = builder.add_text(Painter(name, value))
    frame = Frame(builder, Dialect.ARGV, painter)
    inv = Invocation(frame, SimpleCommand(0), command, [], "", frame.stdin)
    apply.run(inv, language, value, None)


def shell_dialect(name: str, platform: Platform, text: str) -> Dialect:
    """The dialect of a text: the one that its tool names, or by where and how it is written."""
    named = _DIALECTS.get(name)
    if named is not None:
        return named
    if platform is Platform.POSIX:
        return Dialect.POSIX
    return Dialect.CMD if is_for_cmd(text) else Dialect.POWERSHELL


def run_command_text(builder: Builder, name: str, text: str, dialect: Dialect, cwd: str) -> None:
    """Parse and interpret one command text."""
    painter = builder.add_text(Painter(name, text))
    if not _check_text(builder, text):
        painter.kind = ByteKind.UNKNOWN
        return
    front_end = FRONT_ENDS.get(dialect)
    if front_end is None:
        painter.kind = ByteKind.UNKNOWN
        builder.unsupported(IssueCode.UNSUPPORTED_CONSTRUCT)
        builder.modelled = False
        return
    place = builder.scope.place
    script = front_end(text, Setting(cwd or place.cwd, place.home))
    frame = Frame(builder, dialect, painter, cwd=cwd)
    run_script(frame, script)


def _check_text(builder: Builder, text: str) -> bool:
    if len(text) > MAX_COMMAND_BYTES or len(text.encode("utf-8", "replace")) > MAX_COMMAND_BYTES:
        builder.limit(IssueCode.INPUT_LIMIT)
        return False
    if not text.strip():
        builder.invalid(IssueCode.INVALID_SYNTAX)
        return False
    if _CONTROL.search(text):
        builder.invalid(IssueCode.INVALID_SYNTAX)
    return True


def _run_argv(builder: Builder, name: str, items: Any, cwd: str) -> None:
    """A vector of words: nothing in it is shell syntax."""
    if not items or not all(isinstance(item, str) for item in items) or not items[0].strip():
        builder.invalid(IssueCode.INVALID_JSON)
        return
    if "\0" in "".join(items):
        builder.invalid(IssueCode.INVALID_SYNTAX)
        return
    size = sum(len(item.encode("utf-8", "replace")) for item in items)
    if len(items) > MAX_ARGV_ITEMS or size > MAX_COMMAND_BYTES:
        builder.limit(IssueCode.INPUT_LIMIT)
        return
    builder.facts.parse.dialect = Dialect.ARGV
    text = " ".join(items)
    painter = builder.add_text(Painter(name, text))
    words, at = [], 0
    for item in items:
        words.append(Word(item, start=at, end=at + len(item)))
        at += len(item) + 1
    command = SimpleCommand(1, words, start=0, end=len(text), top_level=True, decides_exit=True)
    script = Script(text, Dialect.ARGV, commands=[command])
    run_script(Frame(builder, Dialect.ARGV, painter, cwd=cwd), script)


def _run_guessed(builder: Builder, name: str, language: str, value: Any) -> None:
    """A command-like argument of an unreviewed tool."""
    if language and isinstance(value, str):
        _run_guessed_language(builder, name, language, value)
    elif isinstance(value, str):
        dialect = shell_dialect("", builder.call.platform, value)
        run_command_text(builder, name, value, dialect, "")
    elif isinstance(value, list | tuple):
        _run_argv(builder, name, value, "")


def _run_guessed_language(builder: Builder, name: str, language: str, text: str) -> None:
    command = tool_command(builder)
    painter = builder.add_text(Painter(name, text, ByteKind.UNKNOWN))
    if command is None or len(text) > MAX_COMMAND_BYTES:
        return
    command.modelled = False
    frame = Frame(builder, Dialect.ARGV, painter)
    inv = Invocation(frame, SimpleCommand(0), command, [], "", frame.stdin)
    apply.run(inv, language, text, None)
