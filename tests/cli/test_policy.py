"""``policy``: what is printed, what is refused, and the exit status of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from defenseclaw.cli.main import main
from defenseclaw.core.verdict import Profile
from defenseclaw.policy import DOMAINS

CONNECTION = {"target_type": "skill", "destination": "a.example", "port": 1, "protocol": "tcp"}
MODULE = 'package defenseclaw.firewall\naction := "allow"\nrule_name := input.protocol\n'


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["policy", *map(str, arguments)])


@pytest.fixture
def connection(tmp_path: Path) -> Path:
    path = tmp_path / "input.json"
    path.write_text(json.dumps(CONNECTION), encoding="utf-8")
    return path


def make_folder(root: Path, module: str = MODULE, data: str = "") -> Path:
    folder = root / "policy"
    folder.mkdir()
    if module:
        (folder / "firewall.rego").write_text(module, encoding="utf-8")
    if data:
        (folder / "data.json").write_text(data, encoding="utf-8")
    return folder


def test_every_domain_is_listed_and_shown_under_every_profile() -> None:
    listed = json.loads(run("list", "--json").stdout)
    assert [row["domain"] for row in listed["items"]] == [name.value for name in DOMAINS]
    for name, domain in DOMAINS.items():
        for profile in Profile:
            shown = json.loads(run("show", name, "--profile", profile, "--json").stdout)
            assert (shown["schema"], shown["profile"]) == (1, profile.value)
            assert shown["answer"] == list(domain.answer.fields)
        assert f"{name}: " in run("show", name).stdout


def test_the_table_or_the_modules_answer(connection: Path, tmp_path: Path) -> None:
    by_table = run("evaluate", "firewall", "--input", connection, "--json")
    assert by_table.exit_code == 0
    assert json.loads(by_table.stdout) == {
        "schema": 1, "domain": "firewall", "by": "table", "error": None,
        "answer": {"action": "deny", "rule_name": "default-policy"},
    }  # fmt: skip
    folder = make_folder(tmp_path)
    by_module = run("evaluate", "firewall", "--input", connection, "--rego", folder, "--json")
    assert by_module.exit_code == 0
    assert json.loads(by_module.stdout)["answer"] == {"action": "allow", "rule_name": "tcp"}


def test_a_profile_and_data_change_the_tables_answer(connection: Path, tmp_path: Path) -> None:
    def action(*options: str | Path) -> str:
        done = run("evaluate", "firewall", "--input", connection, "--json", *options)
        return str(json.loads(done.stdout)["answer"]["action"])

    assert action("--profile", "permissive") == "allow"
    rows: dict[str, Any] = {"default_action": "deny", "blocked_destinations": []}
    rows |= {"allowed_domains": ["a.example"], "allowed_ports": [1]}
    folder = make_folder(tmp_path, "", json.dumps({"firewall": rows}))
    assert action("--data", folder) == "allow"


def test_a_failed_evaluation_prints_the_safe_answer_and_exits_1(
    connection: Path, tmp_path: Path
) -> None:
    folder = make_folder(tmp_path, MODULE.replace('"allow"', '"whatever"'))
    done = run("evaluate", "firewall", "--input", connection, "--rego", folder, "--json")
    assert done.exit_code == 1
    answer = json.loads(done.stdout)
    assert answer["answer"]["action"] == "deny"
    assert "answer.action" in answer["error"]
    plain = run("evaluate", "firewall", "--input", connection, "--rego", folder)
    assert (plain.exit_code, "answer for errors" in plain.stderr) == (1, True)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"destination": "a"}', "input.target_type"),
        ("[]", "not a JSON object"),
        ("{", "not valid JSON"),
        (json.dumps({**CONNECTION, "port": "1"}), "input.port"),
    ],
)
def test_a_bad_input_is_refused_with_a_next_step(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "input.json"
    path.write_text(text, encoding="utf-8")
    done = run("evaluate", "firewall", "--input", path)
    assert done.exit_code == 1
    assert named in done.stderr
    assert "next:" in done.stderr


def test_usage_errors_exit_2(connection: Path) -> None:
    assert run("evaluate", "nonsense", "--input", connection).exit_code == 2
    assert run("evaluate", "firewall").exit_code == 2
    assert run("show", "firewall", "--profile", "lax").exit_code == 2


@pytest.mark.parametrize(
    ("module", "data", "status", "said"),
    [
        (MODULE, "{}", 0, "decided by modules: firewall"),
        ("", "{}", 0, "1 data files"),
        ("", "", 1, "neither data.json nor"),
        (MODULE + "x := http.send({})\n", "", 1, "firewall.rego:4: http.send may not be used"),
        (MODULE + "{", "", 1, "firewall.rego:4"),
        (MODULE, '{"audit": 1}', 1, "data.audit"),
    ],
)
def test_a_folder_is_valid_or_refused_as_a_whole(
    tmp_path: Path, module: str, data: str, status: int, said: str
) -> None:
    done = run("validate", make_folder(tmp_path, module, data))
    assert (done.exit_code, said in done.stdout + done.stderr) == (status, True)


def test_validation_for_scripts(tmp_path: Path) -> None:
    document = json.loads(run("validate", make_folder(tmp_path), "--json").stdout)
    assert document == {
        "schema": 1, "valid": True, "modules": ["firewall.rego"], "domains": ["firewall"],
    }  # fmt: skip
