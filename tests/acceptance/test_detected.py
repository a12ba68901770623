"""Finding the agents of a machine, and protecting all of them at once."""

from __future__ import annotations

from tests.acceptance.conftest import make_product
from tests.harness import Product


def rows(product: Product) -> dict[str, dict[str, object]]:
    return {row["connector"]: row for row in product.items("setup", "--detected")}


def test_installed_agents_are_listed_with_version_and_contract(product: Product) -> None:
    found = rows(product)["codex"]
    assert found["installed"] is True
    assert found["configured"] is False
    assert str(found["version"]).startswith("codex-cli ")
    assert (found["contract"], found["status"]) == ("codex-hooks-v3-generic", "known")


def test_listing_changes_nothing(product: Product) -> None:
    before = sorted(product.box.root.rglob("*"))
    text = product.cli("setup", "--detected").expect().text
    assert "Claude Code" in text
    assert "setup all --mode observe" in text
    assert sorted(product.box.root.rglob("*")) == before


def test_agent_that_is_not_there_is_listed_as_such(product: Product) -> None:
    (product.box.root / "agents" / "codex").unlink()
    assert rows(product)["codex"]["installed"] is False
    assert rows(product)["claudecode"]["installed"] is True


def test_all_installed_agents_are_set_up_in_one_go(product: Product) -> None:
    done = product.cli("setup", "all", "--mode", "observe", "--yes", "--json").expect().json
    assert {item["connector"] for item in done["items"]} == {"codex", "claudecode"}
    assert all(item["registered"] and item["mode"] == "observe" for item in done["items"])
    assert all(row["configured"] for row in rows(product).values() if row["installed"])


def test_agent_that_cannot_be_set_up_does_not_stop_the_others(product: Product) -> None:
    broken = product.box.home / ".claude" / "settings.json"
    broken.parent.mkdir(parents=True, exist_ok=True)
    broken.write_text("{", encoding="utf-8")
    ran = product.cli("setup", "all", "--mode", "observe", "--yes")
    assert ran.exit == 1
    assert "1 of 2 agents could not be set up" in ran.stderr
    assert broken.read_text(encoding="utf-8") == "{"
    found = rows(product)
    assert found["codex"]["configured"] is True
    assert found["claudecode"]["configured"] is False


def test_posture_of_each_agent_is_its_own() -> None:
    with make_product("codex") as product:
        product.cli("setup", "claude-code", "--mode", "observe", "--yes").expect()
        product.cli("guardrail", "disable", "--connector", "codex", "--yes").expect()
        standing = {row["connector"]: row for row in product.items("guardrail", "status")}
        assert (standing["codex"]["enabled"], standing["codex"]["mode"]) == (False, "action")
        assert (standing["claudecode"]["enabled"], standing["claudecode"]["mode"]) == (
            True,
            "observe",
        )


def test_nothing_to_protect_is_said_plainly(product: Product) -> None:
    for program in (product.box.root / "agents").iterdir():
        program.unlink()
    ran = product.cli("setup", "all", "--mode", "observe", "--yes")
    assert ran.exit == 1
    assert "no agent that can be protected" in ran.stderr
