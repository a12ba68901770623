"""What people have said about calls, read with the configuration and held as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from defenseclaw.config import Config, load_lists, load_suppressions
from defenseclaw.engine import ControlRows
from defenseclaw.errors import ConfigError
from defenseclaw.platform import DataHome

Row = TypeVar("Row")


def load_rows(home: DataHome, config: Config, report: Callable[[str], None] | None) -> ControlRows:
    """All rows, an administrator's among them.

    A file that cannot be read is reported and left out where ``report`` is given, which is at the
    start: calls go on being judged. Without it ConfigError is raised and the last rows stay.
    """
    lists = _rows(load_lists, home, report)
    return ControlRows((*lists, *config.managed.rows), _rows(load_suppressions, home, report))


def _rows(
    load: Callable[[DataHome], Iterable[Row]],
    home: DataHome,
    report: Callable[[str], None] | None,
) -> tuple[Row, ...]:
    try:
        return tuple(load(home))
    except ConfigError as error:
        if report is None:
            raise
        report(error.what)
        return ()
