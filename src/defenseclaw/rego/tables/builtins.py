"""The built-in functions that modules may call; a function that is not here is refused.

Left out of what engines offer: everything that reaches the network or looks up names, and what
tells of the process that evaluates.
"""

from __future__ import annotations

UNSAFE = ("http.send", "opa.runtime", "net.lookup_ip_addr")

BUILTINS = (
    "abs", "array.concat", "array.reverse", "array.slice", "base64.decode", "base64.encode",
    "base64.is_valid", "base64url.decode", "base64url.encode", "base64url.encode_no_pad",
    "bits.and", "bits.lsh", "bits.negate", "bits.or", "bits.rsh", "bits.xor", "ceil", "concat",
    "contains", "count", "endswith", "floor", "format_int", "glob.match", "glob.quote_meta",
    "graph.reachable", "graph.reachable_paths", "hex.decode", "hex.encode", "indexof", "indexof_n",
    "intersection", "is_array", "is_boolean", "is_null", "is_number", "is_object", "is_set",
    "is_string", "json.filter", "json.is_valid", "json.marshal", "json.marshal_with_options",
    "json.match_schema", "json.patch", "json.remove", "json.unmarshal", "json.verify_schema",
    "lower", "max", "min", "net.cidr_contains", "net.cidr_expand", "net.cidr_is_valid",
    "numbers.range", "numbers.range_step", "object.filter", "object.get", "object.keys",
    "object.remove", "object.subset", "object.union", "object.union_n", "print", "product",
    "rand.intn", "regex.find_all_string_submatch_n", "regex.find_n", "regex.is_valid",
    "regex.match", "regex.replace", "regex.split", "regex.template_match", "replace", "round",
    "semver.compare", "semver.is_valid", "sort", "split", "sprintf", "startswith",
    "strings.any_prefix_match", "strings.any_suffix_match", "strings.count", "strings.replace_n",
    "strings.reverse", "substring", "sum", "time.add_date", "time.clock", "time.date", "time.diff",
    "time.format", "time.now_ns", "time.parse_duration_ns", "time.parse_ns",
    "time.parse_rfc3339_ns", "time.weekday", "to_number", "trace", "trim", "trim_left",
    "trim_prefix", "trim_right", "trim_space", "trim_suffix", "type_name", "union", "units.parse",
    "units.parse_bytes", "upper", "urlquery.decode", "urlquery.decode_object", "urlquery.encode",
    "urlquery.encode_object", "uuid.parse", "uuid.rfc4122", "walk", "yaml.is_valid",
    "yaml.marshal", "yaml.unmarshal",
)  # fmt: skip
