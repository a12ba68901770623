"""What a finding's severity means for something that is installed."""

from __future__ import annotations

from dataclasses import dataclass

from defenseclaw.core.verdict import Severity
from defenseclaw.policy.domains.data import PolicyData
from defenseclaw.policy.domains.reading import Record, flag, nullable, severity, word
from defenseclaw.policy.domains.words import FileAction, InstallAction, RuntimeAction, TargetType


@dataclass(frozen=True, slots=True)
class SkillActionsInput:
    """A severity, and the type of what it was found in."""

    severity: Severity
    target_type: TargetType | None = None


@dataclass(frozen=True, slots=True)
class SkillActionsAnswer:
    """The actions, and the same as yes or no."""

    runtime_action: RuntimeAction
    file_action: FileAction
    install_action: InstallAction
    should_block: bool
    should_quarantine: bool
    should_block_install: bool


READ = Record(SkillActionsInput, {"severity": severity}, target_type=nullable(word(TargetType)))
ANSWER = Record(
    SkillActionsAnswer,
    {
        "runtime_action": word(RuntimeAction),
        "file_action": word(FileAction),
        "install_action": word(InstallAction),
        "should_block": flag,
        "should_quarantine": flag,
        "should_block_install": flag,
    },
)
SAFE = SkillActionsAnswer(
    RuntimeAction.BLOCK, FileAction.QUARANTINE, InstallAction.BLOCK, True, True, True
)


def decide_skill_actions(given: SkillActionsInput, data: PolicyData) -> SkillActionsAnswer:
    """The override of the type, else what holds for every type; no severity counts as INFO."""
    row = data.effective(given.target_type, given.severity)
    return SkillActionsAnswer(
        runtime_action=row.runtime,
        file_action=row.file,
        install_action=row.install,
        should_block=row.runtime is RuntimeAction.BLOCK,
        should_quarantine=row.file is FileAction.QUARANTINE,
        should_block_install=row.install is InstallAction.BLOCK,
    )
