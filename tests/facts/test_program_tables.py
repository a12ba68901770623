"""The program tables as a whole: every word in them means something, and help changes nothing."""

from __future__ import annotations

import ast
import importlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import pytest

from defenseclaw.core.facts import CommandEffect, OperationKind, ParseStatus, PathAccess
from defenseclaw.core.labels import Trait
from defenseclaw.facts import programs
from defenseclaw.facts.grammar import Entry, operand_roles, option_table
from defenseclaw.facts.programs import (
    archive,
    build,
    builtins,
    catalog,
    cloud,
    cluster,
    containers,
    database,
    files,
    languages,
    launchers,
    packages,
    sending,
    services,
    shells,
    system,
    text,
    transfer,
    vcs,
)
from defenseclaw.facts.roles import PATH_ROLES, SPECIAL_ROLES, UNREAD_ROLES
from tests.facts.describe import analyze_shell

GROUPS: Mapping[str, Mapping[str, Entry]] = {
    "build": build.PROGRAMS,
    "languages": languages.PROGRAMS,
    "packages": packages.PROGRAMS,
    "system": system.PROGRAMS,
}
OTHERS: Mapping[str, Mapping[str, Entry]] = {
    module.__name__: module.PROGRAMS
    for module in (
        *(archive, builtins, catalog, cloud, cluster, containers, database, files),
        *(launchers, sending, services, shells, text, transfer, vcs),
    )
}
# Interpreters whose table is that of shells.py with more on top.
EXTENDED = {"python", "python2", "python3", "pypy", "pypy3", "ipython", "php"}
# Roles of words that a special function reads itself.
READ_BY_SPECIAL = {*UNREAD_ROLES, "command", "shell-command"}
KNOWN_ROLES = {*PATH_ROLES, *SPECIAL_ROLES, *READ_BY_SPECIAL}
TELLING = {
    OperationKind.DELETE,
    OperationKind.UPLOAD,
    OperationKind.SCHEDULE,
    OperationKind.CREDENTIAL_READ,
    OperationKind.ACCOUNT_CHANGE,
    OperationKind.PROCESS_KILL,
}
TELLING_TRAITS = {
    Trait.DESTROYS_RESOURCE,
    Trait.DESTROYS_DATABASE,
    Trait.PROTECTION_OFF,
    Trait.LOG_WIPE,
    Trait.PERSISTENCE,
    Trait.KILL_ALL,
}
HARMLESS = "x"
# Words before a command that is run as it stands, in every way that the tables know.
LAUNCHES = """
npx --yes -p x | npm exec -- | npm x -- | npm explore x -- | pnpm exec | pnpm dlx | yarn exec
yarn dlx | bunx | bun x | pipx run | uvx | uv run | uv run -- | uv run --with x --no-sync
uv tool run | poetry run | pipenv run | pdm run | hatch run | hatch run dev: | hatch env run --
rye run | conda run -n base | conda run --no-capture-output -n base | mamba run -n x | bundle exec
gem exec | composer exec -- | opam exec -- | cabal exec -- | stack exec -- | rustup run nightly
mise exec node@20 -- | mise x -- | asdf exec | pyenv exec | rbenv exec | nvm exec 20
fnm exec --using=20 | volta run --node 20 | snap run | nix develop -c | nix shell nixpkgs#x -c
meson devenv -C build | just --command | nx exec -- | lerna exec -- | cross-env A=b | env-cmd -f x
dotenvx run -- | dotenvx run -f .env -- | shx | nyc | nyc --reporter text | c8 | tox exec -e py --
ccache | libtool --mode=execute | foreman run | honcho run | xcrun | xcrun --sdk macosx
adb shell | cmake -E env A=b | cmake -E time | ip netns exec blue | chroot /mnt | chroot /
nsenter -t 1 -m | nsenter -t 1 -m -u -i -n -p -- | fakeroot | eatmydata | firejail --quiet
prlimit --nofile=64 | systemd-nspawn -D /mnt | tailscale ssh box | setarch x86_64 -R | nocache
"""


def entries(name: str, entry: Entry) -> Iterator[tuple[str, Entry]]:
    """A program's entry and those of all its verbs, with the words that lead there."""
    yield name, entry
    for verb, child in entry.verbs.items():
        yield from entries(name if verb == "*" else f"{name} {verb}", child)


def every_entry() -> Iterator[tuple[str, Entry]]:
    """All entries of all tables."""
    for name, entry in programs.POSIX.items():
        yield from entries(name, entry)


def telling() -> list[tuple[str, Entry]]:
    """Entries of the general groups whose own operations or traits matter to rules."""
    found = []
    for table in GROUPS.values():
        for name, top in table.items():
            for words, entry in entries(name, top):
                marks = set(entry.ops) & TELLING or set(entry.traits) & TELLING_TRAITS
                if marks and programs.POSIX.get(name) is top:
                    found.append((words, entry))
    return found


