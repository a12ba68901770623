"""What a rule pack holds once it is admitted: rules, their profile deltas and their examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from defenseclaw.cel import Program
from defenseclaw.core.verdict import Profile, Severity

# Parts of the public pack format that have no effect here.
JUDGE_FOLDER = "judge/"
LOCAL_PATTERNS_PATH = "rules/local-patterns.yaml"
SUPPRESSIONS_PATH = "suppressions.yaml"
SENSITIVE_TOOLS_PATH = "sensitive-tools.yaml"


class Validator(StrEnum):
    """Structural checks that a pattern's hit must pass; each lives in ``rules/checks``."""

    CREDENTIAL = "credential"
    BEARER = "bearer"
    CONNECTION = "connection"
    PRIVATE_KEY = "private-key"
    SSN = "ssn"
    CARD = "card"
    IBAN = "iban"
    CSV_PII = "csv-pii"
    JSON_PII = "json-pii"
    ADDRESS_LIST = "address-list"


class Scope(StrEnum):
    """What an expression looks at: the whole action, or one command with its own facts."""

    ACTION = "action"
    COMMAND = "command"


class CodeView(StrEnum):
    """What of a written file a pattern sees."""

    BARE = "bare"  # code alone: comments and the insides of strings are blank
    QUIET = "quiet"  # code and strings without comments
    TEXT = "text"  # everything


class CodeCheck(StrEnum):
    """What a hit in written code must be to count; each lives in ``rules/code/checks``."""

    COMPUTED = "computed"  # the first argument is not constant
    COMPUTED_CALL = "computed-call"  # some argument is not constant
    COMPUTED_TEXT = "computed-text"  # the first argument is a text put together from other values
    COMPUTED_SHELL = "computed-shell"  # the same, and a shell is asked for
    SHELL_PROGRAM = "shell-program"  # a shell is started with code that is not constant
    COMMAND_TEXT = "command-text"  # a command in quotes of its own, with values in it
    QUERY = "query"  # the first argument is a query with values in it
    ASSIGNED_QUERY = "assigned-query"  # the same for an assigned text
    CONDITION = "condition"  # the first argument is a part of a query with values in it
    UNSAFE_LOADER = "unsafe-loader"  # no safe loader is named
    FOREIGN_DATA = "foreign-data"  # the argument was not made by the same program
    COMPUTED_HOST = "computed-host"  # the address's host is not constant
    CLIMBING = "climbing"  # a text that leads upwards, with a value in it
    JOINED_PARENT = "joined-parent"  # a path joined from a parent folder and a value
    SECRET_VALUE = "secret-value"  # the quoted value is random enough to be a secret
    CREDENTIAL = "credential"  # no public example and no placeholder
    WEAK_HASH = "weak-hash"  # not said to be for other things than security
    KEY_MATERIAL = "key-material"  # a key follows its header


class ExampleForm(StrEnum):
    """How an example is spelled, and so what it is fed through."""

    SH = "sh"
    PWSH = "pwsh"
    CMD = "cmd"
    TOOL = "tool"
    TEXT = "text"
    WRITTEN = "written"


class ExampleRoute(StrEnum):
    """Which routes an example speaks about."""

    BOTH = "both"
    CEL = "cel"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class Example:
    """One example of a rule. ``body`` is command text, a content text, or a tool call's object."""

    matches: bool
    form: ExampleForm
    body: str | Mapping[str, Any]
    because: str = ""
    route: ExampleRoute = ExampleRoute.BOTH
    cwd: str = ""
    home: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Delta:
    """What a profile changes in a rule; None leaves the rule's own value."""

    enabled: bool | None = None
    severity: Severity | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Corroboration:
    """A second pattern that must hit near the first; without it the hit is a literal mention."""

    pattern: str
    within: int


@dataclass(frozen=True, slots=True)
class CodePattern:
    """A pattern over files of some languages that a call writes, and what a hit must be.

    ``files`` holds languages by their word, ``code`` for all of them, ``program`` for those that
    are run, and endings such as ``.tpl`` of other files.
    """

    files: tuple[str, ...]
    pattern: str
    view: CodeView = CodeView.BARE
    check: CodeCheck | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One admitted rule.

    ``covered_by`` names the rule whose expression decides for this one too where facts are
    authoritative; alone, such a rule has only its pattern. An expression of ``scope`` command is
    asked about each command with that command's paths, hosts and flows, so that what a neighbour
    touches can neither cause nor hide a match. ``detection_only`` findings never block or ask.
    ``tool_call_only`` hides the pattern from prompts and results. A rule with ``code`` judges what
    calls write into files, and nothing else; its ``pattern`` is empty.
    """

    id: str
    category: str
    title: str
    severity: Severity
    confidence: float
    tags: tuple[str, ...]
    pattern: str
    expression: str = ""
    program: Program | None = None
    enabled: bool = True
    tool_call_only: bool = False
    detection_only: bool = False
    scope: Scope = Scope.ACTION
    covered_by: str = ""
    validator: Validator | None = None
    corroboration: Corroboration | None = None
    code: tuple[CodePattern, ...] = ()
    why: str = ""
    safer: str = ""
    profiles: Mapping[Profile, Delta] = field(default_factory=lambda: MappingProxyType({}))
    examples: tuple[Example, ...] = ()
    path: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Category:
    """The rules of one file, in the file's order."""

    name: str
    path: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class UnusedPart:
    """An accepted part of the public format that has no effect here, and how much it holds."""

    path: str
    entries: int


@dataclass(frozen=True, slots=True)
class Pack:
    """An admitted pack; ``digest`` identifies what it says, whatever its files are called."""

    name: str
    categories: tuple[Category, ...]
    digest: str
    unused: tuple[UnusedPart, ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules in file order."""
        return tuple(rule for category in self.categories for rule in category.rules)

    def summary(self) -> dict[str, int | str]:
        """What the pack holds, by the words of the pack format."""
        judges = [part.entries for part in self.unused if part.path.startswith(JUDGE_FOLDER)]
        others = {part.path: part.entries for part in self.unused}
        return {
            "judge_count": len(judges),
            "judge_category_count": sum(judges),
            "rule_file_count": len(self.categories),
            "rule_count": len(self.rules),
            "enabled_rule_count": sum(rule.enabled for rule in self.rules),
            "semantic_rule_count": sum(rule.program is not None for rule in self.rules),
            "local_pattern_count": others.get(LOCAL_PATTERNS_PATH, 0),
            "suppression_count": others.get(SUPPRESSIONS_PATH, 0),
            "sensitive_tool_count": others.get(SENSITIVE_TOOLS_PATH, 0),
            "example_count": sum(len(rule.examples) for rule in self.rules),
            "digest": self.digest,
        }
