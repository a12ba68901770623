"""Rule packs on the command line: checking, listing, putting in force, and testing rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from defenseclaw.cli.main import main
from defenseclaw.cli.packs import check_directory, notices
from defenseclaw.connectors import CONNECTORS
from tests.rules.packs import pack, rule, rule_file

KEY, OTHER = list(CONNECTORS)[:2]
EXAMPLES = {"match": [{"sh": "needle"}], "no_match": [{"sh": "haystack", "because": "other"}]}
RECORD = {"path", "code", "reason", "line", "rule", "advice"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "home"
    root.mkdir(mode=0o700)
    config = root / "config.toml"
    config.touch(mode=0o600)
    config.write_text(f"config_version = 1\n[guardrail.connectors.{KEY}]\n", encoding="utf-8")
    monkeypatch.setenv("DEFENSECLAW_HOME", str(root))
    return root


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "pack"
    (made / "rules").mkdir(parents=True)
    write(made, rule(examples=EXAMPLES))
    return made


def write(folder: Path, *rules: dict[str, object], category: str = "house") -> None:
    text = json.dumps(json.loads(rule_file(*rules, category=category)), indent=1)
    (folder / "rules" / "house.yaml").write_text(text, encoding="utf-8")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def validate(*arguments: object) -> Result:
    return run("guardrail", "validate-pack", *arguments)


def test_a_valid_pack_is_summed_up(folder: Path) -> None:
    result = validate(folder)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == f"valid: {json.dumps(str(folder))}"
    assert lines[1] == "rules: 1/1 enabled across 1 files, 0 with an expression"
    assert "examples: 2 hold" in lines
    assert any(line.startswith("digest: ") for line in lines)


def test_a_valid_pack_as_json(folder: Path) -> None:
    (line,) = validate(folder, "--json").stdout.splitlines()
    document = json.loads(line)
    assert set(document) == {"schema", "path", "valid", "items", "count", "notices", "summary"}
    assert (document["schema"], document["valid"], document["count"]) == (1, True, 0)
    assert document["summary"]["rule_count"] == 1


def test_a_refused_pack_is_said_with_place_code_and_next_step(folder: Path) -> None:
    write(folder, rule(id="R-1", pattern="("))
    result = validate(folder)
    assert (result.exit_code, result.stdout) == (1, "")
    head, fault, advice = result.stderr.splitlines()
    assert head == f"invalid: {json.dumps(str(folder))}"
    assert fault.startswith("rules/house.yaml:")
    assert fault.endswith("rule R-1: pattern is not RE2 or is too large [regex]")
    assert advice.startswith("  next: ")


def test_a_refused_pack_as_json(folder: Path) -> None:
    write(folder, rule(id="R-1", severity="loud"))
    result = validate(folder, "--json")
    document = json.loads(result.stdout)
    assert (result.exit_code, document["valid"], document["count"]) == (1, False, 1)
    assert set(document["items"][0]) == RECORD
    assert set(document["error"]) == {"path", "code", "reason"}
    assert document["error"]["code"] == "severity"
    assert "summary" not in document


def test_an_example_that_does_not_hold_makes_the_pack_invalid(folder: Path) -> None:
    write(folder, rule(examples={"match": [{"sh": "haystack"}]}))
    result = validate(folder)
    assert result.exit_code == 1
    assert "example does not match by fallback [example]" in result.stderr
    items = json.loads(validate(folder, "--json").stdout)["items"]
    assert {item["code"] for item in items} == {"example"}
    assert all(item["line"] and item["rule"] == "T-1" for item in items)


@pytest.mark.parametrize("arguments", [(), ("",), ("  ",), ("a", "b"), ("a", "--loud")])
def test_wrong_usage_is_not_a_verdict_on_a_pack(arguments: tuple[str, ...]) -> None:
    assert validate(*arguments).exit_code == 2


def test_a_folder_that_is_none_is_an_invalid_pack(tmp_path: Path) -> None:
    result = validate(tmp_path / "nowhere", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"]["code"] == "directory_not_found"


def test_what_an_author_may_not_expect_is_noted(folder: Path) -> None:
    (folder / "suppressions.yaml").write_text(
        "version: 1\npre_judge_strips: []\nfinding_suppressions: []\ntool_suppressions: []\n"
    )
    write(folder, rule(id="CMD-RM-RF"), rule(id="T-2"), category="c2")
    found = list(check_directory(folder).notices)
    assert any(note.startswith("suppressions.yaml is well-formed and has no") for note in found)
    assert any("category c2 is replaced as a whole" in note for note in found)
    assert "the built-in rule CMD-RM-RF of command is replaced" in found
    assert "2 of 2 rules bring no examples and were not tried" in found
    assert "c2" not in " ".join(notices(pack(rule(examples=EXAMPLES), category="house")))


def test_a_pack_is_put_in_force_and_out_again(home: Path, folder: Path) -> None:
    assert run("guardrail", "use-pack", folder, "--yes").exit_code == 0
    text = (home / "config.toml").read_text()
    assert f'rule_pack_dir = "{folder}"' in text
    (row,) = json.loads(run("guardrail", "list-packs", "--json").stdout)["items"]
    assert (row["connector"], row["source"], row["state"]) == (KEY, "global", "not running")
    assert run("guardrail", "use-pack", "--none", "--connector", KEY, "--yes").exit_code == 0
    (row,) = json.loads(run("guardrail", "list-packs", "--json").stdout)["items"]
    assert (row["rule_pack_dir"], row["source"]) == ("", "connector")
    assert run("guardrail", "use-pack", "--inherit", "--connector", KEY, "--yes").exit_code == 0
    assert run("guardrail", "use-pack", "--none", "--yes").exit_code == 0
    assert "rule_pack_dir" not in (home / "config.toml").read_text()


def test_an_invalid_pack_changes_nothing(home: Path, folder: Path) -> None:
    before = (home / "config.toml").read_text()
    write(folder, rule(pattern="("))
    result = run("guardrail", "use-pack", folder, "--yes")
    assert result.exit_code == 1
    assert "[regex]" in result.stderr
    assert "validate-pack" in result.stderr
    assert (home / "config.toml").read_text() == before


@pytest.mark.parametrize(
    "arguments", [(), ("--none", "--inherit"), ("--inherit",), ("x", "--none")]
)
def test_use_pack_needs_exactly_one_wish(home: Path, arguments: tuple[str, ...]) -> None:
    assert run("guardrail", "use-pack", *arguments, "--yes").exit_code == 2


def test_a_broken_pack_in_the_configuration_is_listed(home: Path, folder: Path) -> None:
    run("guardrail", "use-pack", folder, "--yes")
    write(folder, rule(pattern="("))
    (row,) = json.loads(run("guardrail", "list-packs", "--json").stdout)["items"]
    assert row["state"] == "unusable"
    assert "[regex]" in row["problem"]
    assert "unusable" in run("guardrail", "list-packs").stdout


def test_rules_of_a_pack_are_listed_shown_and_tested(folder: Path) -> None:
    listed = json.loads(run("rules", "list", "--pack", folder, "--json").stdout)["items"]
    assert {"T-1", "CMD-RM-RF"} <= {item["id"] for item in listed}
    assert "sh: needle" in run("rules", "show", "T-1", "--pack", folder).stdout
    tested = run("rules", "test", "--pack", folder)
    assert (tested.exit_code, tested.stdout) == (0, "1 rules, 2 examples: all hold\n")


def test_testing_rules_fails_where_an_example_does_not_hold(folder: Path) -> None:
    write(folder, rule(examples=EXAMPLES), rule(id="T-2", examples={"match": [{"sh": "hay"}]}))
    result = run("rules", "test", "--pack", folder, "--json")
    document = json.loads(result.stdout)
    assert (result.exit_code, document["rules"], document["examples"]) == (1, 2, 3)
    assert {item["rule"] for item in document["items"]} == {"T-2"}
    assert run("rules", "test", "T-1", "--pack", folder).exit_code == 0
    assert run("rules", "test", "T-2", "--pack", folder).exit_code == 1


def test_one_built_in_rule_is_tested_by_both_routes() -> None:
    result = run("rules", "test", "CMD-RM-RF")
    assert result.exit_code == 0
    assert result.stdout.startswith("1 rules, ")
    assert run("rules", "test", "NO-SUCH-RULE").exit_code == 1


def test_explain_and_eval_judge_with_a_pack(folder: Path, tmp_path: Path, home: Path) -> None:
    shown = run("explain", "--pack", folder, "--json", "needle --sharp")
    assert "T-1" in json.loads(shown.stdout)["rule_ids"]
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"id": "1", "shell": "posix", "command": "needle"}\n')
    strict = folder.rename(tmp_path / "strict")
    evaluated = run("eval", "--input", source, "--output", target, "--pack", strict)
    assert evaluated.exit_code == 0
    assert json.loads(target.read_text())["action"] == "block"  # HIGH, under strict by its name
    run("eval", "--input", source, "--output", target, "--pack", strict, "--profile", "default")
    assert json.loads(target.read_text())["action"] == "confirm"
