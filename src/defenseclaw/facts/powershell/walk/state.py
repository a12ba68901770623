"""What the text has set so far: variables, places, names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from defenseclaw.core.tool import Platform
from defenseclaw.facts.paths import Place, is_windows_spelling, locate
from defenseclaw.facts.powershell.syntax.tree import Block, If, Pipeline, ScriptBlock, Variable
from defenseclaw.facts.powershell.syntax.tree import Value as Valued
from defenseclaw.facts.powershell.walk.values import FALSE, NULL, TRUE, UNKNOWN, Value, known
from defenseclaw.facts.script import UNKNOWN_COMPONENT
from defenseclaw.facts.tables.environment import FIXED, PROFILE, SOMEBODY

_PROFILE_FILE = "\\Documents\\PowerShell\\Microsoft.PowerShell_profile.ps1"
_UNIX_PROFILE = "/.config/powershell/Microsoft.PowerShell_profile.ps1"
_PROVIDER = re.compile(r"(?:microsoft\.powershell\.core\\)?filesystem::", re.IGNORECASE)
DEFAULT_HOME = SOMEBODY


@dataclass(slots=True)
class Places:
    """The caller's directories."""

    cwd: str = ""
    home: str = ""

    @property
    def windows(self) -> bool:
        """Whether the call runs on Windows, as far as its directories say."""
        return not self.cwd.startswith("/") and not self.home.startswith("/")


@dataclass(slots=True)
class State:
    """Known variables (lower case), the working directory, functions and aliases."""

    places: Places
    variables: dict[str, Value] = field(default_factory=dict)
    cwd: str | None = ""  # "" as the caller's
    functions: dict[str, ScriptBlock] = field(default_factory=dict)
    aliases: dict[str, Value] = field(default_factory=dict)
    methods: dict[str, list[str]] = field(default_factory=dict)  # functions that are methods
    ended: bool = False
    stack: tuple[str | None, ...] = ()

    def copy(self) -> State:
        """The same again, to be changed apart."""
        return State(
            self.places,
            dict(self.variables),
            self.cwd,
            dict(self.functions),
            dict(self.aliases),
            self.methods,
            self.ended,
            self.stack,
        )

    def get(self, name: str) -> Value:
        """A variable's value."""
        found = self.variables.get(name)
        if found is not None:
            return found
        constant = CONSTANTS.get(name)
        if constant is not None:
            return constant
        if name.startswith("using:"):
            return self.get(name[len("using:") :])
        return self._of_machine(name)

    def _of_machine(self, name: str) -> Value:
        """A variable that PowerShell or Windows sets."""
        home = self.home
        folder = _PROFILE_FILE if self.places.windows else _UNIX_PROFILE
        own = {"home": home, "pwd": self.here, "profile": home + folder}
        scope, _, low = name.partition(":")
        if scope == "env":
            return self._of_environment(low)
        if scope == "function" and low in self.functions:
            return Value(block=self.functions[low])
        if scope == "alias" and low in self.aliases:
            return self.aliases[low]
        return known(own[name]) if own.get(name) else UNKNOWN

    def _of_environment(self, low: str) -> Value:
        """A variable of the environment that names a folder."""
        home = self.home
        if not self.places.windows:
            return known(home) if low == "home" else UNKNOWN
        if low in PROFILE:
            return known(home + PROFILE[low])
        return known(FIXED[low]) if low in FIXED else UNKNOWN

    @property
    def home(self) -> str:
        """The home folder; somebody's if the caller did not say whose."""
        if self.places.home:
            return self.places.home
        return DEFAULT_HOME if self.places.windows else f"/home/{UNKNOWN_COMPONENT}"

    @property
    def here(self) -> str:
        """The working directory, empty if it is not known."""
        return self.places.cwd if self.cwd == "" else self.cwd or ""

    def set(self, name: str, value: Value) -> None:
        """A variable has this value from here on."""
        self.variables[name] = value

    def change(self, name: str, old: Value, new: Value) -> None:
        """An object changed that a variable holds, and perhaps others too."""
        if old.table is not None or old.items is not None:
            for other, held in self.variables.items():
                if held is old:
                    self.variables[other] = new
        self.variables[name] = new

    def kill_all(self) -> None:
        """Any variable may have been set by code that is not seen."""
        self.variables = dict.fromkeys(self.variables, UNKNOWN)
        self.aliases = {}

    def move(self, target: str | None) -> None:
        """Another working directory."""
        if target is None:
            self.cwd = None
            return
        if is_registry(target):
            self.cwd = target
            return
        target = _PROVIDER.sub("", target)
        platform = Platform.WINDOWS if self.places.windows else Platform.POSIX
        if platform is Platform.POSIX and not is_windows_spelling(target):
            target = target.replace("\\", "/")
        place = Place(self.here, self.home, platform, tilde=True)
        self.cwd = locate(target, place).resolved or None

    def join(self, others: list[State]) -> None:
        """What is the same in all of several states that may follow."""
        first = others[0]
        names = {name for other in others for name in other.variables}
        self.variables = {
            name: first.get(name)
            if all(other.get(name) == first.get(name) for other in others)
            else UNKNOWN
            for name in names
        }
        self.cwd = first.cwd if all(o.cwd == first.cwd for o in others) else None
        self.ended = all(other.ended for other in others)
        self._join_names(others)

    def _join_names(self, others: list[State]) -> None:
        """A name that stands for two things stands for either."""
        functions: dict[str, ScriptBlock] = {}
        aliases: dict[str, Value] = {}
        for other in others:
            for name, block in other.functions.items():
                held = functions.setdefault(name, block)
                functions[name] = block if held is block else _either(held, block)
            for name, value in other.aliases.items():
                aliases[name] = value if aliases.get(name, value) == value else UNKNOWN
        self.functions, self.aliases = functions, aliases

    def doubt(self, before: State) -> None:
        """The code since then may have stopped anywhere: what it changed is not known."""
        for name, value in before.variables.items():
            if self.variables.get(name) != value:
                self.variables[name] = UNKNOWN

    def scalars(self) -> Mapping[str, str | None]:
        """Variables as texts, for code that is read on its own."""
        return {
            name: value.text if value.items is None and not value.code else None
            for name, value in self.variables.items()
        }


def _either(one: ScriptBlock, other: ScriptBlock) -> ScriptBlock:
    """A block that is one or the other; of two texts only the later one is known here."""
    if one.source is not other.source:
        return other
    start, end = one.start, one.end
    asked = Pipeline(start, start, [Valued(start, start, Variable(start, start, "?"))])
    either = If(start, end, [(Block(start, start, [asked]), one.body)], other.body)
    return ScriptBlock(
        start, end, Block(start, end, [either]), [*one.params, *other.params], one.source
    )


def is_registry(spelling: str) -> bool:
    """Whether a location is a registry drive."""
    return spelling[:5].lower() in ("hklm:", "hkcu:", "hkcr:") or spelling.lower().startswith(
        ("registry::", "hku:", "microsoft.powershell.core\\registry::")
    )


CONSTANTS: Mapping[str, Value] = {
    "null": NULL,
    "true": TRUE,
    "false": FALSE,
    "psdefaultparametervalues": Value(table={}, type="hashtable"),
    "shellid": known("Microsoft.PowerShell"),
    "verbosepreference": known("SilentlyContinue"),
    "debugpreference": known("SilentlyContinue"),
    "pshome": known("C:\\Windows\\System32\\WindowsPowerShell\\v1.0"),
}
