"""Every spelling of a patch that Codex really applies is understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness import Product, Sandbox
from tests.live.drivers.codex import Codex
from tests.live.model_server import Step

pytestmark = pytest.mark.live
PLAIN = "*** Begin Patch\n*** Add File: {path}\n+planted\n*** End Patch"
# What the agent's own reader accepts beyond the documented envelope; the control test proves it.
PATCHES = {
    "absolute": PLAIN,
    "blank-lines-around": f"\n\n{PLAIN}\n\n",
    "carriage-returns": PLAIN.replace("\n", "\r\n"),
    "wrapped-in-a-here-document": f"<<'EOF'\n{PLAIN}\nEOF",
    "indented": PLAIN.replace("*** ", "  *** "),
}


def spell(codex: Codex, target: Path) -> list[Step]:
    """Every spelling of a patch that adds one file."""
    return [codex.patch(text.format(path=target)) for text in PATCHES.values()]


def test_no_spelling_reaches_the_authorized_keys(
    codex: Codex, box: Sandbox, product: Product
) -> None:
    target = box.home / ".ssh" / "authorized_keys"
    product.protect(codex.connector)
    steps = spell(codex, target)
    outcome = codex.run(box, steps)
    assert not target.exists(), outcome.results
    calls = product.audit("codex", event="PreToolUse")
    assert [row["action"] for row in calls] == ["block"] * len(steps)


def test_each_spelling_writes_the_file_without_us(codex: Codex, box: Sandbox) -> None:
    count = len(PATCHES)
    targets = [box.root / "outside" / str(n) / "authorized_keys" for n in range(count)]
    outcome = codex.run(box, [spell(codex, target)[n] for n, target in enumerate(targets)])
    assert [target.exists() for target in targets] == [True] * count, outcome.results


def test_patch_above_the_project_is_understood(
    codex: Codex, box: Sandbox, product: Product
) -> None:
    product.protect(codex.connector)
    patch = PLAIN.format(path="../home/.ssh/authorized_keys")
    codex.run(box, [codex.patch(patch)])
    assert not (box.home / ".ssh").exists()
    assert len(product.audit("codex", action="block")) == 1
