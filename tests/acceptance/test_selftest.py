"""The self-test says that a block arrives, and says so when it does not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.acceptance.conftest import CONNECTORS
from tests.harness import Product


def steps(product: Product, connector: str, code: int = 0) -> dict[str, dict[str, Any]]:
    document = product.cli("selftest", connector, "--json").expect(code).json
    assert document["passed"] is (code == 0)
    return {step["step"]: step for step in document["steps"]}


@pytest.mark.parametrize("connector", CONNECTORS)
def test_enforcing_agent_passes_and_the_denied_probe_has_no_effect(
    protected: Product, connector: str
) -> None:
    found = steps(protected, connector)
    assert list(found) == [
        *("registration", "gateway", "denied probe", "side effect", "record", "harmless call"),
    ]
    assert "SELF-TEST-MARKER" in found["denied probe"]["detail"]
    assert found["side effect"]["detail"] == "absent"


def test_observing_agent_is_let_go_and_recorded(product: Product) -> None:
    product.protect("codex", "observe")
    found = steps(product, "codex")
    assert found["observed probe"]["passed"] is True
    assert found["record"]["passed"] is True
    assert "side effect" not in found


def test_stopped_gateway_fails_the_test_even_though_closed_hooks_deny(product: Product) -> None:
    product.protect("codex", "action")
    product.gateway("stop").expect()
    found = steps(product, "codex", 1)
    assert found["gateway"]["passed"] is False
    assert found["record"]["passed"] is False
    assert found["harmless call"]["passed"] is False


def test_lost_registration_fails_the_test(product: Product) -> None:
    product.protect("claude-code", "action")
    (product.box.home / ".claude" / "settings.json").unlink()
    found = steps(product, "claude-code", 1)
    assert found["registration"]["passed"] is False


def test_lost_hook_is_an_error_with_the_next_command(product: Product) -> None:
    product.protect("codex", "action")
    (product.box.data / "hooks" / "codex.sh").unlink()
    ran = product.cli("selftest", "codex").expect(1)
    assert "defenseclaw setup codex" in ran.text


def test_agent_that_is_not_configured_is_refused(product: Product) -> None:
    assert "is not configured" in product.cli("selftest", "codex").expect(1).stderr
