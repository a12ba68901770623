"""The only place for files, processes, sockets and clocks of the command line and the gateway."""

from defenseclaw.platform.clock import monotonic, now_ms, rfc3339
from defenseclaw.platform.fs import (
    PRIVATE_FILE,
    PRIVATE_PROGRAM,
    Trust,
    UnsafeFileError,
    file_mode,
    make_private_dir,
    read_bounded,
    read_optional,
    remove_file,
    replace_keeping_mode,
    resolve_target,
    sweep_temporaries,
    write_private,
)
from defenseclaw.platform.locks import LockTimeoutError, directory_lock, file_lock
from defenseclaw.platform.loopback import LoopbackClient, Reply
from defenseclaw.platform.paths import HOME_VARIABLE, DataHome, data_home, user_home
from defenseclaw.platform.process import (
    ProbeResult,
    ProcessIdentity,
    identity_of,
    is_running,
    listens_on,
    own_identity,
    run_probe,
    spawn_detached,
    terminate,
    wait_gone,
)
from defenseclaw.platform.resources import catalog_files, package_file, sha256_of
from defenseclaw.platform.tokens import ensure_token, read_token, renew_token

__all__ = [
    "HOME_VARIABLE",
    "PRIVATE_FILE",
    "PRIVATE_PROGRAM",
    "DataHome",
    "LockTimeoutError",
    "LoopbackClient",
    "ProbeResult",
    "ProcessIdentity",
    "Reply",
    "Trust",
    "UnsafeFileError",
    "catalog_files",
    "data_home",
    "directory_lock",
    "ensure_token",
    "file_lock",
    "file_mode",
    "identity_of",
    "is_running",
    "listens_on",
    "make_private_dir",
    "monotonic",
    "now_ms",
    "own_identity",
    "package_file",
    "read_bounded",
    "read_optional",
    "read_token",
    "remove_file",
    "renew_token",
    "replace_keeping_mode",
    "resolve_target",
    "rfc3339",
    "run_probe",
    "sha256_of",
    "spawn_detached",
    "sweep_temporaries",
    "terminate",
    "user_home",
    "wait_gone",
    "write_private",
]
