"""Registration in the form of Windows: another file, encoded scripts and words, no records."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path, PureWindowsPath
from typing import Any

import pytest

from defenseclaw.config import toml_document
from defenseclaw.connectors import (
    CONNECTORS,
    MARKER,
    TOMBSTONE_MARKER,
    Connector,
    decode_command,
    disarmed,
)
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import FailMode
from defenseclaw.errors import SetupError
from defenseclaw.platform import DataHome, Host
from defenseclaw.setup import (
    installed_fail_mode,
    register,
    remove_credentials,
    residue,
    unregister,
    verify_registered,
)
from defenseclaw.setup.apply import check_host
from defenseclaw.setup.plan import desired_hooks, plan_hooks
from defenseclaw.setup.probe import default_contract
from defenseclaw.setup.target import launcher_command, ownership, policy_problem, registered_path
from tests.setup.world import ACTION, World, make_world
from tests.setup.world import WINDOWS_KEYS as KEYS

POWERSHELL = "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe"
GOLDEN = Path(__file__).parent / "golden"


def windows(root: Path) -> Host:
    """A machine whose folder of programs is in the test's own folder."""
    return Host(Platform.WINDOWS, POWERSHELL, str(root / "programs"))


@dataclass(frozen=True, slots=True)
class Windows:
    """One user of one agent on Windows."""

    world: World

    @property
    def connector(self) -> Connector:
        return self.world.connector

    @property
    def home(self) -> DataHome:
        return DataHome(self.world.root / "data" / "Zoë O'Neil’s", host=windows(self.world.root))

    @property
    def folder(self) -> Path:
        return self.world.root / "user" / self.connector.registration.home_default

    @property
    def file(self) -> Path:
        return self.folder / self.connector.registration.files[Platform.WINDOWS]

    def register(self, **changes: Any) -> Any:
        posture = replace(ACTION, **changes)
        return register(self.connector, self.home, posture, self.world.options)

    def unregister(self) -> Any:
        return unregister(self.connector, self.home, self.world.options)

    def problems(self) -> tuple[str, ...]:
        return verify_registered(self.connector, self.home, self.world.options).problems

    def residue(self) -> tuple[str, ...]:
        return residue(self.connector, self.home, self.world.options)

    def handlers(self) -> list[tuple[str, dict[str, Any]]]:
        raw = self.file.read_text(encoding="utf-8")
        data = tomllib.loads(raw) if self.file.suffix == ".toml" else json.loads(raw)
        return [
            (event, handler)
            for event, groups in data["hooks"].items()
            for group in groups
            for handler in group["hooks"]
        ]


@pytest.fixture(params=KEYS)
def user(request: pytest.FixtureRequest, tmp_path: Path) -> Windows:
    """A user of each agent in turn."""
    return Windows(make_world(tmp_path, request.param))


@pytest.fixture
def encoded(tmp_path: Path) -> Windows:
    """A user of the agent whose hooks are encoded scripts."""
    return Windows(make_world(tmp_path, "codex"))


@pytest.fixture
def words(tmp_path: Path) -> Windows:
    """A user of the agent whose hooks are words."""
    return Windows(make_world(tmp_path, "claudecode"))


def test_setup_registers_the_whole_contract_and_removal_leaves_nothing(user: Windows) -> None:
    report = user.register()
    assert user.file in report.changed
    assert user.problems() == ()
    events = [event for event, _ in user.handlers()]
    assert sorted(events) == sorted(default_contract(user.connector).events)
    assert user.residue()
    assert user.register().changed == ()
    user.unregister()
    assert not user.file.exists()
    assert user.residue() == ()
    assert user.unregister().changed == ()


def test_a_foreign_hook_stays_and_the_file_comes_back_byte_for_byte(user: Windows) -> None:
    user.folder.mkdir(parents=True)
    raw = (
        '# mine\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "C:\\\\a.exe"\n'
        if user.file.suffix == ".toml"
        else '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "C:\\\\a.exe"}]}]}}\n'
    )
    user.file.write_text(raw, encoding="utf-8")
    user.register()
    assert ("Stop", "C:\\a.exe") in [(e, h["command"]) for e, h in user.handlers()]
    assert user.file in user.unregister().restored
    assert user.file.read_text(encoding="utf-8") == raw


