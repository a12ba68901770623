"""A schema refuses what could not be compiled safely."""

from __future__ import annotations

import pytest

from defenseclaw.cel import Field, Schema


@pytest.mark.parametrize("attribute", ["a b", "1", "class", "x.y", "f()"])
def test_attribute_must_be_a_python_name(attribute: str) -> None:
    with pytest.raises(ValueError, match="Python attribute"):
        Schema("p", "M", {"M": {"x": Field("int", attribute=attribute)}})


def test_keyword_as_wire_name_needs_an_attribute() -> None:
    with pytest.raises(ValueError, match="Python attribute"):
        Schema("p", "M", {"M": {"from": Field("int")}})
    schema = Schema("p", "M", {"M": {"from": Field("int", attribute="from_")}})
    assert schema.attribute("M", "from") == "from_"


def test_types_and_root_must_exist() -> None:
    with pytest.raises(ValueError, match="unknown type"):
        Schema("p", "M", {"M": {"x": Field("Nothing")}})
    with pytest.raises(ValueError, match="root"):
        Schema("p", "N", {"M": {}})


def test_constants_are_qualified_by_package_and_enum() -> None:
    schema = Schema("p.v1", "M", {"M": {}}, {"E": {"E_ONE": 1}})
    assert schema.constants == {"p.v1.E.E_ONE": ("E", 1)}
