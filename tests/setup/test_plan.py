"""The plan: which groups there should be, and what is refused rather than guessed."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.connectors import Layout, Switch
from defenseclaw.errors import SetupError
from defenseclaw.setup.model import Hook, Ownership
from defenseclaw.setup.plan import check_switches, owned_slots, plan_hooks

US = "/home/u/.defenseclaw/hooks/agent.sh"
LAYOUT = Layout(tables=("state",))
OWNER = Ownership(US, ("/home/u/.defenseclaw/hooks/",))
PRE = Hook("Pre", US, 30, "*")
STOP = Hook("Stop", US, 90)
FOREIGN = {"matcher": "Bash", "hooks": [{"type": "command", "command": "/bin/a"}]}


def shared(matcher: str = "*") -> dict[str, Any]:
    return {"matcher": matcher, "hooks": [FOREIGN["hooks"][0], PRE.handler()]}


def planned(groups: list[Any], *wanted: Hook, positional: bool = True) -> list[Any]:
    data = {"hooks": {"Pre": groups}}
    before = copy.deepcopy(data)
    result = plan_hooks(data, wanted, OWNER, LAYOUT, positional=positional).data
    assert data == before, "the plan changed its input"
    return list(result.get("hooks", {}).get("Pre", []))


def test_foreign_groups_around_ours_keep_their_places() -> None:
    ours = PRE.group()
    assert planned([FOREIGN, ours, FOREIGN], PRE) == [FOREIGN, ours, FOREIGN]


def test_an_outdated_group_is_renewed_in_its_place() -> None:
    old = {"matcher": "Bash", "hooks": [{"command": US, "timeout": 5, "async": True}]}
    assert planned([FOREIGN, old, FOREIGN], PRE) == [FOREIGN, PRE.group(), FOREIGN]


def test_a_command_in_our_folder_is_an_older_one_of_ours() -> None:
    old = {"hooks": [{"command": "/home/u/.defenseclaw/hooks/old.sh --x"}]}
    assert planned([old], PRE) == [PRE.group()]


@pytest.mark.parametrize(
    "command",
    ["/home/u/.defenseclaw/hooks", "/opt/.defenseclaw/hooks/agent.sh", "agent.sh", "", None, 7,
     "/home/u/.defenseclaw/hooksx/agent.sh", "echo /home/u/.defenseclaw/hooks/agent.sh"],
)  # fmt: skip
def test_a_similar_command_is_not_ours(command: object) -> None:
    similar = {"hooks": [{"type": "command", "command": command}]}
    assert planned([similar], PRE) == [similar, PRE.group()]
    assert planned([similar]) == [similar]


def test_a_doubled_group_of_ours_becomes_one() -> None:
    assert planned([PRE.group(), PRE.group()], PRE) == [PRE.group()]


def test_an_exact_group_is_kept_before_an_outdated_one() -> None:
    old = {"hooks": [{"command": US}]}
    assert planned([old, PRE.group()], PRE, positional=False) == [PRE.group()]


def test_a_removed_group_leaves_an_empty_place_only_in_front_of_others() -> None:
    assert planned([PRE.group(), FOREIGN]) == [{}, FOREIGN]
    assert planned([FOREIGN, PRE.group()]) == [FOREIGN]
    assert planned([PRE.group(), FOREIGN], positional=False) == [FOREIGN]


def test_an_empty_place_is_used_again() -> None:
    assert planned([{}, FOREIGN], PRE) == [PRE.group(), FOREIGN]


def test_a_handler_among_foreign_ones_is_renewed_there() -> None:
    group = shared()
    group["hooks"][1]["timeout"] = 1
    assert planned([group], PRE) == [shared()]
    assert planned([shared()]) == [{"matcher": "*", "hooks": FOREIGN["hooks"]}]


def test_a_handler_of_ours_under_another_matcher_is_refused() -> None:
    with pytest.raises(SetupError, match="another matcher"):
        planned([shared("Bash")], PRE)


def test_a_second_handler_of_ours_among_foreign_ones_is_refused() -> None:
    with pytest.raises(SetupError, match="twice"):
        planned([PRE.group(), shared()], PRE)


def test_events_that_left_the_contract_are_taken_out() -> None:
    data = {"hooks": {"Pre": [PRE.group()], "Stop": [STOP.group()]}}
    assert plan_hooks(data, [PRE], OWNER, LAYOUT, positional=False).data == {
        "hooks": {"Pre": [PRE.group()]}
    }


def test_the_slots_say_where_our_handlers_are() -> None:
    data = {"hooks": {"Pre": [FOREIGN, shared()], "Stop": [FOREIGN], "state": {}}}
    result = plan_hooks(data, [PRE, STOP], OWNER, LAYOUT, positional=True)
    assert result.slots == {"Pre": (1, 1), "Stop": (1, 0)}
    assert result.previous == (("Pre", (1, 1)),)


def test_what_only_held_our_entries_disappears_and_the_rest_stays() -> None:
    data = {"a": 1, "hooks": {"Pre": [PRE.group()]}}
    assert plan_hooks(data, [], OWNER, LAYOUT, positional=False).data == {"a": 1}
    data = {"hooks": {"Pre": [], "Other": []}}
    assert plan_hooks(data, [], OWNER, LAYOUT, positional=False).data == data
    assert plan_hooks({"hooks": {}}, [], OWNER, LAYOUT, positional=False).data == {"hooks": {}}


@pytest.mark.parametrize(
    "hooks",
    [[], "x", 1, None, {"Pre": {}}, {"Pre": "x"}, {"Pre": ["x"]}, {"Pre": [{"hooks": {}}]},
     {"Pre": [{"hooks": ["x"]}]}, {"Pre": [{"hooks": None}]}, {"state": []}],
)  # fmt: skip
def test_an_odd_shape_is_refused_and_changes_nothing(hooks: object) -> None:
    for wanted in ([], [PRE]):
        with pytest.raises(SetupError) as caught:
            plan_hooks({"hooks": hooks}, wanted, OWNER, LAYOUT, positional=True)
        assert "not changed" in caught.value.impact
        assert caught.value.hint


GROUPS = st.sampled_from(
    [FOREIGN, PRE.group(), {}, {"hooks": []}, {"hooks": [{"command": US}]}, shared()]
)


@given(st.lists(GROUPS, max_size=6), st.booleans())
def test_a_plan_is_stable_and_removal_leaves_only_foreign_handlers(
    groups: list[dict[str, Any]], positional: bool
) -> None:
    data = {"hooks": {"Pre": groups}}
    try:
        once = plan_hooks(data, [PRE], OWNER, LAYOUT, positional=positional)
    except SetupError:
        return
    assert plan_hooks(once.data, [PRE], OWNER, LAYOUT, positional=positional).data == once.data
    assert len(owned_slots(once.data, OWNER, LAYOUT)) == 1
    removed = plan_hooks(once.data, [], OWNER, LAYOUT, positional=positional).data
    assert owned_slots(removed, OWNER, LAYOUT) == []
    for before, after in [(data, once.data), (data, removed)]:
        assert foreign(before, positional) == foreign(after, positional)


def foreign(data: dict[str, Any], positional: bool) -> list[Any]:
    """Foreign handlers, with the index of their group where indices count."""
    groups = data.get("hooks", {}).get("Pre", [])
    return [
        (g if positional else 0, handler)
        for g, group in enumerate(groups)
        for handler in group.get("hooks", [])
        if not OWNER.owns(handler)
    ]


def test_a_switch_counts_only_with_its_exact_value() -> None:
    switch = Switch(("features", "hooks"), off=False)
    assert check_switches({"features": {"hooks": False}}, [switch]) == "features.hooks = false"
    for value in (True, "false", 0, None, {}):
        assert check_switches({"features": {"hooks": value}}, [switch]) == ""
    assert check_switches({"features": []}, [switch]) == ""
