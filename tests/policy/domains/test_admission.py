"""What may be installed: lists, first party, scans, and the profiles' severity tables."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.core.verdict import Profile
from defenseclaw.policy import DomainName, evaluate_domain, merged, parse_data
from tests.policy.domains.ask import DEFAULT, PERMISSIVE, STRICT, ask

SKILL: dict[str, Any] = {
    "target_type": "skill", "target_name": "notes", "path": "/opt/skills/notes",
    "block_list": [], "allow_list": [],
}  # fmt: skip
ROW = {"type": "skill", "name": "Notes", "reason": "because"}
STOP, HOLD = ("quarantine", "block", "block"), ("quarantine", "none", "block")
MUTE, FREE = ("none", "none", "block"), ("none", "none", "allow")
KEEP_OUT, LET_IN = ("none", "block", "block"), ("none", "allow", "allow")


def scan(severity: str, total: int = 1, **more: Any) -> dict[str, Any]:
    return {"scan_result": {"max_severity": severity, "total_findings": total, **more}}


def actions(answer: dict[str, Any]) -> tuple[str, str, str]:
    return answer["file_action"], answer["install_action"], answer["runtime_action"]


def admit(profile: Profile = DEFAULT, **given: Any) -> dict[str, Any]:
    return ask(DomainName.ADMISSION, {**SKILL, **given}, profile)


# severity -> actions, per profile and type; a plugin is like a skill.
SEVERITIES = {
    (DEFAULT, "skill"): {"CRITICAL": STOP, "HIGH": STOP, "MEDIUM": FREE, "LOW": FREE, "INFO": FREE},
    (DEFAULT, "plugin"): {"CRITICAL": STOP, "HIGH": STOP, "MEDIUM": FREE, "LOW": FREE},
    (DEFAULT, "mcp"): {"CRITICAL": STOP, "HIGH": STOP, "MEDIUM": HOLD, "LOW": MUTE, "INFO": FREE},
    (STRICT, "skill"): {"CRITICAL": STOP, "HIGH": STOP, "MEDIUM": STOP, "LOW": FREE, "INFO": FREE},
    (STRICT, "mcp"): {"CRITICAL": STOP, "HIGH": STOP, "MEDIUM": STOP, "LOW": MUTE, "INFO": FREE},
    (PERMISSIVE, "skill"): {"CRITICAL": STOP, "HIGH": FREE, "MEDIUM": FREE, "LOW": FREE},
    (PERMISSIVE, "mcp"): {"CRITICAL": STOP, "HIGH": FREE, "MEDIUM": FREE, "LOW": FREE},
}


@pytest.mark.parametrize(
    ("profile", "target", "severity", "wanted"),
    [(p, t, s, w) for (p, t), rows in SEVERITIES.items() for s, w in rows.items()],
)
def test_a_scan_is_judged_by_the_profiles_table(
    profile: Profile, target: str, severity: str, wanted: tuple[str, str, str]
) -> None:
    answer = admit(profile, target_type=target, **scan(severity))
    assert actions(answer) == wanted
    assert answer["verdict"] == ("warning" if wanted == FREE else "rejected")


@pytest.mark.parametrize("profile", Profile)
def test_lists_come_before_scans_and_blocks_before_allows(profile: Profile) -> None:
    both = admit(profile, block_list=[ROW], allow_list=[ROW], **scan("NONE", 0))
    assert (both["verdict"], both["reason"], actions(both)) == ("blocked", "because", KEEP_OUT)
    allowed = admit(profile, allow_list=[ROW], **scan("CRITICAL"))
    assert (allowed["verdict"], actions(allowed)) == ("allowed", LET_IN)
    other = admit(profile, block_list=[{**ROW, "type": "mcp"}, {**ROW, "name": "note"}])
    assert (other["verdict"], actions(other)) == ("scan", KEEP_OUT)


@pytest.mark.parametrize(
    ("path", "pin", "counts"),
    [
        ("/opt/skills/notes", "/opt/skills", True),
        ("/opt/skills/notes", "/opt/skills/notes/", True),
        ("/opt/skills-of-another/notes", "/opt/skills", False),
        ("/opt/skills/../evil/notes", "/opt/skills", False),
        ("/tmp/opt/skills/notes", "/opt/skills", False),
        ("opt/skills/notes", "opt/skills", False),
        ("", "/opt/skills", False),
        ("C:\\Skills\\notes", "c:/skills", True),
        ("C:\\Skills2\\notes", "c:/skills", False),
        ("/opt/skills/notes", "/", False),
    ],
)
def test_a_pinned_allow_counts_below_its_path_by_components(
    path: str, pin: str, counts: bool
) -> None:
    answer = admit(path=path, allow_list=[{**ROW, "source_path": pin}])
    assert (answer["verdict"] == "allowed") is counts
    document = merged(DEFAULT)
    document["first_party_allow_list"] = [
        {"target_type": "skill", "target_name": "notes", "source_path": pin}
    ]
    ours = evaluate_domain(DomainName.ADMISSION, {**SKILL, "path": path}, parse_data(document))
    assert (ours.answer["verdict"] == "allowed") is counts


@pytest.mark.parametrize(
    ("profile", "verdict"), [(DEFAULT, "allowed"), (STRICT, "rejected"), (PERMISSIVE, "allowed")]
)
def test_first_party_skips_the_scan_where_the_profile_says_so(
    profile: Profile, verdict: str
) -> None:
    document = merged(profile)
    document["first_party_allow_list"] = [
        {"target_type": "skill", "target_name": "notes", "source_path": "/opt/skills"}
    ]
    given = {**SKILL, **scan("CRITICAL")}
    answer = evaluate_domain(DomainName.ADMISSION, given, parse_data(document)).answer
    assert answer["verdict"] == verdict


@pytest.mark.parametrize("profile", Profile)
def test_without_a_scan_one_is_asked_for_unless_the_data_says_otherwise(profile: Profile) -> None:
    assert admit(profile)["verdict"] == "scan"
    free = ask(DomainName.ADMISSION, SKILL, profile, config={"scan_on_install": False})
    assert (free["verdict"], actions(free)) == ("allowed", LET_IN)


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        (scan("NONE", 0), "clean"),
        (scan("NONE", 0, exit_code=1), "rejected"),
        (scan("NONE", 0, scan_error="timed out"), "rejected"),
        (scan("LOW", 2, exit_code=1), "warning"),
        (scan("CRITICAL", 0), "rejected"),  # a severity without a count still counts
        (scan("NONE", 3), "warning"),
        (scan("NONE", 0, findings=[{"id": 1}]), "warning"),
    ],
)
def test_a_scan_that_failed_or_contradicts_itself_is_never_clean(
    result: dict[str, Any], verdict: str
) -> None:
    assert admit(**result)["verdict"] == verdict
