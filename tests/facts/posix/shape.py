"""What other steps rely on in every parsed script."""

from __future__ import annotations

from itertools import pairwise

from defenseclaw.core.facts import ByteKind, ParseStatus
from defenseclaw.facts.script import Script


def check_shape(script: Script) -> None:
    """Everything that other steps rely on."""
    size = len(script.source)
    spans = script.spans
    assert all(0 <= s.start < s.end <= size for s in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert {s.kind for s in spans} <= {ByteKind.COMMENT, ByteKind.UNKNOWN}
    assert all(0 <= start < end <= size for start, end in script.code_ranges)
    ids = [c.id for c in script.commands]
    assert ids == list(range(1, len(ids) + 1))
    for command in script.commands:
        assert command.parent_id < command.id
        assert set(command.stdin_from) <= set(ids)
        assert 0 <= command.start <= command.end <= size
        for word in command.words:
            assert 0 <= word.start <= word.end <= size
            assert set(word.sources) <= set(ids)
            assert word.value is not None or not word.example
    assert (script.status is ParseStatus.COMPLETE) == (not script.issues)
