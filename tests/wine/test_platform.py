"""Our own Windows half, run by a Windows interpreter: files, lists, locks, processes, places.

Wine keeps a list of rights as the host's permission bits: nothing is ever marked as protected from
above there, and the rights of groups are lost. What is asked for and what is read back is real.
"""

from __future__ import annotations

import pytest

from tests.wine.guest import Guest

pytestmark = pytest.mark.wine

HEAD = """
import os, sys, tempfile, time, subprocess
from pathlib import Path
from defenseclaw import platform
from defenseclaw.platform.fs import FILES
from defenseclaw.platform.windows import descriptor
from defenseclaw.platform.windows.native import NATIVE
folder = Path(tempfile.mkdtemp(prefix="Zo\\u00eb O'Neil "))
def refusal(act):
    try:
        act()
    except platform.UnsafeFileError as error:
        return error.what.replace(str(folder), "")
    return "accepted"
"""


def run(guest: Guest, code: str) -> object:
    return guest(HEAD + code)


def test_a_private_file_is_written_read_and_replaced(wine_python: Guest) -> None:
    code = """
home = folder / "home"
platform.make_private_dir(home)
path = home / "f"
for data in (b"one\\r\\n\\x1a", b"two"):
    platform.write_private(path, data)
    assert platform.read_bounded(path, 99, platform.Trust.SECRET) == data
found = descriptor.parse_descriptor(NATIVE.security_of(path))
result = [
    platform.file_mode(path), platform.file_mode(home), os.listdir(home),
    found.owner == NATIVE.user(),
    sorted(set(e.trustee for e in found.entries) - {NATIVE.user(), descriptor.SYSTEM}),
]
"""
    assert run(wine_python, code) == [0o600, 0o700, ["f"], True, []]


def test_what_everybody_may_do_is_seen(wine_python: Guest) -> None:
    code = """
path = folder / "f"
platform.write_private(path, b"x")
entries = (descriptor.Entry(NATIVE.user(), descriptor.FULL), descriptor.Entry("S-1-1-0", rights))
shared = descriptor.Descriptor(NATIVE.user(), entries, protected=True)
NATIVE.set_access(path, descriptor.pack_descriptor(shared))
result = [platform.file_mode(path)] + [
    refusal(lambda: platform.read_bounded(path, 9, trust))
    for trust in (platform.Trust.OWN, platform.Trust.SECRET)]
"""
    reads = "rights = 0x120089\n" + code
    assert run(wine_python, reads) == [0o604, "accepted", "\\f can be read by other users"]
    writes = "rights = 0x12019f\n" + code
    assert run(wine_python, writes) == [0o606, *["\\f can be changed by other users"] * 2]


def test_a_folder_open_to_others_is_tightened(wine_python: Guest) -> None:
    code = """
(folder / "d").mkdir()
entries = tuple(descriptor.Entry(who, descriptor.FULL, 3) for who in (NATIVE.user(), "S-1-1-0"))
shared = descriptor.Descriptor(NATIVE.user(), entries)
NATIVE.set_access(folder / "d", descriptor.pack_descriptor(shared))
before = platform.file_mode(folder / "d")
platform.make_private_dir(folder / "d")
result = [before, platform.file_mode(folder / "d")]
"""
    assert run(wine_python, code) == [0o706, 0o700]


def test_folders_missing_files_and_devices_are_refused(wine_python: Guest) -> None:
    code = """
result = [refusal(lambda: platform.read_bounded(folder, 9)),
    refusal(lambda: platform.write_private(folder, b"x")), platform.read_optional(folder / "x", 9),
    platform.file_mode(folder / "x"), platform.owner_of(folder / "x").value]
"""
    found = run(wine_python, code)
    assert isinstance(found, list)
    assert "cannot be opened" in found[0] or "not a regular file" in found[0]
    assert found[1:] == [" is not a regular file", None, None, "nobody"]


def test_a_users_file_is_exchanged_and_a_temporary_never_stays(wine_python: Guest) -> None:
    code = """
path = folder / "settings.json"
platform.replace_keeping_mode(path, b"1")
platform.replace_keeping_mode(path, b"2")
result = [path.read_bytes().decode(), os.listdir(folder)]
"""
    assert run(wine_python, code) == ["2", ["settings.json"]]


def test_a_long_path_is_no_obstacle(wine_python: Guest) -> None:
    code = """
deep = folder.joinpath(*["x" * 60] * 5)
platform.make_private_dir(deep)
platform.write_private(deep / "f", b"x")
result = [len(str(deep)) > 300, platform.read_bounded(deep / "f", 9, platform.Trust.OWN).decode()]
"""
    assert run(wine_python, code) == [True, "x"]


def test_a_lock_holds_between_processes(wine_python: Guest) -> None:
    code = """
lock = folder / "lock"
tries = '''
import sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from defenseclaw.platform import *
try:
    with {kind}(Path(sys.argv[1]), 0.0): print("free")
except LockTimeoutError: print("held")
'''
def ask(kind):
    argv = [sys.executable, "-I", "-c", tries.format(kind=kind), str(lock), *sys.path[:3]]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=50)
    return done.stdout.strip() or done.stderr[-300:]
result = []
for kind in ("file_lock", "start_lock"):
    with getattr(platform, kind)(lock, 1.0):
        result.append(ask(kind))
    result.append(ask(kind))
"""
    assert run(wine_python, code) == ["held", "free", "held", "free"]


def test_a_mutex_of_ours_has_our_owner(wine_python: Guest) -> None:
    code = """
from defenseclaw.platform.windows.locks import mutex_name, named_lock
with named_lock(NATIVE, folder, 0.0) as held:
    result = held
"""
    assert run(wine_python, code) is True


