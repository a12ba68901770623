"""Fuzzes one target in this process: ``python -m tests.fuzz.one TARGET FOLDER ARGUMENT…``.

An input that breaks a promise is written to FOLDER before anything else happens; the fuzzer itself
adds those that hang or take too much memory.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["defenseclaw"]):
    from tests.fuzz.targets import TARGETS, canary

from tests.fuzz.pace import paced


def kept(target: Callable[[bytes], None], prefix: str) -> Callable[[bytes], None]:
    """The target within its pace, which keeps the input that it fails on."""

    def run(data: bytes) -> None:
        try:
            paced(target, data)
        except BaseException:
            Path(prefix + hashlib.sha256(data).hexdigest()[:24]).write_bytes(data)
            raise

    return run


def main() -> None:
    """Hand the target to the fuzzer, which ends the process."""
    name, folder, *arguments = sys.argv[1:]
    target = {**TARGETS, "canary": canary}[name]
    prefix = f"{folder}/{name}-"
    atheris.Setup([sys.argv[0], f"-artifact_prefix={prefix}", *arguments], kept(target, prefix))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
