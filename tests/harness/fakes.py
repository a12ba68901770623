"""Stand-ins for the agents' programs where only their name and version matter."""

from __future__ import annotations

from pathlib import Path

VERSION_TEXTS = {"claude": "2.1.197 (Claude Code)", "codex": "codex-cli 0.171.0"}
PROGRAM = '#!/bin/sh\n[ "$1" = --version ] && echo "{text}" && exit 0\nexit 1\n'


def write_fake_agents(folder: Path) -> Path:
    """Programs that know their version and nothing else; the folder for the search path."""
    folder.mkdir(parents=True)
    for name, text in VERSION_TEXTS.items():
        program = folder / name
        program.write_text(PROGRAM.format(text=text), encoding="utf-8")
        program.chmod(0o755)
    return folder