def test_both_commands_are_the_same_encoded_script_that_reads_our_launcher(
    encoded: Windows,
) -> None:
    encoded.register()
    launcher = encoded.home.launcher(encoded.connector.key)
    assert launcher.suffix == ".ps1"
    for _, handler in encoded.handlers():
        assert handler["command"] == handler["command_windows"]
        assert "args" not in handler
        script = decode_command(handler["command"])
        assert script is not None
        assert handler["command"].startswith(f"{POWERSHELL} -NoLogo -NoProfile -NonInteractive ")
        quoted = str(launcher).replace("'", "''").replace("’", "’’")
        assert f"$launcher = '{quoted}'" in script
    text = launcher.read_text(encoding="utf-8")
    assert text.splitlines()[0] == MARKER
    assert "state" not in tomllib.loads(encoded.file.read_text(encoding="utf-8"))["hooks"]


def test_words_start_the_isolated_client_with_the_settings_of_this_home(words: Windows) -> None:
    words.register()
    conf = words.home.hook_conf(words.connector.key)
    for _, handler in words.handlers():
        assert Path(handler["command"]).is_absolute()
        *options, client, settings = handler["args"]
        assert options == ["-I", "-S"]
        assert Path(client).name == "direct.py"
        assert settings == str(conf)
    assert not words.home.launcher(words.connector.key).exists()


def test_the_registered_text_survives_a_change_of_the_fail_mode(user: Windows) -> None:
    user.register()
    before = user.file.read_bytes()
    assert installed_fail_mode(user.connector, user.home) is FailMode.CLOSED
    report = user.register(fail_mode=FailMode.OPEN)
    assert user.file.read_bytes() == before
    assert user.home.hook_conf(user.connector.key) in report.changed
    assert installed_fail_mode(user.connector, user.home) is FailMode.OPEN


def test_removal_leaves_what_running_agents_name_without_effect(user: Windows) -> None:
    user.register()
    path = registered_path(user.connector, user.home)
    changed = user.unregister().changed
    text = path.read_text(encoding="utf-8")
    assert path in changed
    assert TOMBSTONE_MARKER in text or "removed=yes" in text
    assert installed_fail_mode(user.connector, user.home) is None
    assert not user.home.hook_token(user.connector.key).exists()
    assert remove_credentials(user.connector, user.home) == ()
    assert path.read_text(encoding="utf-8") == text
    user.register()
    assert user.problems() == ()


def test_older_hooks_in_the_users_file_are_moved_to_the_managed_one(encoded: Windows) -> None:
    on_windows = encoded.home
    older = encoded.folder / "config.toml"
    encoded.folder.mkdir(parents=True)
    mine = '# mine\nmodel = "x"\n'
    command = launcher_command(encoded.connector, on_windows)
    owner = ownership(encoded.connector, on_windows)
    wanted = desired_hooks(encoded.connector, default_contract(encoded.connector), command)
    document = toml_document(mine.encode())
    older.write_bytes(
        document.edited(
            plan_hooks(
                document.data, wanted, owner, encoded.connector.registration.layout, positional=True
            ).data
        )
    )
    assert encoded.residue()
    report = encoded.register()
    assert older in report.changed
    assert older.read_text(encoding="utf-8") == mine
    assert encoded.problems() == ()
    assert encoded.register().changed == ()


def test_an_older_handler_in_the_users_file_is_a_problem(encoded: Windows) -> None:
    encoded.register()
    older = encoded.folder / "config.toml"
    path = str(encoded.home.launcher("codex")).replace("\\", "\\\\")
    older.write_text(
        f'[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "{path}"\n',
        encoding="utf-8",
    )
    assert any("older handler" in problem for problem in encoded.problems())
    encoded.unregister()
    assert encoded.residue() == ()


def test_a_switch_in_the_users_file_is_refused_before_anything_is_written(
    encoded: Windows,
) -> None:
    encoded.folder.mkdir(parents=True)
    (encoded.folder / "config.toml").write_text("[features]\nhooks = false\n", encoding="utf-8")
    with pytest.raises(SetupError, match="would ignore every hook"):
        encoded.register()
    assert not encoded.file.exists()
    (encoded.folder / "config.toml").write_text("", encoding="utf-8")
    encoded.register()
    (encoded.folder / "config.toml").write_text("[features]\nhooks = false\n", encoding="utf-8")
    assert any("hooks are ignored" in problem for problem in encoded.problems())


