"""The named lock of whoever starts a gateway: one for each data home, in this user's session."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path

from defenseclaw.platform.trust import UnsafeFileError
from defenseclaw.platform.windows.api import LockApi
from defenseclaw.platform.windows.descriptor import (
    MANAGERS,
    DescriptorError,
    pack_descriptor,
    parse_descriptor,
    private_descriptor,
)

MUTEX_PREFIX = "Local\\DefenseClawGateway-"
DIGEST_CHARS = 32  # of a SHA-256: names of data homes do not collide


def mutex_name(home: Path) -> str:
    """The lock's name; the hook client makes the same one of its settings' ``home``."""
    digest = hashlib.sha256(str(home).lower().encode("utf-8", "surrogatepass"))
    return MUTEX_PREFIX + digest.hexdigest()[:DIGEST_CHARS]


@contextlib.contextmanager
def named_lock(api: LockApi, home: Path, timeout_s: float) -> Iterator[bool]:
    """Hold the lock; False when somebody else had it all the time. Raises UnsafeFileError."""
    name = mutex_name(home)
    ours = pack_descriptor(private_descriptor(api.user(), folder=False))
    try:
        handle = api.open_mutex(name, ours)
    except OSError as error:
        raise _refused(name, f"cannot be opened ({error.strerror})") from error
    try:
        _must_be_ours(api, handle, name)
        if not api.wait(handle, int(timeout_s * 1000)):
            yield False
            return
        try:
            yield True
        finally:
            api.release_mutex(handle)
    finally:
        api.close(handle)


def _must_be_ours(api: LockApi, handle: int, name: str) -> None:
    """Whoever makes a name first owns what others open: it could keep every gateway from us."""
    try:
        owner = parse_descriptor(api.security_of_handle(handle)).owner
    except (OSError, DescriptorError) as error:
        raise _refused(name, "cannot be examined") from error
    if owner not in {*MANAGERS, api.user()}:
        raise _refused(name, "was made by another user")


def _refused(name: str, problem: str) -> UnsafeFileError:
    return UnsafeFileError(
        f"the lock {name} {problem}",
        impact="no gateway was started; hooks follow their fail mode",
        hint="log off and on again, then run `defenseclaw doctor`",
    )
