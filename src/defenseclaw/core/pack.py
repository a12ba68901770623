"""The closed words for why a rule pack is refused, each with what its author should do."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class PackCode(StrEnum):
    """Refusals of the rule-pack contract; those of expressions are the compiler's with a prefix."""

    DIRECTORY_NOT_FOUND = "directory_not_found"
    DIRECTORY_UNREADABLE = "directory_unreadable"
    NOT_DIRECTORY = "not_directory"
    INVENTORY_UNREADABLE = "inventory_unreadable"
    INVENTORY_LIMIT = "inventory_limit"
    INVENTORY_UNEXPECTED = "inventory_unexpected"
    INVENTORY_EMPTY = "inventory_empty"
    FILE_COUNT_LIMIT = "file_count_limit"
    AGGREGATE_SIZE_LIMIT = "aggregate_size_limit"

    FILE_TYPE = "file_type"
    FILE_UNREADABLE = "file_unreadable"
    FILE_SIZE_LIMIT = "file_size_limit"

    YAML_EMPTY = "yaml_empty"
    YAML_INVALID = "yaml_invalid"
    YAML_DOCUMENTS = "yaml_documents"

    VERSION = "version"
    VALIDATION = "validation"
    SEVERITY = "severity"
    CONFIDENCE = "confidence"
    REGEX = "regex"
    PATTERN_SIZE_LIMIT = "pattern_size_limit"

    DUPLICATE_CATEGORY = "duplicate_category"
    DUPLICATE_RULE_ID = "duplicate_rule_id"
    RULE_COUNT_LIMIT = "rule_count_limit"
    EMPTY_CATEGORY = "empty_category"
    SEMANTIC_RULE_COUNT_LIMIT = "semantic_rule_count_limit"
    SEMANTIC_CATALOG_COST_LIMIT = "semantic_catalog_cost_limit"

    SEMANTIC_EXPRESSION_ENCODING = "semantic_expression_encoding"
    SEMANTIC_EXPRESSION_SIZE = "semantic_expression_size"
    SEMANTIC_SYNTAX = "semantic_syntax"
    SEMANTIC_AST_NODES = "semantic_ast_nodes"
    SEMANTIC_AST_DEPTH = "semantic_ast_depth"
    SEMANTIC_TYPE = "semantic_type"
    SEMANTIC_RESULT_TYPE = "semantic_result_type"
    SEMANTIC_SURFACE = "semantic_surface"
    SEMANTIC_ENUM_DOMAIN = "semantic_enum_domain"
    SEMANTIC_COMPREHENSION_DEPTH = "semantic_comprehension_depth"
    SEMANTIC_REGEX_FORM = "semantic_regex_form"
    SEMANTIC_REGEX_DYNAMIC = "semantic_regex_dynamic"
    SEMANTIC_REGEX_SIZE = "semantic_regex_size"
    SEMANTIC_REGEX_SYNTAX = "semantic_regex_syntax"
    SEMANTIC_STATIC_COST_UNBOUNDED = "semantic_static_cost_unbounded"
    SEMANTIC_STATIC_COST = "semantic_static_cost"
    SEMANTIC_PROGRAM = "semantic_program"

    CATEGORY_COUNT_LIMIT = "category_count_limit"
    DUPLICATE_FINDING_ID = "duplicate_finding_id"
    PATTERN_COUNT_LIMIT = "pattern_count_limit"
    SUPPRESSION_COUNT_LIMIT = "suppression_count_limit"
    DUPLICATE_SUPPRESSION_ID = "duplicate_suppression_id"
    TOOL_COUNT_LIMIT = "tool_count_limit"
    DUPLICATE_TOOL = "duplicate_tool"

    EXAMPLE_COUNT_LIMIT = "example_count_limit"  # ours: examples are no part of the contract
    EXAMPLE = "example"  # ours: the pack is well-formed, and an example of it does not hold
    INTERNAL = "internal"


_LAYOUT = (
    "keep rule files in rules/ with the ending .yaml; beside it only judge/, suppressions.yaml and "
    "sensitive-tools.yaml may hold YAML"
)
_YAML = "use one plain YAML document: no anchors, aliases, merge keys or tags, no key twice"
_SPLIT = "take rules out, or put them into another pack"
_NARROW = "compare exact words and labels before loops, and loop over one list only"
_PATTERN = "write the pattern in RE2: no look-around, no back-references, repeats up to 1000"
_RUN = "run `defenseclaw rules test --pack DIR` and `defenseclaw explain` on the example"

