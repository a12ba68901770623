"""Files to a pack: inventory, reading order, uniqueness, and whole-candidate rejection.

A pack is either a folder in the public layout (``rules/*.yaml`` and the public format's other
components) or a flat folder of rule files. Components that steer parts this product does not have
(model judges, tool lists, prompt patterns) are checked for being well-formed and then ignored.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections.abc import Iterable, Mapping

from defenseclaw.rules.limits import (
    MAX_COMPONENTS,
    MAX_EXPRESSIONS,
    MAX_PACK_BYTES,
    MAX_RULES_PER_PACK,
)
from defenseclaw.rules.model import Category, Pack, Rule
from defenseclaw.rules.problem import PackRejectedError
from defenseclaw.rules.reading.document import Node, parse_document
from defenseclaw.rules.reading.fields import Fields
from defenseclaw.rules.reading.rule import read_category, shipped_compiler

_SEGMENT = re.compile(r"[A-Za-z0-9._-]{1,128}")
LOCAL_PATTERNS = "rules/local-patterns.yaml"
JUDGES = tuple(f"judge/{name}.yaml" for name in ("exfil", "injection", "pii", "tool-injection"))
# component -> the keys it may hold at the top
IGNORED_COMPONENTS: Mapping[str, frozenset[str]] = {
    "suppressions.yaml": frozenset(
        {"version", "pre_judge_strips", "finding_suppressions", "tool_suppressions"}
    ),
    "sensitive-tools.yaml": frozenset({"version", "tools"}),
    LOCAL_PATTERNS: frozenset(
        {"version", "injection", "injection_regexes", "pii_requests", "pii_data_regexes"}
        | {"secrets", "exfiltration"}
    ),
    **{
        judge: frozenset(
            {"version", "name", "enabled", "system_prompt", "adjudication_prompt", "categories"}
            | {"min_categories_for_high", "min_categories_for_critical"}
            | {"single_category_max_severity"}
        )
        for judge in JUDGES
    },
}


def load_pack(files: Mapping[str, bytes], *, name: str) -> Pack:
    """Admit a pack from its files, keyed by path relative to its root with ``/`` separators.

    Raises PackRejectedError (an errors.RulePackError) for the first fault; nothing is repaired.
    """
    components = _inventory(files)
    ignored = [path for path in components if path in IGNORED_COMPONENTS]
    for path in ignored:
        _check_ignored(parse_document(files[path], path), path)
    compiler = shipped_compiler()
    categories = tuple(
        read_category(parse_document(files[path], path), path, compiler)
        for path in components
        if path not in IGNORED_COMPONENTS
    )
    _check_unique(categories)
    return Pack(name, categories, _digest(files[path] for path in components), tuple(ignored))


def _inventory(files: Mapping[str, bytes]) -> list[str]:
    """The component paths in reading order."""
    yaml_files = {
        path for path in files if posixpath.splitext(path)[1].lower() in (".yaml", ".yml")
    }
    flat = bool(yaml_files) and not any("/" in path for path in yaml_files)
    components = []
    for path in sorted(yaml_files):
        if not path.endswith(".yaml") or not _is_component(path, flat):
            raise PackRejectedError("inventory_unexpected", _shown(path), "unexpected YAML file")
        components.append(path)
    if not components:
        raise PackRejectedError("inventory_empty", ".", "no rule file found")
    if len(components) > MAX_COMPONENTS:
        raise PackRejectedError("file_count_limit", ".", "too many files")
    if sum(len(files[path]) for path in components) > MAX_PACK_BYTES:
        raise PackRejectedError("aggregate_size_limit", ".", "the files together are too large")
    return components


def _is_component(path: str, flat: bool) -> bool:
    if path in IGNORED_COMPONENTS:
        return True
    folder, _, leaf = path.rpartition("/")
    return bool(leaf.removesuffix(".yaml")) and (folder == "rules" or (flat and not folder))


def _shown(path: str) -> str:
    """A path as errors may show it: relative, plain, or just the root."""
    segments = path.split("/")
    plain = all(_SEGMENT.fullmatch(part) and part not in (".", "..") for part in segments)
    return path if plain else "."


def _check_ignored(root: Node, path: str) -> None:
    fields = Fields(root, path)
    fields.only(IGNORED_COMPONENTS[path])
    fields.integer("version", 1, 1, code="version")


def _check_unique(categories: Iterable[Category]) -> None:
    names: set[str] = set()
    ids: set[str] = set()
    expressions = 0
    for category in categories:
        if category.name in names:
            raise PackRejectedError("duplicate_category", category.path, "category is taken")
        names.add(category.name)
        for rule in category.rules:
            if rule.id in ids:
                raise _refused(rule, "duplicate_rule_id", "rule id is taken")
            ids.add(rule.id)
            expressions += rule.program is not None
            if expressions > MAX_EXPRESSIONS:
                raise _refused(rule, "semantic_rule_count_limit", "too many expressions")
            if len(ids) > MAX_RULES_PER_PACK:
                raise _refused(rule, "rule_count_limit", "too many rules")


def _refused(rule: Rule, code: str, reason: str) -> PackRejectedError:
    return PackRejectedError(code, rule.path, reason, line=rule.line, rule_id=rule.id)


def _digest(contents: Iterable[bytes]) -> str:
    """Identifies the content: file names do not count, so that moving a pack changes nothing."""
    parts = sorted(hashlib.sha256(raw).hexdigest() for raw in contents)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
