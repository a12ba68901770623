"""Reading the examples of a rule."""

from __future__ import annotations

from defenseclaw.rules.limits import MAX_EXAMPLES_PER_RULE
from defenseclaw.rules.model import Example, ExampleForm, ExampleRoute
from defenseclaw.rules.reading.document import Node
from defenseclaw.rules.reading.fields import Fields, plain

KEYS = frozenset({"because", "route", "cwd", "home"} | {form.value for form in ExampleForm})
TOOL_KEYS = frozenset({"name", "input", "cwd"})


def read_examples(fields: Fields) -> tuple[Example, ...]:
    """The examples of one rule, matches first; empty where the rule has none."""
    inner = fields.child("examples")
    if inner is None:
        return ()
    inner.only(frozenset({"match", "no_match"}))
    found = [
        _read(Fields(node, fields.path, fields.rule_id), key == "match")
        for key in ("match", "no_match")
        for node in inner.items(key, required=False)
    ]
    if len(found) > MAX_EXAMPLES_PER_RULE:
        raise fields.refuse("too many examples")
    return tuple(found)


def _read(fields: Fields, matches: bool) -> Example:
    fields.only(KEYS)
    forms = [form for form in ExampleForm if fields.get(form.value)]
    if len(forms) != 1:
        raise fields.refuse("an example needs exactly one form")
    form = forms[0]
    node = fields.mapping[form.value]
    body = _tool(fields, node) if form is ExampleForm.TOOL else _text(fields, form.value)
    return Example(
        matches=matches,
        form=form,
        body=body,
        because=fields.text("because", required=False),
        route=fields.word("route", ExampleRoute) or ExampleRoute.BOTH,
        cwd=fields.text("cwd", required=False),
        home=fields.text("home", required=False),
        line=fields.node.line,
    )


def _text(fields: Fields, key: str) -> str:
    """Text, or pieces that are joined: what looks like a credential never stands in one piece."""
    if isinstance(fields.mapping[key].value, list):
        return "".join(fields.texts(key))
    return fields.text(key)


def _tool(fields: Fields, node: Node) -> dict[str, object]:
    call = Fields(node, fields.path, fields.rule_id)
    call.only(TOOL_KEYS)
    call.text("name")
    arguments = call.child("input")
    if arguments is None or not isinstance(arguments.node.value, dict):
        raise call.refuse("a tool example needs an input mapping")
    return {key: plain(value) for key, value in call.mapping.items()}
