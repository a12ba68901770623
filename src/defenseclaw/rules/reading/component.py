"""The parts of the public pack format that steer what this product does not have.

Model judges, suppressions of their findings, tools whose results they read, and the word lists of
a prompt proxy: each is checked as the format demands, so that a pack that loads here loads there,
and then has no effect. What is returned is how much each holds, for the summary.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from defenseclaw.core.pack import PackCode
from defenseclaw.rules.limits import (
    MAX_JUDGE_CATEGORIES,
    MAX_LOCAL_PATTERNS,
    MAX_SENSITIVE_TOOLS,
    MAX_SUPPRESSIONS,
)
from defenseclaw.rules.pattern import PatternBudget, PatternError, measure_pattern
from defenseclaw.rules.reading.document import Node
from defenseclaw.rules.reading.fields import Fields
from defenseclaw.rules.reading.shape import PATTERN_FAMILIES, REGEX_FAMILIES

JUDGE_NAMES = ("exfil", "injection", "pii", "tool-injection")
CONDITIONS = ("is_epoch", "is_platform_id")
SEVERITY_KEYS = ("severity", "severity_default", "severity_prompt", "severity_completion")
SUPPRESSION_LISTS = ("pre_judge_strips", "finding_suppressions", "tool_suppressions")
MAX_COUNT = 2**31 - 1  # of a threshold that nothing else bounds


@dataclass(slots=True)
class ComponentAdmission:
    """What the unused parts of one candidate have used of their bounds so far."""

    patterns: PatternBudget
    judge_categories: int = 0
    findings: set[str] = field(default_factory=set)
    suppression_ids: set[str] = field(default_factory=set)


def check_judge(root: Node, path: str, admission: ComponentAdmission) -> int:
    """Check one judge; the number of its categories."""
    fields = Fields(root, path)
    fields.version()
    stem = path.rpartition("/")[2].removesuffix(".yaml")
    if fields.text("name") != stem:
        raise fields.refuse("name is not that of the file", key="name")
    fields.value("enabled")
    fields.text("system_prompt")
    fields.text("adjudication_prompt", required=False)
    categories = fields.value("categories")
    if not categories:
        raise fields.refuse("categories is empty", key="categories")
    admission.judge_categories += len(categories)
    if admission.judge_categories > MAX_JUDGE_CATEGORIES:
        raise fields.refuse("too many categories", code=PackCode.CATEGORY_COUNT_LIMIT)
    for name, node in categories.items():
        _check_judge_category(name, Fields(node, path), admission)
    for key in ("min_categories_for_high", "min_categories_for_critical"):
        if fields.has(key):
            fields.integer(key, 0, len(categories))
    if fields.has("single_category_max_severity"):
        fields.severity("single_category_max_severity")
    return len(categories)


def _check_judge_category(name: str, fields: Fields, admission: ComponentAdmission) -> None:
    if not name.strip():
        raise fields.refuse("a category's name is blank")
    finding = fields.text("finding_id")
    if finding in admission.findings:
        code = PackCode.DUPLICATE_FINDING_ID
        raise fields.refuse("finding_id is taken", code=code, key="finding_id")
    admission.findings.add(finding)
    severities = [key for key in SEVERITY_KEYS if fields.has(key)]
    if not severities:
        raise fields.refuse("a category has no severity", code=PackCode.SEVERITY)
    for key in severities:
        fields.severity(key)


def check_local_patterns(root: Node, path: str, admission: ComponentAdmission) -> int:
    """Check the word lists; the number of their entries. An absent list is not an empty one."""
    fields = Fields(root, path)
    fields.version()
    families = (*PATTERN_FAMILIES, *REGEX_FAMILIES)
    present = [key for key in families if fields.has(key)]
    if not present:
        raise fields.refuse("no list is present")
    count = sum(len(fields.items(key)) for key in present)
    if not count and len(present) == len(families):
        raise fields.refuse("every list is empty")
    if count > MAX_LOCAL_PATTERNS:
        raise fields.refuse("too many entries", code=PackCode.PATTERN_COUNT_LIMIT)
    for key in present:
        entries = fields.texts(key, required=False)
        _check_patterns(fields, key, entries, admission, compiled=key in REGEX_FAMILIES)
    return count


def check_suppressions(root: Node, path: str, admission: ComponentAdmission) -> int:
    """Check the suppressions; the number of their entries."""
    fields = Fields(root, path)
    fields.version()
    strips, findings, tools = (fields.children(key) for key in SUPPRESSION_LISTS)
    count = len(strips) + len(findings) + len(tools)
    if count > MAX_SUPPRESSIONS:
        raise fields.refuse("too many suppressions", code=PackCode.SUPPRESSION_COUNT_LIMIT)
    for strip in strips:
        _claim(strip, "id", admission)
        _check_pattern(strip, "pattern", admission)
        strip.text("context")
        if not set(strip.texts("applies_to")) <= set(JUDGE_NAMES):
            raise strip.refuse("applies_to names an unknown judge", key="applies_to")
    for entry in findings:
        _claim(entry, "id", admission)
        _check_pattern(entry, "finding_pattern", admission)
        _check_pattern(entry, "entity_pattern", admission)
        if entry.has("condition") and entry.text("condition") not in CONDITIONS:
            raise entry.refuse("condition is not a known word", key="condition")
        entry.text("reason")
    tool_patterns: set[str] = set()
    for tool in tools:
        _check_pattern(tool, "tool_pattern", admission)
        _claim_name(tool, "tool_pattern", tool_patterns, PackCode.DUPLICATE_SUPPRESSION_ID)
        tool.texts("suppress_findings")
        tool.text("reason")
    return count


def check_sensitive_tools(root: Node, path: str, _admission: ComponentAdmission) -> int:
    """Check the list of tools; the number of its entries."""
    fields = Fields(root, path)
    fields.version()
    tools = fields.children("tools")
    if not tools:
        raise fields.refuse("tools is empty", key="tools")
    if len(tools) > MAX_SENSITIVE_TOOLS:
        raise fields.refuse("too many tools", code=PackCode.TOOL_COUNT_LIMIT)
    names: set[str] = set()
    for tool in tools:
        name = tool.text("name")
        if name != name.strip():
            raise tool.refuse("name has outer blanks", key="name")
        _claim_name(tool, "name", names, PackCode.DUPLICATE_TOOL)
        inspected, judged = tool.value("result_inspection"), tool.value("judge_result")
        if not inspected:
            problem = "judge_result needs result_inspection" if judged else "a tool has no use"
            raise tool.refuse(problem, key="result_inspection")
        if tool.has("min_entities_for_alert"):
            tool.integer("min_entities_for_alert", 0, MAX_COUNT)
    return len(tools)


def _claim(fields: Fields, key: str, admission: ComponentAdmission) -> None:
    fields.text(key)
    _claim_name(fields, key, admission.suppression_ids, PackCode.DUPLICATE_SUPPRESSION_ID)


def _claim_name(fields: Fields, key: str, taken: set[str], code: PackCode) -> None:
    name = fields.value(key)
    if name in taken:
        raise fields.refuse(f"{key} is taken", code=code, key=key)
    taken.add(name)


def _check_pattern(fields: Fields, key: str, admission: ComponentAdmission) -> None:
    _check_patterns(fields, key, (fields.text(key),), admission, compiled=True)


def _check_patterns(
    fields: Fields, key: str, entries: Iterable[str], admission: ComponentAdmission, *,
    compiled: bool,
) -> None:  # fmt: skip
    check = admission.patterns.admit if compiled else measure_pattern
    try:
        for entry in entries:
            check(entry)
    except PatternError as error:
        raise fields.refuse(error.reason, code=error.code, key=key) from None
