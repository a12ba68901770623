"""Small packs and facts for tests of rules: valid by default, changed where a test needs it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from defenseclaw.core.facts import (
    ActionFacts,
    ByteKind,
    CommandFact,
    Dialect,
    FactsResult,
    ParseResult,
    ParseStatus,
    PathAccess,
    PathFact,
    SourceText,
    Span,
)
from defenseclaw.core.verdict import Profile
from defenseclaw.rules import Generation, Pack, PackRejectedError, build_generation, load_pack

DELETES_ROOT = "f.paths.exists(p, p.access == PathAccess.DELETE && 'system-root' in p.labels)"


def rule(**changes: Any) -> dict[str, Any]:
    """One valid rule as a plain mapping; a value of None takes the key away."""
    fields: dict[str, Any] = {
        "id": "T-1",
        "title": "Test rule",
        "severity": "HIGH",
        "confidence": 0.9,
        "tags": ["test"],
        "pattern": "needle",
        **changes,
    }
    return {key: value for key, value in fields.items() if value is not None}


def rule_file(*rules: dict[str, Any], category: str = "command", **extra: Any) -> bytes:
    """A rule file. JSON is YAML, and nobody has to think about quoting."""
    document = {"version": 1, "category": category, "rules": list(rules), **extra}
    return json.dumps(document).encode()


def pack(*rules: dict[str, Any], category: str = "command", name: str = "test") -> Pack:
    """A pack of one file."""
    return load_pack({"rules/test.yaml": rule_file(*rules, category=category)}, name=name)


def generation(
    *rules: dict[str, Any], category: str = "command", profile: Profile = Profile.DEFAULT
) -> Generation:
    """A generation of one file's rules."""
    return build_generation([pack(*rules, category=category)], profile)


def source(text: str, kind: ByteKind = ByteKind.EXECUTED, field: str = "command") -> SourceText:
    """A text of which every byte is of one kind."""
    return SourceText(field, text, (Span(0, len(text), kind),))


def result(
    *texts: SourceText, status: ParseStatus = ParseStatus.PARTIAL, **facts: Any
) -> FactsResult:
    """An analysis of a shell call with the given texts and facts."""
    facts.setdefault("family", "shell")
    return FactsResult(
        ActionFacts(tool="shell", parse=ParseResult(status, Dialect.POSIX), **facts), texts
    )


def deletion(*labels: str, text: str = "rm -rf /", **command: Any) -> FactsResult:
    """A complete analysis of one command that deletes a path."""
    argv = text.split()
    run = CommandFact(1, executable=argv[0], program=argv[0], argv=argv, **command)
    path = PathFact(1, PathAccess.DELETE, value="/", resolved="/", labels=list(labels))
    return result(source(text), status=ParseStatus.COMPLETE, commands=[run], paths=[path])


def same(facts: ActionFacts) -> ActionFacts:
    """A projection that keeps everything."""
    return facts


def nothing(facts: ActionFacts) -> None:
    """A projection that finds nothing eligible."""


def refusal(files: Mapping[str, bytes]) -> PackRejectedError:
    """Why a pack of these files is refused."""
    with pytest.raises(PackRejectedError) as refused:
        load_pack(files, name="x")
    return refused.value
