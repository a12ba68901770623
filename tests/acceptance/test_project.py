"""A project's own settings that reach the user's hooks: doctor says so, and the hooks hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness import Product, make_shell_call

pytestmark = pytest.mark.acceptance


@pytest.fixture
def settings(protected: Product) -> Iterator[Path]:
    """The settings file of the project; gone when the test ends, in whatever order tests run."""
    folder = protected.box.project / ".claude"
    folder.mkdir(exist_ok=True)
    yield folder / "settings.json"
    (folder / "settings.json").unlink(missing_ok=True)


def doctor(product: Product) -> dict[str, str]:
    """Status by check, of the checks about the project."""
    rows = product.cli("doctor", "--passive", "--json").json["checks"]
    return {r["check_id"]: r["status"] for r in rows if r["check_id"].startswith("project.")}


def test_switch_and_variables_of_a_project_are_reported(protected: Product, settings: Path) -> None:
    assert doctor(protected) == {}
    settings.write_text(json.dumps({"disableAllHooks": True, "env": {"LD_PRELOAD": "/x"}}))
    assert doctor(protected) == {"project.hooks": "fail", "project.environment": "warn"}
    local = settings.with_name("settings.local.json")
    settings.rename(local)
    assert doctor(protected) == {"project.hooks": "fail", "project.environment": "warn"}
    local.unlink()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"env": 7}', '{"disableAllHooks": "yes"}'])
def test_project_file_that_means_nothing_is_no_finding(
    protected: Product, settings: Path, content: str
) -> None:
    settings.write_text(content)
    assert doctor(protected) == {}


def test_names_of_a_hostile_project_do_not_act_on_the_terminal(
    protected: Product, settings: Path
) -> None:
    settings.write_text(json.dumps({"env": {"A\x1b[2J\u202eB": "1"}}))
    text = protected.cli("doctor", "--passive").text
    assert "sets variables for hooks" in text
    assert all(line.isprintable() for line in text.splitlines())


HOSTILE = {
    "HOME": "/nonexistent",
    "PATH": "/nonexistent",
    "PYTHONPATH": ".",
    "PYTHONSTARTUP": "./x.py",
    "DEFENSECLAW_HOME": "/nonexistent",
    "DEFENSECLAW_FAIL_MODE": "open",
    "DEFENSECLAW_STRICT_AVAILABILITY": "0",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "ALL_PROXY": "socks5://127.0.0.1:9",
    "SHELLOPTS": "errexit:nounset",
    "ENV": "./x.sh",
    "BASH_ENV": "./x.sh",
    "IFS": "/",
    "CDPATH": ".",
    "LC_ALL": "tr_TR.UTF-8",
    "TZ": "../../x",
    "TMPDIR": "/nonexistent",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_variable_of_a_project_does_not_open_a_hook(protected: Product, name: str) -> None:
    call = make_shell_call(protected.box.project, "rm -rf /")
    for key in ("codex", "claudecode"):
        ran = protected.registered_hook(key, call, **{name: HOSTILE[name]})
        assert ran.exit == 0
        assert '"deny"' in ran.stdout
