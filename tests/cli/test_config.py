"""``config`` shows what is written and what is in force, and refuses what cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from defenseclaw.cli.main import main
from defenseclaw.connectors import CONNECTORS

KEY = next(iter(CONNECTORS))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "home"
    root.mkdir(mode=0o700)
    monkeypatch.setenv("DEFENSECLAW_HOME", str(root))
    return root


def write(home: Path, text: str) -> None:
    path = home / "config.toml"
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_missing_configuration_names_the_next_command(home: Path) -> None:
    result = run("config", "validate")
    assert result.exit_code == 1
    assert "defenseclaw setup" in result.stderr
    assert not list(home.iterdir())


def test_path_is_inside_the_data_home(home: Path) -> None:
    assert run("config", "path").stdout.strip() == str(home / "config.toml")


def test_show_prints_the_file_as_it_is(home: Path) -> None:
    write(home, "# mine\nconfig_version = 1\n")
    assert run("config", "show").stdout == "# mine\nconfig_version = 1\n"


def test_effective_values_say_where_they_come_from(home: Path) -> None:
    write(
        home,
        'config_version = 1\n[guardrail]\nmode = "action"\n'
        f'[guardrail.connectors.{KEY}]\nfail_mode = "open"\n',
    )
    items = json.loads(run("config", "show", "--json").stdout)["items"]
    found = {i["setting"]: (i["value"], i["source"]) for i in items}
    assert found["mode"] == ("action", "global")
    assert found["fail_mode"] == ("open", "connector")
    assert found["profile"] == ("default", "default")
    assert "connector" in run("config", "show", "--effective").stdout


@pytest.mark.parametrize(
    "text",
    [
        "config_version = 99\n",
        "[guardrail]\nmode = 'enforce'\n",
        "[guardrail]\nmodee = 'action'\n",
        "[guardrail\n",
        "[gateway]\nport = 0\n",
        "[gateway]\nport = '18970'\n",
    ],
)
def test_unusable_configuration_is_an_error_that_names_the_file(home: Path, text: str) -> None:
    write(home, text)
    result = run("config", "validate")
    assert result.exit_code == 1
    assert "config.toml" in result.stderr
    assert "Traceback" not in result.output


def test_valid_configuration_is_said_to_be_valid(home: Path) -> None:
    write(home, "config_version = 1\n")
    assert run("config", "validate").stdout == "valid\n"
    assert json.loads(run("config", "validate", "--json").stdout)["ok"] is True


WRAPPER = '[[analysis.wrappers]]\ncommand = "{} run --"\n'


def test_declared_wrappers_are_shown_and_explained(home: Path) -> None:
    write(home, WRAPPER.format("mytool"))
    assert json.loads(run("config", "show", "--json").stdout)["wrappers"] == ["mytool run --"]
    assert "declared wrapper: mytool run --" in run("config", "show", "--effective").stdout
    shown = run("explain", "--shell", "posix", "--", "mytool run -- rm -rf /etc").stdout
    assert "`mytool run --` is a declared wrapper" in shown
    assert "verdict   block" in shown


def test_a_wrapper_that_hides_a_known_program_is_not_valid(home: Path) -> None:
    write(home, WRAPPER.format("git"))
    result = run("config", "validate")
    assert result.exit_code == 1
    assert "declares git, which is already understood" in result.stderr
