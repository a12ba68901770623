"""The rule generations of a gateway: built-in rules, alone and with each pack laid over them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from defenseclaw.core.pack import PackCode
from defenseclaw.core.verdict import Profile
from defenseclaw.errors import ConfigError, RulePackError
from defenseclaw.platform import read_pack
from defenseclaw.rules import Generation, Pack, build_generation, components, load_pack


class Generations:
    """Loads each pack once for all connectors that name it, and builds what is asked for.

    A pack whose content is what it was keeps its generations. Not for several threads at once.
    """

    def __init__(self, catalog: Mapping[str, bytes]) -> None:
        self._catalog = load_pack(catalog, name="catalog", examples=False)
        self._packs: dict[str, Pack] = {}
        self._built: dict[tuple[str, Profile], Generation] = {}

    def forget(self) -> None:
        """Read packs again when they are next asked for."""
        self._packs = {}

    def get(self, folder: str, profile: Profile) -> Generation:
        """The rules in force with the pack in a folder, or none, under a profile.

        Raises ConfigError for a pack that cannot be used.
        """
        try:
            pack = self._load(folder)
            key = (pack.digest if pack else "", profile)
            if key not in self._built:
                packs = [self._catalog, pack] if pack else [self._catalog]
                self._built[key] = build_generation(packs, profile)
        except RulePackError as error:
            raise ConfigError(
                f"the rule pack {folder} cannot be used: {error.what}",
                impact=error.impact,
                hint=f"run `defenseclaw guardrail validate-pack {folder}`",
            ) from error
        return self._built[key]

    def digests(self) -> dict[str, str]:
        """The digest of every pack that was asked for, by its folder; older ones are let go."""
        digests = {folder: pack.digest for folder, pack in self._packs.items()}
        kept = {"", *digests.values()}
        self._built = {key: made for key, made in self._built.items() if key[0] in kept}
        return digests

    def _load(self, folder: str) -> Pack | None:
        if folder and folder not in self._packs:
            self._packs[folder] = _read(Path(folder))
        return self._packs.get(folder)


def _read(folder: Path) -> Pack:
    try:
        return load_pack(read_pack(folder, components), name=folder.name)
    except RulePackError:
        raise
    except Exception as error:  # a fault of the loader must not end the rules in force
        raise RulePackError(PackCode.INTERNAL, ".", "the loader failed") from error
