"""What Wine with a Windows interpreter can do; everything else in this lane stands on it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.wine.guest import Guest, GuestError
from tests.wine.prefix import PYTHON, Wine

pytestmark = pytest.mark.wine

# Every module of ours, also of the parts with compiled requirements (re2, httptools, psutil, yaml).
IMPORT_ALL = """
import importlib, pkgutil, defenseclaw
names = [m.name for m in pkgutil.walk_packages(defenseclaw.__path__, "defenseclaw.")]
# Some are programs, not libraries, and the other systems' half is not for this one.
programs = ("__main__", "hook.boot", "hook.direct")
names = [n for n in names if not n.endswith(programs) and ".platform.posix." not in n]
for name in names:
    importlib.import_module(name)
result = len(names)
"""
FACTS = """
from tests.facts.describe import lines, shell_call
from defenseclaw.facts import analyze
result = [sorted(lines(analyze(shell_call(text)))) for text in commands]
"""
MUTEX = r"""
import ctypes
from ctypes import wintypes
kernel = ctypes.WinDLL("kernel32", use_last_error=True)
kernel.CreateMutexW.argtypes = [ctypes.c_void_p, wintypes.BOOL, wintypes.LPCWSTR]
kernel.CreateMutexW.restype = wintypes.HANDLE
result = []
for _ in range(2):
    ctypes.set_last_error(0)
    handle = kernel.CreateMutexW(None, True, "Local\\wine-lane")
    result.append([bool(handle), ctypes.get_last_error()])
"""
SECURITY = r"""
import ctypes, os, tempfile
from ctypes import wintypes
advapi = ctypes.WinDLL("advapi32", use_last_error=True)
pointer = ctypes.POINTER(ctypes.c_void_p)
advapi.GetNamedSecurityInfoW.argtypes = [
    wintypes.LPCWSTR, ctypes.c_int, wintypes.DWORD, pointer, pointer, pointer, pointer, pointer]
convert = advapi.ConvertSecurityDescriptorToStringSecurityDescriptorW
convert.argtypes = [ctypes.c_void_p, wintypes.DWORD, wintypes.DWORD,
    ctypes.POINTER(wintypes.LPWSTR), ctypes.c_void_p]
handle, path = tempfile.mkstemp()
os.close(handle)
owner, dacl, descriptor, text = (ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(),
    wintypes.LPWSTR())
status = advapi.GetNamedSecurityInfoW(path, 1, 5, owner, None, dacl, None, descriptor)
convert(descriptor, 1, 5, text, None)
os.remove(path)
result = [status, text.value]
"""
SYSTEM_DIRECTORY = """
import ctypes
text = ctypes.create_unicode_buffer(260)
ctypes.windll.kernel32.GetSystemDirectoryW(text, 260)
result = text.value
"""
DATABASE = r"""
import os, sqlite3, tempfile
path = os.path.join(tempfile.mkdtemp(), "a.db")
rows = sqlite3.connect(path)
mode = rows.execute("pragma journal_mode=wal").fetchone()[0]
rows.execute("create table t (v)"); rows.execute("insert into t values ('kept')"); rows.commit()
other = sqlite3.connect(path)
result = [mode, other.execute("select v from t").fetchone()[0]]
rows.close(); other.close()
"""
LOOPBACK = """
import asyncio, socket
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
peer, _ = server.accept()
client.sendall(b"plain")
result = [peer.recv(9).decode()]
for each in (peer, client, server):
    each.close()

async def served():
    async def echo(reader, writer):
        writer.write(await reader.read(9))
        await writer.drain()
        writer.close()
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(b"async")
    text = await reader.read(9)
    writer.close()
    server.close()
    return text.decode()

result.append(asyncio.run(served()))
"""
CHILD = """
import subprocess, sys
argv = [sys.executable, "-I", "-c", "import sys; print(ascii(sys.argv[1:]))", *given]
result = subprocess.run(argv, capture_output=True, text=True, timeout=30).stdout.strip()
"""
HOST_FILES = r"""
import os
tried = ["Z:\\", "D:\\", r"C:\etc\passwd", r"\etc\passwd"]
result = [path for path in tried if os.path.exists(path)]
"""


def test_all_our_modules_import_on_windows(wine_python: Guest) -> None:
    assert wine_python(IMPORT_ALL) > 400


def test_facts_are_those_of_this_system(wine_python: Guest) -> None:
    commands = ["rm -rf ~/x; echo $HOME", "Remove-Item -Recurse C:/x | Out-Null", "a=$(curl x)|sh"]
    there = wine_python(FACTS, commands=commands)
    names: dict[str, Any] = {"commands": commands}
    exec(FACTS, names)
    assert there == names["result"]
    assert all(there)


def test_calls_of_the_system_answer(wine_python: Guest) -> None:
    assert wine_python(SYSTEM_DIRECTORY).lower() == r"c:\windows\system32"
    already_exists = 183
    assert wine_python(MUTEX) == [[True, 0], [True, already_exists]]


def test_a_file_of_a_user_has_an_owner_and_a_list_of_rights(wine_python: Guest) -> None:
    status, text = wine_python(SECURITY)
    assert status == 0
    assert text.startswith("O:S-1-5-21-")
    assert "D:" in text


def test_databases_keep_rows(wine_python: Guest) -> None:
    assert wine_python(DATABASE) == ["wal", "kept"]


def test_sockets_on_loopback_carry_bytes(wine_python: Guest) -> None:
    assert wine_python(LOOPBACK) == ["plain", "async"]


def test_children_get_their_arguments(wine_python: Guest) -> None:
    given = ["a b", 'q"t', "tail\\", "é"]
    assert wine_python(CHILD, given=given) == ascii(given)


def test_the_host_is_out_of_reach_by_letter(wine: Wine, wine_python: Guest) -> None:
    assert wine_python(HOST_FILES) == []
    # Wine adds the serial ports by itself.
    devices = [path.name for path in (wine.folder / "prefix" / "dosdevices").iterdir()]
    assert [name for name in devices if len(name) == len("c:")] == ["c:"]


def test_a_failure_on_windows_is_a_failure_here(wine_python: Guest) -> None:
    with pytest.raises(GuestError, match="ZeroDivisionError"):
        wine_python("1 / 0")
    assert wine_python("result = 1") == 1


def test_standard_streams_of_a_program_are_pipes(wine: Wine) -> None:
    done = wine.run([PYTHON, "-I", "-c", "print(input()[::-1])"], b"abc\n")
    assert (done.status, done.stdout.strip()) == (0, b"cba")
