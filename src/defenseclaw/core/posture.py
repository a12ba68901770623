"""How one connector is meant to behave: the resolved settings that a decision depends on."""

from __future__ import annotations

from dataclasses import dataclass

from defenseclaw.core.verdict import FailMode, Mode, Profile


@dataclass(frozen=True, slots=True)
class Posture:
    """Effective settings of one connector.

    ``human_approval`` lets HIGH findings become a question where the event can ask;
    ``block_message`` replaces the text that the agent sees on a block, never the audited reason;
    ``rule_pack_dir`` is the pack that is laid over the built-in rules, empty for none.
    """

    enabled: bool = True
    mode: Mode = Mode.OBSERVE
    fail_mode: FailMode = FailMode.CLOSED
    profile: Profile = Profile.DEFAULT
    human_approval: bool = True
    block_message: str = ""
    rule_pack_dir: str = ""


# Names of pack folders in the public layout, where the folder is the profile.
_PACK_PROFILES = {**{profile.value: profile for profile in Profile}, "balanced": Profile.DEFAULT}


def profile_named(folder: str) -> Profile | None:
    """The profile that a pack's folder is named after; None for a pack of another name."""
    leaf = folder.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return _PACK_PROFILES.get(leaf.lower())
