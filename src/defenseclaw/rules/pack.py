"""Files to a pack: inventory, the order of the checks, and whole-candidate rejection.

A pack has the public layout: rule files in ``rules/``, and parts that steer what this product does
not have (model judges, their suppressions, tool lists, prompt patterns). Those are checked as the
format demands and then have no effect.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from defenseclaw.core.limits import MAX_PACK_BYTES, MAX_PACK_COMPONENTS
from defenseclaw.core.pack import PackCode
from defenseclaw.rules.model import (
    JUDGE_FOLDER,
    LOCAL_PATTERNS_PATH,
    SENSITIVE_TOOLS_PATH,
    SUPPRESSIONS_PATH,
    Pack,
    UnusedPart,
)
from defenseclaw.rules.problem import PackRejectedError
from defenseclaw.rules.reading.component import (
    JUDGE_NAMES,
    ComponentAdmission,
    check_judge,
    check_local_patterns,
    check_sensitive_tools,
    check_suppressions,
)
from defenseclaw.rules.reading.document import Node, parse_document
from defenseclaw.rules.reading.fields import plain
from defenseclaw.rules.reading.rule import Admission, read_category
from defenseclaw.rules.reading.shape import (
    JUDGE,
    LOCAL_PATTERNS,
    RULE_FILE,
    SENSITIVE_TOOLS,
    SUPPRESSIONS,
    Record,
    check_shape,
)

Check = Callable[[Node, str, ComponentAdmission], int]
JUDGE_PATHS = tuple(f"{JUDGE_FOLDER}{name}.yaml" for name in JUDGE_NAMES)
# Components with a fixed name, in the order in which they are decoded.
PARTS: Mapping[str, tuple[Record, Check]] = {
    SUPPRESSIONS_PATH: (SUPPRESSIONS, check_suppressions),
    SENSITIVE_TOOLS_PATH: (SENSITIVE_TOOLS, check_sensitive_tools),
    **dict.fromkeys(JUDGE_PATHS, (JUDGE, check_judge)),
    LOCAL_PATTERNS_PATH: (LOCAL_PATTERNS, check_local_patterns),
}
# The order in which their values are checked: judges before the rules, the others behind them.
LATER_PARTS = (LOCAL_PATTERNS_PATH, SUPPRESSIONS_PATH, SENSITIVE_TOOLS_PATH)
_EXAMPLES = frozenset({"examples"})
YAML_ENDINGS = (".yaml", ".yml")


def load_pack(files: Mapping[str, bytes], *, name: str, examples: bool = True) -> Pack:
    """Admit a pack from its files, keyed by path relative to its root with ``/`` separators.

    Without ``examples`` they are passed over, and the digest is of the rest: for rules that were
    proven before they were shipped, where only judging is wanted.
    Raises PackRejectedError (an errors.RulePackError) for the first fault; nothing is repaired.
    """
    paths = components(list(files))
    if sum(len(files[path]) for path in paths) > MAX_PACK_BYTES:
        raise PackRejectedError(PackCode.AGGREGATE_SIZE_LIMIT, ".", "the files are too large")
    omitted = frozenset[str]() if examples else _EXAMPLES
    trees = {path: _decoded(files[path], path, omitted) for path in paths}
    admission = Admission()
    unused = ComponentAdmission(admission.patterns)
    parts = [_checked(path, trees, unused) for path in JUDGE_PATHS if path in trees]
    categories = tuple(
        read_category(tree, path, admission) for path, tree in trees.items() if path not in PARTS
    )
    parts += [_checked(path, trees, unused) for path in LATER_PARTS if path in trees]
    return Pack(name, categories, _digest(trees.values()), tuple(parts))


def components(names: Sequence[str]) -> list[str]:
    """The files of a pack that are read, in order, of all that its folder holds.

    Raises PackRejectedError where YAML lies in a place that the format does not know.
    """
    found = sorted(name for name in names if name.lower().endswith(YAML_ENDINGS))
    for path in found:
        if path not in PARTS and not _is_rule_file(path):
            raise PackRejectedError(
                PackCode.INVENTORY_UNEXPECTED, path, "the format has no such YAML file"
            )
    if not found:
        raise PackRejectedError(PackCode.INVENTORY_EMPTY, ".", "no component of a pack is there")
    if len(found) > MAX_PACK_COMPONENTS:
        raise PackRejectedError(PackCode.FILE_COUNT_LIMIT, ".", "too many files")
    parts = [path for path in PARTS if path in found]
    return parts + [path for path in found if path not in PARTS]


def _is_rule_file(path: str) -> bool:
    folder, _, leaf = path.rpartition("/")
    return folder == "rules" and leaf.endswith(".yaml") and leaf != ".yaml"


def _decoded(raw: bytes, path: str, omitted: frozenset[str]) -> Node:
    tree = parse_document(raw, path, omitted)
    check_shape(tree, PARTS[path][0] if path in PARTS else RULE_FILE, path)
    return tree


def _checked(path: str, trees: Mapping[str, Node], admission: ComponentAdmission) -> UnusedPart:
    return UnusedPart(path, PARTS[path][1](trees[path], path, admission))


def _digest(trees: Iterable[Node]) -> str:
    """Identifies what a pack says: not its file names, comments, layout or the order of keys."""
    texts = sorted(json.dumps(plain(tree), sort_keys=True) for tree in trees)
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()