def test_a_process_is_recognised_and_ended_by_its_handle(wine_python: Guest) -> None:
    code = """
argv = [sys.executable, "-I", "-c", "import time; print('up', flush=True); time.sleep(50)"]
log = folder / "log"
found = platform.spawn_detached(argv, cwd=folder, environment=dict(os.environ), log=log)
limit = time.monotonic() + 30
while not log.exists() or b"up" not in log.read_bytes():
    assert time.monotonic() < limit
    time.sleep(0.05)
started, image = found.started.split(":", 1)
other = platform.ProcessIdentity(found.pid, str(int(started) + 1) + ":" + image)
result = [image.lower() == sys.executable.lower(), platform.is_running(found),
    platform.terminate(other, 0.2), platform.is_running(found), platform.wait_gone(found, 0.05),
    platform.terminate(found, 20), platform.is_running(found), platform.file_mode(log)]
"""
    assert run(wine_python, code) == [True, True, True, True, False, True, False, 0o600]


def test_own_identity_and_a_version_question(wine_python: Guest) -> None:
    code = """
own = platform.own_identity()
def ask(*argv, limit=50.0):
    return platform.run_probe(argv, timeout_s=limit, environment=dict(os.environ), cwd=folder)
probe = ask(sys.executable, "-I", "-c", "print('codex-cli 1.2.3')")
slow = ask(sys.executable, "-I", "-c", "import time; time.sleep(50)", limit=0.5)
shim = folder / "claude.cmd"
shim.write_text("@echo 2.1.197 (%~nx0 %1)\\n")
asked = ask(str(shim), "--version")
result = [own.pid == os.getpid(), platform.is_running(own), probe.stdout.decode().strip(),
    slow.exit, asked.stdout.decode().strip()]
"""
    assert run(wine_python, code) == [
        True, True, "codex-cli 1.2.3", None, '2.1.197 (claude.cmd "--version")',
    ]  # fmt: skip


def test_places_come_from_the_system_and_no_variable_moves_them(wine_python: Guest) -> None:
    code = """
before = dict(os.environ)
names = ("USERPROFILE", "SystemRoot", "ProgramData", "ProgramFiles", "HOME", "windir")
os.environ.update(dict.fromkeys(names, "C:\\\\evil"))
home = platform.data_home()
result = [str(platform.user_home()), str(home.root), home.host.powershell,
    str(home.managed_policy), home.host.program_files, platform.setup_problem()]
os.environ.clear()
os.environ.update(before)
"""
    home, data, shell, policy, programs, problem = run(wine_python, code)  # type: ignore[misc]
    assert home.lower().startswith("c:\\users\\")
    assert data == f"{home}\\.defenseclaw"
    assert shell.lower() == r"c:\windows\system32\windowspowershell\v1.0\powershell.exe"
    assert policy == r"C:\ProgramData\DefenseClaw\policy.toml"
    assert programs == r"C:\Program Files"
    # Wine's only user has all rights.
    assert problem == "this prompt has an administrator's rights, and the agents have not"


def test_a_program_is_found_in_the_systems_order(wine_python: Guest) -> None:
    code = """
for name in ("a", "b", "project"):
    (folder / name).mkdir()
(folder / "a" / "codex").write_bytes(b"")
(folder / "a" / "codex.ps1").write_bytes(b"")
(folder / "b" / "codex.cmd").write_bytes(b"")
(folder / "b" / "codex.exe").write_bytes(b"MZ")
(folder / "project" / "codex.exe").write_bytes(b"MZ")
path = os.pathsep.join(map(str, (folder / "project", Path("relative"), folder / "a", folder / "b")))
def find(**extra):
    found = platform.find_executable(["codex"], {"Path": path, **extra}, folder / "project")
    return str(found.relative_to(folder)) if found else None
result = [find(), find(PATHEXT=".CMD;.EXE"), find(PATHEXT=".PY;.PS1")]
"""
    assert run(wine_python, code) == ["b\\codex.exe", "b\\codex.cmd", "b\\codex.exe"]


def test_the_logon_value_is_written_and_removed(wine_python: Guest) -> None:
    code = """
entry = platform.logon_entry(platform.DataHome(folder))
name = "DefenseClawGateway"
result = [entry.state().value, entry.enable(), entry.state().value,
    NATIVE.run_value(name).count('"'), entry.disable(), NATIVE.run_value(name)]
"""
    assert run(wine_python, code) == ["off", True, "on", 2, True, None]


def test_an_administrators_setting_is_read_from_the_registry(wine_python: Guest) -> None:
    code = """
import winreg
setting = platform.DataHome(folder).host.setting
path = "SOFTWARE\\\\Policies\\\\ClaudeCode"
with winreg.CreateKey(winreg.HKEY_LOCAL_MACHINE, path) as key:
    winreg.SetValueEx(key, "Settings", 0, winreg.REG_SZ, "{}")
    found = setting(path + "\\\\Settings")
    winreg.DeleteValue(key, "Settings")
result = [found, setting(path + "\\\\Settings"), setting("SOFTWARE\\\\None\\\\x")]
"""
    assert run(wine_python, code) == ["{}", None, None]


def test_configuration_records_and_ledger_work_in_a_private_home(wine_python: Guest) -> None:
    code = """
from defenseclaw.config import edit_config, load_config
from defenseclaw.store import AuditReader, Recorder
home = platform.DataHome(folder / "home")
edit_config(home, {("gateway", "port"): 18971})
with Recorder(home.audit_db, platform.monotonic, lambda what: None):
    pass
AuditReader(home.audit_db).close()
modes = [platform.file_mode(path) for path in (home.config, home.audit_db)]
result = [load_config(home).port, *modes]
"""
    assert run(wine_python, code) == [18971, 0o600, 0o600]