def test_a_managed_only_requirement_allows_the_managed_file(encoded: Windows) -> None:
    answer = '{"id": 2, "result": {"requirements": {"allowManagedHooksOnly": true}}}'
    encoded.world.program(
        '#!/bin/sh\ntest "$1" = --version && echo "codex-cli 0.171.0" && exit 0\n'
        "while read -r line; do case $line in\n"
        f"*configRequirements*) echo '{answer}' ;; esac; done\n"
    )
    encoded.register()
    assert encoded.problems() == ()
    with pytest.raises(SetupError, match="managed hooks only"):
        encoded.world.register()


def test_an_administrators_file_below_the_programs_folder_counts(words: Windows) -> None:
    folder = words.world.root / "programs" / "ClaudeCode" / "managed-settings.d"
    folder.mkdir(parents=True)
    (folder / "10.json").write_text('{"disableAllHooks": true}', encoding="utf-8")
    with pytest.raises(SetupError, match="disableAllHooks"):
        words.register()


@pytest.mark.parametrize(
    "text,refused",
    [('{"allowManagedHooksOnly": true}', True), ('{"disableAllHooks": true}', True),
     ('{"disableAllHooks": false}', False), ("", False), ("{", False)],
)  # fmt: skip
def test_an_administrators_setting_in_the_registry_counts(
    words: Windows, text: str, refused: bool
) -> None:
    asked = []

    def setting(path: str) -> str:
        asked.append(path)
        return text

    home = replace(words.home, host=replace(words.home.host, setting=setting))
    problem = policy_problem(words.connector, home.host)
    assert bool(problem) is refused
    assert asked == ["SOFTWARE\\Policies\\ClaudeCode\\Settings"]


def test_an_agent_without_a_file_for_windows_is_refused_with_those_that_have_one(
    user: Windows,
) -> None:
    files = {Platform.POSIX: "x"}
    other = replace(
        user.connector,
        label="Other",
        registration=replace(user.connector.registration, files=files),
    )
    with pytest.raises(SetupError, match="Other is not supported on windows") as caught:
        check_host(other, user.home)
    assert all(CONNECTORS[key].label in caught.value.hint for key in KEYS)
    check_host(user.connector, user.home)


def test_a_changed_file_is_seen_as_armed_or_not(user: Windows) -> None:
    user.register()
    path = str(registered_path(user.connector, user.home))
    content = user.file.read_bytes()
    assert disarmed(user.connector, content, path) == ""
    assert disarmed(user.connector, content, path + "x")
    first = user.handlers()[0][1]["command"].encode()
    assert first in content.replace(b"\\\\", b"\\")


@pytest.mark.parametrize("key", KEYS)
def test_files_are_those_that_were_reviewed(key: str) -> None:
    connector = CONNECTORS[key]
    home = PureWindowsPath("C:\\Users\\Zoë O'Neil\\.defenseclaw")
    where = DataHome(home, host=Host(Platform.WINDOWS, POWERSHELL))  # type: ignore[arg-type]
    command = launcher_command(connector, where)
    if command.extra[0][0] == "args":
        command = replace(
            command,
            text="C:\\Users\\Zoë O'Neil\\venv\\Scripts\\python.exe",
            extra=(("args", ("-I", "-S", "C:\\direct.py", command.extra[0][1][-1])),),
        )
    hooks = desired_hooks(connector, default_contract(connector), command)
    owner = ownership(connector, where)
    empty = plan_hooks({}, hooks, owner, connector.registration.layout, positional=False).data
    if connector.registration.files[Platform.WINDOWS].endswith(".toml"):
        text = toml_document(b"").edited(empty).decode()
    else:
        text = json.dumps(empty, indent=2, ensure_ascii=False) + "\n"
    golden = GOLDEN / f"windows-{key}{Path(connector.registration.files[Platform.WINDOWS]).suffix}"
    assert text == golden.read_text(encoding="utf-8")
    assert all(owner.owns(hook.handler()) for hook in hooks)
