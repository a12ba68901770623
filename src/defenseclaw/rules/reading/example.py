"""Reading the examples of a rule."""

from __future__ import annotations

from defenseclaw.core.pack import PackCode
from defenseclaw.rules.limits import MAX_EXAMPLES_PER_RULE
from defenseclaw.rules.model import Example, ExampleForm, ExampleRoute
from defenseclaw.rules.reading.fields import Fields, plain


def read_examples(fields: Fields) -> tuple[Example, ...]:
    """The examples of one rule, matches first; empty where the rule has none."""
    inner = fields.child("examples")
    if inner is None:
        return ()
    found = [
        _read(Fields(node, fields.path, fields.rule_id), key == "match")
        for key in ("match", "no_match")
        for node in inner.items(key, required=False)
    ]
    if len(found) > MAX_EXAMPLES_PER_RULE:
        raise fields.refuse("too many examples", code=PackCode.EXAMPLE_COUNT_LIMIT)
    return tuple(found)


def _read(fields: Fields, matches: bool) -> Example:
    forms = [form for form in ExampleForm if fields.has(form.value)]
    if len(forms) != 1:
        raise fields.refuse("an example needs exactly one form")
    form = forms[0]
    read = _READERS.get(form)
    body = read(fields) if read else _text(fields, form.value)
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


def _tool(fields: Fields) -> dict[str, object]:
    call = fields.child(ExampleForm.TOOL.value)
    assert call is not None, "the form was just found"
    call.text("name")
    call.value("input")
    return {key: plain(value) for key, value in call.mapping.items()}


def _written(fields: Fields) -> dict[str, object]:
    write = fields.child(ExampleForm.WRITTEN.value)
    assert write is not None, "the form was just found"
    write.value("content")
    return {"path": write.text("path"), "content": _text(write, "content")}


_READERS = {ExampleForm.TOOL: _tool, ExampleForm.WRITTEN: _written}