def test_names_are_spelled_as_they_are_looked_up() -> None:
    wrong = [name for name in programs.POSIX if name != name.lower() or not name.strip()]
    assert wrong == []


@pytest.mark.parametrize("group", {**GROUPS, **OTHERS})
def test_no_other_group_defines_the_same_program(group: str) -> None:
    every = {**GROUPS, **OTHERS}
    others = {name: table for name, table in every.items() if name != group}
    taken = {program for table in others.values() for program in table}
    assert sorted(set(every[group]) & taken - EXTENDED) == []


def pieces(module: ModuleType, node: ast.Dict) -> Iterator[str]:
    """The keys of a table as written, those of the tables that it takes in among them."""
    for key, value in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant):
            yield str(key.value)
        elif key is None:
            part = compile(ast.Expression(value), module.__name__, "eval")
            yield from eval(part, vars(module))


def table_modules() -> list[str]:
    """All modules that hold program tables."""
    root = Path(programs.__file__).parent
    return sorted(
        ".".join((programs.__name__, *path.relative_to(root).with_suffix("").parts))
        for path in root.rglob("*.py")
        if path.name != "__init__.py"
    )


@pytest.mark.parametrize("name", table_modules())
def test_no_table_says_two_things_about_one_name(name: str) -> None:
    module = importlib.import_module(name)
    tree = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
    tables = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Dict)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in ("PROGRAMS", "OTHERS")
    ]
    written = [list(pieces(module, table)) for table in tables]
    literal = [
        [k.value for k in node.keys if isinstance(k, ast.Constant)]
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
    ]
    twice = [key for keys in written + literal for key, n in Counter(keys).items() if n > 1]
    assert twice == []


@pytest.mark.parametrize(
    "call",
    [
        "aws ec2 terminate-instances --instance-ids i-1 --generate-cli-skeleton",
        "az deployment group create -g x --what-if",
        "go build -n ./...",
    ],
)
def test_an_option_of_the_program_makes_any_verb_a_preview(call: str) -> None:
    command = analyze_shell(call).facts.commands[0]
    assert command.effect is CommandEffect.PREVIEW


def test_every_role_of_an_option_is_known() -> None:
    unknown = [
        (words, option.name, option.role)
        for words, entry in every_entry()
        for option in option_table(entry.options).values()
        if option.role and option.role not in KNOWN_ROLES
    ]
    assert unknown == []


def test_every_role_of_an_operand_is_known() -> None:
    unknown = []
    for words, entry in every_entry():
        for notation in (entry.operands, *entry.by_option.values()):
            head, middle, tail = operand_roles(notation)
            roles = {*head, middle, *tail} - {""}
            unknown += [(words, role) for role in roles if role not in KNOWN_ROLES]
    assert unknown == []


def test_options_that_are_marked_exist() -> None:
    missing = []
    for words, entry in telling():
        known = {option.name for option in option_table(entry.options).values()}
        missing += [(words, name) for name in (*entry.marks, *entry.by_option) if name not in known]
    assert missing == []


@pytest.mark.parametrize(("words", "entry"), telling(), ids=lambda value: str(value)[:40])
def test_what_matters_comes_out_of_the_call_and_not_of_its_help(words: str, entry: Entry) -> None:
    result = analyze_shell(f"{words} {HARMLESS}")
    command = result.facts.commands[0]
    assert command.effect is CommandEffect.EXECUTE
    assert set(entry.ops) <= set(command.operations)
    assert set(entry.traits) <= set(command.traits)
    shown = analyze_shell(f"{words} --help")
    assert shown.facts.commands[0].effect is CommandEffect.PREVIEW
    assert shown.facts.parse.status is ParseStatus.COMPLETE


def launches() -> list[str]:
    """The launchers, one by one."""
    return [
        words.strip() for line in LAUNCHES.split("\n") for words in line.split("|") if words.strip()
    ]


@pytest.mark.parametrize("words", launches())
def test_a_command_behind_a_launcher_is_read_as_if_it_stood_alone(words: str) -> None:
    result = analyze_shell(f"{words} rm -rf /etc")
    assert [p.resolved for p in result.facts.paths if p.access is PathAccess.DELETE] == ["/etc"]
    assert all(p.recursive for p in result.facts.paths if p.access is PathAccess.DELETE)
    inner = next(c for c in result.facts.commands if c.program == "rm")
    assert inner.effect is CommandEffect.EXECUTE
    assert inner.wrappers


def test_every_program_reads_any_words() -> None:
    failed = []
    distinct = {id(entry): words for words, entry in every_entry()}
    for words in distinct.values():
        if words[0] in "[({":
            continue  # grammar of the shell, not a program
        result = analyze_shell(f'{words} -x --y=z a=b /c - "$X"')
        if result.facts.parse.status is ParseStatus.INVALID:
            failed.append(words)
    assert failed == []
