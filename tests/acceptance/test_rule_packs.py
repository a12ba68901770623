"""Rule packs with real processes: requests that go on while packs switch, and broken packs."""

from __future__ import annotations

import http.client
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.acceptance.conftest import make_product
from tests.gateway.test_packs import COMMAND, break_pack, write_pack
from tests.harness import Product, make_shell_call

pytestmark = pytest.mark.acceptance
KEY = "codex"
SWITCHES = 8
CLIENTS = 4


@pytest.fixture
def product() -> Iterator[Product]:
    with make_product(KEY) as ours:
        yield ours


class Clients:
    """Connections that send the same call over and over, and remember every answer."""

    def __init__(self, product: Product) -> None:
        self.rules: Counter[tuple[str, ...]] = Counter()
        self.ids: list[str] = []
        self.faults: list[str] = []
        self._port = product.port
        token = (product.box.data / "hooks" / f"{KEY}.token").read_text().strip()
        self._head = {
            "authorization": f"Bearer {token}",
            "x-defenseclaw-client": "hook/1.0",
            "content-type": "application/json",
        }
        self._project = product.box.project
        self._done = threading.Event()

    @contextmanager
    def hammering(self) -> Iterator[None]:
        threads = [threading.Thread(target=self._run) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._done.set()
            for thread in threads:
                thread.join()

    def _run(self) -> None:
        link = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        try:
            while not self._done.is_set():
                body = make_shell_call(self._project, COMMAND)
                link.request("POST", f"/api/v1/{KEY}/hook", body, self._head)
                reply = link.getresponse()
                answer = json.loads(reply.read())
                if reply.status != 200:
                    self.faults.append(f"{reply.status}: {answer}")
                    return
                self.rules[tuple(answer["rule_ids"])] += 1
                self.ids.append(answer["evaluation_id"])
        except (OSError, http.client.HTTPException) as error:
            self.faults.append(repr(error))
        finally:
            link.close()


def test_no_request_is_dropped_and_no_answer_is_mixed_while_packs_switch(
    product: Product,
) -> None:
    a, b = (write_pack(product.box.root / mark, mark) for mark in "ab")
    product.cli("guardrail", "use-pack", str(a), "--yes").expect()
    clients = Clients(product)
    with clients.hammering():
        for turn in range(SWITCHES):
            folder = (b, a)[turn % 2]
            product.cli("guardrail", "use-pack", str(folder), "--yes").expect()
        break_pack(a)
        product.gateway("reload").expect(1)
    assert clients.faults == []
    assert set(clients.rules) == {("a-one", "a-two"), ("b-one", "b-two")}
    assert len(clients.ids) == sum(clients.rules.values()) == len(set(clients.ids))
    live = product.gateway("status").expect().stdout
    assert "degraded" in live
    assert recorded(product) == len(clients.ids)


def recorded(product: Product) -> int:
    document = product.cli("status", "--json").expect().json
    return int(document["activity"]["decisions"])


def test_a_broken_pack_is_shown_and_mending_it_is_seen_by_reload(product: Product) -> None:
    folder = write_pack(product.box.root / "house", "h")
    product.cli("guardrail", "use-pack", str(folder), "--yes").expect()
    assert "in force" in product.cli("guardrail", "list-packs").expect().stdout
    break_pack(folder)
    refused = product.gateway("reload").expect(1)
    assert "rules/two.yaml" in refused.stderr
    assert "validate-pack" in refused.stderr
    for shown in (product.cli("status").stdout, product.cli("doctor", "--passive").stdout):
        assert "rules/two.yaml" in shown
    denied = product.hook(KEY, make_shell_call(product.box.project, COMMAND))
    assert "h-one" in denied.stdout
    write_pack(folder, "n")
    stale = product.cli("doctor", "--passive").stdout
    assert "on disk is not what the gateway runs" in stale
    assert "not in force yet" in product.cli("guardrail", "list-packs").expect().stdout
    product.gateway("reload").expect()
    assert "runs as it is on disk" in product.cli("doctor", "--passive").stdout
    assert "rules/two.yaml" not in product.cli("status").expect().stdout
    assert "n-one" in product.hook(KEY, make_shell_call(product.box.project, COMMAND)).stdout


def test_a_gateway_starts_with_built_in_rules_where_the_pack_is_gone(product: Product) -> None:
    folder = write_pack(product.box.root / "house", "h")
    product.cli("setup", KEY, "--rule-pack-dir", str(folder), "--yes").expect()
    call = make_shell_call(product.box.project, COMMAND)
    assert "h-one" in product.hook(KEY, call).stdout
    folder.rename(Path(f"{folder}.away"))
    product.kill_gateway()
    destroy = make_shell_call(product.box.project, "rm -rf /")
    assert "CMD-RM-RF" in product.hook(KEY, destroy).stdout
    assert "h-one" not in product.hook(KEY, call).stdout
    doctor = product.cli("doctor", "--passive").expect(1).stdout
    assert "built-in rules stand in" in doctor
    assert "directory_not_found" in doctor
    product.cli("setup", KEY, "--rule-pack-dir", "", "--yes").expect()
    assert "stand in" not in product.cli("status").expect().stdout


def test_an_invalid_pack_is_refused_by_setup_and_changes_nothing(product: Product) -> None:
    folder = write_pack(product.box.root / "house", "h")
    break_pack(folder)
    before = (product.box.data / "config.toml").read_bytes()
    refused = product.cli("setup", KEY, "--rule-pack-dir", str(folder), "--yes").expect(1)
    assert "rules/two.yaml" in refused.stderr
    assert (product.box.data / "config.toml").read_bytes() == before


def test_others_who_can_change_a_pack_are_reported(product: Product) -> None:
    folder = write_pack(product.box.root / "house", "h")
    product.cli("guardrail", "use-pack", str(folder), "--yes").expect()
    (folder / "rules" / "one.yaml").chmod(0o666)
    shown = product.cli("doctor", "--passive", "--json").json["checks"]
    found = {check["check_id"]: check for check in shown}
    assert found["rules.pack"]["status"] == "pass"
    assert found["rules.private"]["status"] == "fail"
    assert "one.yaml" in found["rules.private"]["remediation"]
