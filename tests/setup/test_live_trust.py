"""The real agent's own word on what setup wrote, under every name its home may have."""

from __future__ import annotations

from pathlib import Path

import pytest

from defenseclaw.connectors import CONNECTORS, Connector
from defenseclaw.platform import DataHome
from defenseclaw.setup import Options, register, residue, trust_status, unregister
from tests.harness import Sandbox, make_sandbox
from tests.live.roster import installation
from tests.setup.world import ACTION

pytestmark = pytest.mark.live
ASKABLE = [c for c in CONNECTORS.values() if c.registration.introspection]


def prepare(box: Sandbox, connector: Connector, name: str, linked: str) -> tuple[DataHome, Options]:
    """A user whose home, or configuration file, is a link; the names are unusual."""
    user = box.root / name
    place = user / connector.registration.home_default
    user.mkdir()
    if linked == "home":
        (user / "real").mkdir()
        place.symlink_to(user / "real")
    else:
        place.mkdir()
    if linked == "file":
        (user / "dotfile").write_text("# mine\n", encoding="utf-8")
        (place / "config.toml").symlink_to(user / "dotfile")
    path = f"{installation() / 'node_modules' / '.bin'}:{box.environment()['PATH']}"
    options = Options(environment={"HOME": str(user), "PATH": path}, cwd=box.project)
    return DataHome(user / "data"), options


@pytest.mark.parametrize("connector", ASKABLE, ids=lambda c: c.key)
@pytest.mark.parametrize("name", ["plain", "sp ace é'q"])
@pytest.mark.parametrize("linked", ["", "home", "file"])
def test_every_hook_is_trusted_by_the_agent(connector: Connector, name: str, linked: str) -> None:
    with make_sandbox() as box:
        home, options = prepare(box, connector, name, linked)
        report = register(connector, home, ACTION, options)
        assert report.warnings == ()
        asked = trust_status(connector, home, options)
        assert asked.trusted, asked
        registered = next(c for c in connector.contracts if c.id == report.contract)
        assert len(asked.hooks) == len(registered.events)
        unregister(connector, home, options)
        assert residue(connector, home, options) == ()
        assert trust_status(connector, home, options).hooks == {}
        left = Path(options.environment["HOME"]) / "dotfile"
        assert linked != "file" or left.read_text(encoding="utf-8") == "# mine\n"
