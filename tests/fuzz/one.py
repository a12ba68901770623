"""Fuzzes one target in this process: ``python -m tests.fuzz.one TARGET LIBFUZZER-ARGUMENT…``."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["defenseclaw"]):
    from tests.fuzz.targets import TARGETS, canary

from tests.fuzz.pace import paced


def main() -> None:
    """Hand the target to the fuzzer, which ends the process."""
    name, *arguments = sys.argv[1:]
    target = {**TARGETS, "canary": canary}[name]
    atheris.Setup([sys.argv[0], *arguments], lambda data: paced(target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
