"""Why a configuration file cannot be read or edited."""

from __future__ import annotations


class DocumentError(ValueError):
    """The text is not acceptable; the message names the place and quotes no value."""