ADVICE: Mapping[PackCode, str] = {
    PackCode.DIRECTORY_NOT_FOUND: "name the folder that holds rules/",
    PackCode.DIRECTORY_UNREADABLE: "make the folder readable for you",
    PackCode.NOT_DIRECTORY: "name the folder that holds rules/, not a file in it",
    PackCode.INVENTORY_UNREADABLE: "make every folder of the pack readable for you",
    PackCode.INVENTORY_LIMIT: "move what does not belong to the pack out of its folder",
    PackCode.INVENTORY_UNEXPECTED: _LAYOUT,
    PackCode.INVENTORY_EMPTY: _LAYOUT,
    PackCode.FILE_COUNT_LIMIT: "put the rules into fewer files",
    PackCode.AGGREGATE_SIZE_LIMIT: _SPLIT,
    PackCode.FILE_TYPE: "put plain files there: links and special files are never followed",
    PackCode.FILE_UNREADABLE: "make the file readable for you",
    PackCode.FILE_SIZE_LIMIT: "put the rules of this file into several categories",
    PackCode.YAML_EMPTY: "write the file or remove it",
    PackCode.YAML_INVALID: _YAML,
    PackCode.YAML_DOCUMENTS: _YAML,
    PackCode.VERSION: "write `version: 1`",
    PackCode.VALIDATION: "give the named key a value of the documented form",
    PackCode.SEVERITY: "use LOW, MEDIUM, HIGH or CRITICAL",
    PackCode.CONFIDENCE: "use a number from 0 to 1",
    PackCode.REGEX: _PATTERN,
    PackCode.PATTERN_SIZE_LIMIT: "shorten the pattern, or make two rules of it",
    PackCode.DUPLICATE_CATEGORY: "give each file a category of its own",
    PackCode.DUPLICATE_RULE_ID: "give each rule an id of its own",
    PackCode.RULE_COUNT_LIMIT: _SPLIT,
    PackCode.EMPTY_CATEGORY: "leave one rule of each file enabled, or remove the file",
    PackCode.SEMANTIC_RULE_COUNT_LIMIT: "leave out expressions whose pattern says the same",
    PackCode.SEMANTIC_CATALOG_COST_LIMIT: _NARROW,
    PackCode.SEMANTIC_EXPRESSION_ENCODING: "write the expression as valid UTF-8 text",
    PackCode.SEMANTIC_EXPRESSION_SIZE: "make several rules of the expression",
    PackCode.SEMANTIC_SYNTAX: "correct the expression's syntax",
    PackCode.SEMANTIC_AST_NODES: "make several rules of the expression",
    PackCode.SEMANTIC_AST_DEPTH: "nest less: chains of && and || count once",
    PackCode.SEMANTIC_TYPE: "use the fields and full enum names of the reference of facts",
    PackCode.SEMANTIC_RESULT_TYPE: "make the expression true or false",
    PackCode.SEMANTIC_SURFACE: "use comparisons, `in`, text tests, exists and all only",
    PackCode.SEMANTIC_ENUM_DOMAIN: "compare an enum with constants of the same enum",
    PackCode.SEMANTIC_COMPREHENSION_DEPTH: "nest at most two loops",
    PackCode.SEMANTIC_REGEX_FORM: "write text.matches('pattern')",
    PackCode.SEMANTIC_REGEX_DYNAMIC: "write the pattern of matches() as a literal",
    PackCode.SEMANTIC_REGEX_SIZE: "shorten the pattern of matches()",
    PackCode.SEMANTIC_REGEX_SYNTAX: _PATTERN,
    PackCode.SEMANTIC_STATIC_COST_UNBOUNDED: _NARROW,
    PackCode.SEMANTIC_STATIC_COST: _NARROW,
    PackCode.SEMANTIC_PROGRAM: "simplify the expression",
    PackCode.CATEGORY_COUNT_LIMIT: "take categories out of the judges",
    PackCode.DUPLICATE_FINDING_ID: "give each category of a judge a finding id of its own",
    PackCode.PATTERN_COUNT_LIMIT: "take entries out of rules/local-patterns.yaml",
    PackCode.SUPPRESSION_COUNT_LIMIT: "take entries out of suppressions.yaml",
    PackCode.DUPLICATE_SUPPRESSION_ID: "give each suppression an id of its own",
    PackCode.TOOL_COUNT_LIMIT: "take entries out of sensitive-tools.yaml",
    PackCode.DUPLICATE_TOOL: "name each tool once",
    PackCode.EXAMPLE_COUNT_LIMIT: "leave out examples that show the same",
    PackCode.EXAMPLE: _RUN,
    PackCode.INTERNAL: "this is a fault of DefenseClaw; report it with the pack",
}
