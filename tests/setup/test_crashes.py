"""A crash between any two steps, and many setups at once, end in a state that can be completed."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from defenseclaw.errors import SetupError
from defenseclaw.setup import Step
from tests.setup.world import KEYS, LAYOUTS, World, make_world

ROOT = Path(__file__).resolve().parents[2]
REGISTER_STEPS = (Step.ASSETS, Step.RECORD, Step.REPLACED, Step.VERIFIED)
REMOVE_STEPS = (Step.REPLACED, Step.INERT, Step.DONE)


def child(world: World, action: str, last: str = "") -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tests.setup.crash_child",
            str(world.root),
            world.connector.key,
            action,
            last,
        ],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    _, error = process.communicate(timeout=60)
    return process.returncode, error.decode()


def first_layout(world: World) -> str:
    return next(iter(LAYOUTS[world.connector.key].values()))


@pytest.mark.parametrize("step", REGISTER_STEPS)
def test_a_setup_that_died_is_completed_by_the_next_one(world: World, step: Step) -> None:
    before = world.write(first_layout(world))
    code, error = finish(child(world, "register", step))
    assert code == -signal.SIGKILL, error
    world.register()
    assert world.verify().complete
    assert world.unregister().restored == (world.file,)
    assert world.file.read_bytes() == before


@pytest.mark.parametrize("step", REGISTER_STEPS)
def test_a_setup_that_died_is_taken_back_by_removal(world: World, step: Step) -> None:
    before = world.write(first_layout(world))
    finish(child(world, "register", step))
    world.unregister()
    assert world.file.read_bytes() == before
    world.assert_clean()


@pytest.mark.parametrize("step", REGISTER_STEPS)
def test_an_agent_is_never_told_of_a_hook_that_cannot_run(world: World, step: Step) -> None:
    world.write(first_layout(world))
    finish(child(world, "register", step))
    if world.verify().registered:
        assert world.verify().complete, world.verify().problems


@pytest.mark.parametrize("step", REMOVE_STEPS)
def test_a_removal_that_died_is_completed_by_the_next_one(world: World, step: Step) -> None:
    before = world.write(first_layout(world))
    world.register()
    code, error = finish(child(world, "unregister", step))
    assert code == -signal.SIGKILL, error
    # The registration went first: nothing calls a hook that has become inert.
    assert world.residue() == ()
    world.unregister()
    assert world.file.read_bytes() == before
    world.assert_clean()


@pytest.mark.parametrize("step", REMOVE_STEPS)
def test_a_removal_that_died_can_be_followed_by_setup(world: World, step: Step) -> None:
    before = world.write(first_layout(world))
    world.register()
    finish(child(world, "unregister", step))
    world.register()
    assert world.verify().complete
    world.unregister()
    assert world.file.read_bytes() == before


@pytest.mark.parametrize("key", KEYS)
def test_an_end_at_a_random_moment_leaves_a_whole_file(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    before = world.write(first_layout(world))
    world.register()
    after = world.file.read_bytes()
    generator = random.Random(7)
    for action in ("unregister", "register") * 4:
        process = child(world, action)
        with_delay(process, generator.uniform(0.1, 0.5))
        assert world.file.read_bytes() in (before, after)
    world.register()
    assert world.verify().complete
    assert not [p for p in world.file.parent.iterdir() if p != world.file]
    world.unregister()
    assert world.file.read_bytes() == before


def with_delay(process: subprocess.Popen[bytes], seconds: float) -> None:
    """End a process after a time, if it has not ended by itself."""
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def test_parallel_threads_register_once(world: World) -> None:
    world.write(first_layout(world))
    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(lambda _: world.register(), range(4)))
    assert sum(world.file in report.changed for report in reports) == 1
    assert world.verify().complete


def test_parallel_processes_register_once(world: World) -> None:
    before = world.write(first_layout(world))
    results = [finish(p) for p in [child(world, "register") for _ in range(3)]]
    assert results == [(0, "")] * 3
    assert world.verify().complete
    world.unregister()
    assert world.file.read_bytes() == before


def test_two_data_homes_register_side_by_side(world: World) -> None:
    before = world.write(first_layout(world))
    world.register()
    other = replace(world, data="data2")
    other.register()
    assert world.verify().complete
    assert other.verify().complete
    world.unregister()
    assert other.verify().complete
    other.unregister()
    other.assert_clean()
    assert world.residue() == ()
    assert data_of(world.file.read_bytes()) == data_of(before)


def data_of(raw: bytes) -> object:
    text = raw.decode("utf-8-sig")
    return json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)


def test_a_write_of_the_agent_in_between_is_not_lost(world: World) -> None:
    world.write(first_layout(world))
    writes = []

    def interfere(step: Step) -> None:
        if step is Step.RECORD and not writes:
            writes.append(step)
            text = world.file.read_text(encoding="utf-8")
            world.write(text.replace("/bin/a", "/bin/b").replace("opus", "other"))

    world.using(on_step=interfere).register()
    text = world.file.read_text(encoding="utf-8")
    assert "/bin/b" in text or "other" in text
    assert world.verify().complete
    world.unregister()
    text = world.file.read_text(encoding="utf-8")
    assert text == first_layout(world).replace("/bin/a", "/bin/b").replace("opus", "other")


def test_a_write_of_the_agent_right_behind_ours_is_noticed(world: World) -> None:
    before = world.write(first_layout(world))

    def overwrite(step: Step) -> None:
        if step is Step.REPLACED:
            world.write(before)

    with pytest.raises(SetupError) as caught:
        world.using(on_step=overwrite).register()
    assert "not protected" in caught.value.impact
    assert world.file.read_bytes() == before
    world.register()
    assert world.unregister().restored == (world.file,)


def test_an_agent_that_never_stops_writing_is_reported(world: World) -> None:
    before = world.write(first_layout(world))
    count = 0

    def interfere(step: Step) -> None:
        nonlocal count
        if step is Step.RECORD:
            count += 1
            world.write(before + b"\n" * count)

    with pytest.raises(SetupError, match="keeps changing"):
        world.using(on_step=interfere).register()
    world.assert_clean()
    assert not list(world.home.backups.rglob("*.json"))


def test_a_setup_waits_for_the_one_before_it(world: World) -> None:
    started = time.monotonic()
    first = child(world, "register")
    world.register()
    assert finish(first)[0] == 0
    assert time.monotonic() - started < 20
