"""What rules may read, and what justifies enforcement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from defenseclaw.core.facts import (
    ActionFacts,
    CommandFact,
    Dialect,
    IssueCode,
    ParseResult,
    ParseStatus,
    PathAccess,
    PathFact,
    PathFlavor,
)
from defenseclaw.facts import enforcement_projection, validate
from tests.facts.describe import analyze_shell


def command(number: int = 1, **fields: object) -> CommandFact:
    """A valid command."""
    known = {"executable": "rm", "program": "rm", "argv": ["rm"]}
    return CommandFact(number, **{**known, **fields})  # type: ignore[arg-type]


def facts(*commands: CommandFact, **fields: object) -> ActionFacts:
    """A complete message of these commands."""
    parse = ParseResult(ParseStatus.COMPLETE, Dialect.POSIX)
    return ActionFacts(parse=parse, commands=list(commands), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (facts(command()), "ok"),
        (facts(*(command(n) for n in range(1, 200))), "count-limit"),
        (facts(command(), tool="x" * 5000), "scalar-limit"),
        (facts(command(), cwd="a\0b"), "scalar-limit"),
        (facts(command(argv=["\ud800"])), "scalar-limit"),
        (facts(command(dialect=Dialect.NONE)), "invalid-enum"),
        (facts(command(2), command(1)), "invalid-command"),
        (facts(command(parent_command_id=1)), "invalid-command"),
        (
            facts(command(1, parent_command_id=2), command(2, parent_command_id=1)),
            "invalid-command",
        ),
        (facts(command(program="")), "invalid-command"),
        (facts(command(argv_complete=True)), "invalid-command"),
        (facts(command(parent_command_id=9)), "invalid-reference"),
    ],
)
def test_broken_message_is_named(message: ActionFacts, code: str) -> None:
    assert validate(message).value == code


@pytest.mark.parametrize(
    ("resolved", "flavor", "good"),
    [
        ("/a/b", PathFlavor.POSIX, True),
        ("/a/../b", PathFlavor.POSIX, False),
        ("a", PathFlavor.POSIX, False),
        ("C:/a", PathFlavor.WINDOWS, True),
        ("c:/a", PathFlavor.WINDOWS, False),
        ("C:\\a", PathFlavor.WINDOWS, False),
        ("//srv/share/a", PathFlavor.WINDOWS, True),
        ("//./PhysicalDrive0", PathFlavor.DEVICE, True),
        ("HKLM/SAM", PathFlavor.REGISTRY, True),
        ("HKXX/SAM", PathFlavor.REGISTRY, False),
        ("/a", PathFlavor.UNKNOWN, False),
    ],
)
def test_resolved_path_has_one_spelling(resolved: str, flavor: PathFlavor, good: bool) -> None:
    path = PathFact(1, PathAccess.READ, flavor, resolved=resolved)
    assert (validate(facts(command(), paths=[path])).value == "ok") is good


def test_opaque_artifact_is_never_projected() -> None:
    message = facts(command())
    message.parse.issues = [IssueCode.OPAQUE_ARTIFACT]
    assert validate(message).value == "invalid-enum"


def test_only_complete_facts_enforce() -> None:
    assert enforcement_projection(analyze_shell("rm -rf $X").facts) is None
    assert enforcement_projection(analyze_shell("rm -rf /etc").facts) is not None


def programs(text: str) -> list[str]:
    projected = enforcement_projection(analyze_shell(text).facts)
    return [] if projected is None else [c.program or "redirect" for c in projected.commands]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("bash -n a.sh; cat b", ["cat"]),
        ("bash -n a.sh", []),
        ("ssh -G h.example > /etc/cron.d/x", ["redirect"]),
        ("mytool rm -rf /", ["mytool"]),
        ("false && rm -rf /; ls", ["false", "ls"]),
        ("true || rm -rf /; ls", ["true", "ls"]),
        ("f() { rm -rf /; }; ls", ["ls"]),
        ("f() { rm -rf /; }; f", ["f", "rm"]),
        ("test -d x && rm -rf /", ["test", "rm"]),
        ("for i in 1 2; do rm -rf /; done", ["rm"]),
        ("rm -rf / &", ["rm"]),
        ("exit 0; rm -rf /", ["exit"]),
        ("git push -n; git fetch", ["git"]),
    ],
)
def test_enforcement_keeps_what_can_run(text: str, kept: list[str]) -> None:
    assert programs(text) == kept


def test_redirect_of_a_preview_keeps_its_path_and_nothing_else() -> None:
    projected = enforcement_projection(analyze_shell("ssh -G h.example > /etc/cron.d/x").facts)
    assert projected is not None
    assert [(p.resolved, p.access) for p in projected.paths] == [
        ("/etc/cron.d/x", PathAccess.WRITE)
    ]
    assert not projected.network
    assert validate(projected).value == "ok"


def test_survivors_hang_on_the_nearest_kept_command() -> None:
    message = analyze_shell("sudo env A=1 rm -rf /etc").facts
    projected = enforcement_projection(message)
    assert projected is not None
    ids = {c.id for c in projected.commands}
    assert all(c.parent_command_id in {0, *ids} for c in projected.commands)


def test_projection_is_a_copy() -> None:
    message = analyze_shell("rm -rf /etc").facts
    before = replace(message.commands[0])
    projected = enforcement_projection(message)
    assert projected is not None
    projected.commands[0].parent_command_id = 7
    assert message.commands[0] == before
