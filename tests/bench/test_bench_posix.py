"""The cost of parsing shell texts: everyday commands, and texts of the largest size made to hurt.

Processor time of this process, the best of several rounds: a busy machine tells little lies then.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import pytest

from defenseclaw.core.limits import MAX_COMMAND_BYTES
from defenseclaw.facts.posix import parse
from tests.facts.posix.rendering import ENV

pytestmark = pytest.mark.bench

TYPICAL_MS, HOSTILE_MS = 0.1, 100.0  # the budgets of this step
ROUNDS, REPEATS = 9, 60
TYPICAL = (
    "ls -la",
    "git status --short",
    "npm test 2>&1 | tail -20",
    "cd web && npm run build",
    "grep -rn \"needle\" src --include='*.py' | head -20",
    'git add -A && git commit -m "Fix the parser" && git push',
    "python3 -c \"import json; print(json.load(open('a.json'))['x'])\"",
    "cat > notes.md <<'EOF'\n# Notes\n\nSome text.\nEOF",
    "find . -name '*.log' -mtime +7 -exec rm -f {} \\;",
    'for f in *.txt; do echo "$f"; done',
    "rm -rf build && mkdir build && cd build && cmake ..",
    'X=1 y=$(date +%s); echo "$y $X"',
    "curl -fsSL https://h.example/install.sh | sh",
    "docker run --rm -v \"$PWD:/w\" -w /w img sh -c 'make test'",
    "if [ -f a ]; then cat a; else echo none; fi",
)
HOSTILE = {
    "nested $(": "$(", 'nested "$(': '"$(', "(": "(", "((": "((", "$((": "$((", "pipes": "a|",
    "and lists": "a&&", "or lists": "a||", "background": "a&", "${x:-": "${x:-",
    '"${x:-': '"${x:-', "heredocs": "<<a ", "closed heredocs": "cat <<E\nx\nE\n", "quotes": "''",
    "mixed quotes": "'\"'\"'\"'", "backslashes": "\\a", "backquotes": "`a`", "words": "a ",
    "assignments": "a=1 ", "assignment commands": "a=1;", "comments": "#\n", "lines": "\n",
    "open braces": "{a,", "closed braces": "{a,b}", "if": "if a;then ", "functions": "f(){ g;};f;",
    "case": "case x in a) ", "tests": "[[ a && ", "patterns": "@(a|", "subscripts": "a[",
    "classes": "[[a", "values": "x=$x$x;", "evals": "eval a=1;", "loops": "while a;do b;done;",
    "lists of values": "for i in 1 2 3 4 5 6 7 8;do a $i;done;", "aliases": "alias a=b;a;",
    "variables": "$a", "tildes": "~/ ", "arrays": "a+=(b);", "redirections": ">a ", "globs": "*",
}  # fmt: skip
WHOLE = {
    "closed loops in loops": "for i in 1 2 3 4 5 6 7 8;do " * 50 + "x $i;" + "done;" * 50,
    "functions in a chain": "".join(f"f{i}(){{ f{i + 1};f{i + 1};}};" for i in range(60)) + "f0",
    "functions in a long chain": "".join(f"f{i}(){{ f{i + 1};f{i + 1};}};" for i in range(650))
    + "f0;" * 200,
    "loops over many variables": "".join(f"a{i}=1;" for i in range(200))
    + "for i in 1 2 3 4 5 6 7 8; do " * 60
    + "a1=2;"
    + "done;" * 60,
    "many variables": "".join(f"a{i}=1;" for i in range(8000)),
    "many branches": "".join(f"a{i}=1;if b;then c;fi;" for i in range(2500)),
    "evaluated text": "x='" + "a=1;" * 4000 + "';" + 'eval "$x";' * 3000,
    "large arrays": "a=(" + "b " * 2000 + ");" + '"${a[@]}";' * 400,
    "heredocs on one line": "cat " + "<<E " * 8000 + "\n" + "E\n" * 8000,
    "expanding heredoc": "cat <<E\n" + "$x `a` " * 9000 + "\nE\n",
    "noise": "".join(chr(33 + (i * 7919) % 94) for i in range(MAX_COMMAND_BYTES)),
}


def best_ms(work: Callable[[], object], repeats: int, rounds: int) -> float:
    """Milliseconds of processor time for one call, in the best round."""
    found = []
    for _ in range(rounds):
        started = time.process_time()
        for _ in range(repeats):
            work()
        found.append((time.process_time() - started) / repeats * 1000)
    return min(found)


def test_typical_commands_take_a_tenth_of_a_millisecond() -> None:
    figures = {text: best_ms(lambda t=text: parse(t, ENV), REPEATS, ROUNDS) for text in TYPICAL}
    for text, figure in figures.items():
        print(f"{figure:8.3f} ms  {text.splitlines()[0]}")
    print(f"{statistics.median(figures.values()):8.3f} ms  median")
    assert statistics.median(figures.values()) <= TYPICAL_MS


def test_hostile_texts_stay_within_the_budget() -> None:
    texts = {name: piece * (MAX_COMMAND_BYTES // len(piece)) for name, piece in HOSTILE.items()}
    texts |= {name: text[:MAX_COMMAND_BYTES] for name, text in WHOLE.items()}
    figures = {n: best_ms(lambda t=text: parse(t, ENV), 1, 3) for n, text in texts.items()}
    for name, figure in sorted(figures.items(), key=lambda item: -item[1]):
        print(f"{figure:8.1f} ms  {name}")
    assert max(figures.values()) <= HOSTILE_MS
