"""Modules answer as the tables do, and hostile ones end within bounds with the safe answer."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from defenseclaw.core.verdict import Profile
from defenseclaw.errors import PolicyError
from defenseclaw.policy import DomainName, evaluate_domain, merged, parse_data
from defenseclaw.rego import RegoEngine, read_policy_folder
from defenseclaw.rego.tables.builtins import BUILTINS, UNSAFE

MODULES = Path(__file__).parent / "modules"
FIREWALL = {"target_type": "skill", "destination": "a.example", "port": 443, "protocol": "tcp"}
DENIED = {"action": "deny", "rule_name": "evaluation-error"}
HEAD = "package defenseclaw.firewall\n"
NAMED = 'rule_name := "mine"\n'
LISTED = {
    "default_action": "deny",
    "blocked_destinations": ["bad.example"],
    "allowed_domains": ["good.example"],
    "allowed_ports": [443],
}


def load(source: str, **data: Any) -> RegoEngine:
    engine = RegoEngine(seconds=2.0)
    engine.load({"policy.rego": source}, {**merged(Profile.DEFAULT), **data})
    return engine


def ask(source: str) -> tuple[dict[str, Any], str]:
    data = parse_data(merged(Profile.PERMISSIVE))
    outcome = evaluate_domain(DomainName.FIREWALL, FIREWALL, data, load(source))
    return dict(outcome.answer), outcome.error


def grid(profile: Profile) -> list[tuple[DomainName, dict[str, Any]]]:
    """Inputs around every row of two tables."""
    hosts = ("bad.example", "sub.bad.example", "good.example", "else.example")
    places = [
        (DomainName.FIREWALL, {**FIREWALL, "destination": host, "port": port})
        for host, port in product(hosts, (443, 22))
    ]
    severities = ("CRITICAL", "HIGH", "MEDIUM", "LOW", "NONE")
    found = [
        (DomainName.SKILL_ACTIONS, {"severity": severity, "target_type": target})
        for severity, target in product(severities, ("skill", "mcp"))
    ]
    return places + found if profile is Profile.DEFAULT else [*places[4:7], *found]


@pytest.mark.parametrize("profile", Profile)
def test_modules_give_the_answers_of_the_tables(profile: Profile) -> None:
    document = merged(profile)
    document["firewall"] = {
        **LISTED,
        "default_action": document["firewall"]["default_action"],
    }
    data, engine = parse_data(document), RegoEngine()
    engine.load(read_policy_folder(MODULES).modules, document)
    assert engine.domains == (DomainName.FIREWALL, DomainName.SKILL_ACTIONS)
    for domain, given in grid(profile):
        by_table = evaluate_domain(domain, given, data)
        by_module = evaluate_domain(domain, given, data, engine)
        assert by_module == by_table, given


@pytest.mark.parametrize(
    ("source", "line", "reason"),
    [
        ('action := http.send({"url": "http://127.0.0.1"})\n', 2, "http.send may not be used"),
        ('action := http["send"]({})\n', 2, "http.send may not be used"),
        ("action := opa.runtime()\n", 2, "opa.runtime may not be used"),
        ('action := net.lookup_ip_addr("localhost")\n', 2, "net.lookup_ip_addr may not be used"),
        ("action := x if { x := [1 | http.send({})] }\n", 2, "http.send may not be used"),
        ("x if true with count as http.send\n", 2, "http.send may not be used"),
        ("\naction := no.such.function(1)\n", 3, "calls a function that is not known"),
        ('action := http["se\\u006ed"]({})\n', 2, "http.send may not be used"),
        ('action = "deny" { true }\n', 2, "`if` keyword is required before rule body"),
        ("action := \n", 0, ""),
        ("import input.x as http\naction := http.send({})\n", 3, "http.send may not be used"),
    ],
)
def test_a_module_that_does_not_parse_or_calls_what_is_unsafe_is_refused_by_its_line(
    source: str, line: int, reason: str
) -> None:
    with pytest.raises(PolicyError) as refused:
        load(HEAD + source)
    assert refused.value.place == "policy.rego"
    assert not line or refused.value.line == line
    assert reason in refused.value.reason


def test_one_refused_module_refuses_all_and_what_was_loaded_stays() -> None:
    engine = load(HEAD + 'action := "allow"\n' + NAMED)
    with pytest.raises(PolicyError, match=r"b\.rego"):
        engine.load({"a.rego": HEAD + 'action := "deny"\n', "b.rego": "package"}, {})
    assert engine.query(DomainName.FIREWALL, FIREWALL)["action"] == "allow"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("action := again(1)\nagain(n) := again(n + 1)\n", "did not come to an end"),
        ("action := one\none := two\ntwo := one\n", "recursion"),
        (
            'action := concat("", ["0123456789" | some _ in numbers.range(1, 400000)])\n',
            "did not come to an end",
        ),
        (
            "action := [[i, j, k] | some i in numbers.range(1, 3000); "
            "some j in numbers.range(1, 3000); some k in numbers.range(1, 3000)]\n",
            "did not come to an end",
        ),
        ("action := count([1 | some i in numbers.range(1, 9); i > 20])\n", "is none of"),
        ('action := to_number("word")\n', "could not parse"),
        ("action := 1 / 0\n", "divide by zero"),
        ('action := "allow" if input.nothing\n', "has no value"),
        ('action := "allow"\naction := "deny"\n', "conflicts"),
        ("import data.other as o\naction := o.f(1)\n", "could not find function"),
        ('action := "allow"\nrule_name := 1\n', "answer.rule_name"),
    ],
)
def test_a_module_that_fails_endlessly_or_answers_wrongly_gives_the_safe_answer(
    source: str, reason: str
) -> None:
    named = "" if "rule_name" in source else NAMED
    answer, error = ask(HEAD + source + named)
    assert (answer, reason in error) == (DENIED, True), error


def test_text_that_the_parser_cannot_take_in_time_is_refused() -> None:
    with pytest.raises(PolicyError, match="did not come to an end"):
        load(HEAD + "action := " + "[" * 4000 + "]" * 4000 + "\n")


def test_a_domain_without_modules_has_the_safe_answer() -> None:
    assert ask('package elsewhere\naction := "allow"\n')[0] == DENIED


def test_printing_is_harmless_and_functions_of_ones_own_can_be_called() -> None:
    source = HEAD + 'import data.lib.choose\naction := choose(input.port) if print("x")\n' + NAMED
    engine = RegoEngine()
    lib = 'package lib\nchoose(n) := "allow" if n > 1\n'
    engine.load({"a.rego": source, "b.rego": lib}, merged(Profile.DEFAULT))
    assert engine.query(DomainName.FIREWALL, FIREWALL) == {"action": "allow", "rule_name": "mine"}


def test_no_modules_are_no_policy() -> None:
    with pytest.raises(PolicyError, match=r"no \.rego modules"):
        RegoEngine().load({}, {})


def test_unsafe_functions_are_not_in_the_list_of_what_may_be_called() -> None:
    assert not set(BUILTINS) & set(UNSAFE)
    assert not [name for name in BUILTINS if name.startswith(("http.", "opa.", "net.lookup"))]
