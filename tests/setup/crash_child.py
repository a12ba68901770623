"""A process that ends itself, as a power cut would, at one step of a setup or removal."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from defenseclaw.setup import Step
from tests.setup.world import make_world


def die_at(wanted: Step) -> object:
    """An observer that ends the process at a step."""

    def observe(step: Step) -> None:
        if step is wanted:
            os.kill(os.getpid(), signal.SIGKILL)

    return observe


if __name__ == "__main__":
    root, key, action, last = sys.argv[1:]
    world = make_world(Path(root), key)
    if last:
        world = world.using(on_step=die_at(Step(last)))
    if action == "register":
        world.register()
    else:
        world.unregister()
