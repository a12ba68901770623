"""The client stays small: what it loads is what a bare interpreter has, and a little C."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import pytest

from tests.hook.stub import ALLOW, HOOK, event, install, run, serving

ALLOWED = {"client", "answers", "wire", "_socket", "_json", "_sha2", "_sha256", "errno", "time"}
ALLOWED |= {"_signal"}
PROBE = """
import sys
sys.path.insert(0, {folder!r})
import client
answer = client.run([{conf!r}])
client.posix.write(1, " ".join([str(answer[2]), *sys.modules]).encode())
"""


def modules(code: str, payload: bytes = b"") -> set[str]:
    done = run([sys.executable, "-I", "-S", "-c", code], payload)
    assert done.stderr == ""
    return set(done.stdout.split())


def test_answered_call_loads_only_the_client_and_c_modules(tmp_path: Path) -> None:
    bare = modules("import sys; print(' '.join(sys.modules), end='')")
    with serving(ALLOW) as stub:
        made = install(tmp_path / "h", port=stub.port)
        code = PROBE.format(folder=str(HOOK), conf=str(made.conf))
        loaded = modules(code, json.dumps(event()).encode())
    assert loaded - bare <= ALLOWED | {"0"}
    assert "0" in loaded
    assert len(stub.requests) == 1


@pytest.mark.parametrize(
    "name", ["client", "wire", "failure", "coldstart", "answers", "boot", "direct"]
)
def test_module_imports_nothing_that_is_slow_to_start(name: str) -> None:
    allowed = {
        *("sys", "posix", "nt", "time", "errno", "marshal", "_socket", "_json", "_signal"),
        *("_sha2", "_sha256"),
        *("client", "wire", "answers", "defenseclaw.hook"),
        *(f"defenseclaw.hook.{module}" for module in ("client", "wire", "answers")),
        # only in the failure path, in interpreters without the C module, or for type checking
        *("fcntl", "pwd", "socket", "json", "hashlib", "typing", "collections.abc"),
        # only on Windows, and only where nobody listens
        *("winstart", "defenseclaw.hook.winstart"),
    }
    tree = ast.parse((HOOK / f"{name}.py").read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= allowed
        elif isinstance(node, ast.ImportFrom):
            assert node.module in allowed
