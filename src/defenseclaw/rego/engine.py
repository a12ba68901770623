"""Evaluating modules in a process of their own, so that none can harm or hold up ours."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.core.limits import (
    MAX_PAYLOAD_DEPTH,
    MAX_REGO_REPLY_BYTES,
    REGO_CPU_S,
    REGO_MEMORY_BYTES,
    REGO_TIMEOUT_S,
)
from defenseclaw.errors import PolicyError
from defenseclaw.platform import Limits, converse, package_file
from defenseclaw.policy import DOMAINS, DomainName, EvaluationError
from defenseclaw.rego.tables.builtins import BUILTINS, UNSAFE

ROOT = "data.defenseclaw"  # modules of a domain are in the package ``defenseclaw.DOMAIN``
_BASE: Mapping[str, Any] = {
    "builtins": BUILTINS,
    "unsafe": UNSAFE,
    "memory_bytes": REGO_MEMORY_BYTES,
    "cpu_seconds": REGO_CPU_S,
}


class RegoEngine:
    """Modules that were taken as a whole. One object serves one thread; queries share nothing."""

    def __init__(self, seconds: float = REGO_TIMEOUT_S) -> None:
        """``seconds`` is what one load or query may take."""
        self._limits = Limits(seconds, MAX_REGO_REPLY_BYTES, 1)
        self._loaded: dict[str, Any] = {"modules": {}, "data": {}}
        self._packages: frozenset[str] = frozenset()

    def load(self, modules: Mapping[str, str], data: Mapping[str, Any]) -> None:
        """Take modules by their path, and the data they see as ``data``. Raises PolicyError.

        One module that is refused refuses all; what was loaded before stays then.
        """
        if not modules:
            raise PolicyError(".", "there are no .rego modules")
        loaded = {"modules": dict(modules), "data": dict(data)}
        try:
            reply = _ask(loaded, self._limits)
        except EvaluationError as error:
            raise PolicyError(".", str(error)) from None
        if "packages" not in reply:
            raise _refused(reply)
        self._loaded, self._packages = loaded, frozenset(reply["packages"])

    @property
    def domains(self) -> tuple[DomainName, ...]:
        """The domains that the modules decide."""
        return tuple(name for name in DomainName if f"{ROOT}.{name}" in self._packages)

    def query(self, domain: DomainName, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer's fields for an input. Raises EvaluationError."""
        if domain not in self.domains:
            raise EvaluationError(f"no module is of the package defenseclaw.{domain}")
        rules = {field: f"{ROOT}.{domain}.{field}" for field in DOMAINS[domain].answer.fields}
        reply = _ask({**self._loaded, "rules": rules, "input": dict(given)}, self._limits)
        if "found" not in reply:
            raise EvaluationError(str(_refused(reply)))
        found: Mapping[str, Any] = reply["found"]
        return found


def _ask(request: Mapping[str, Any], limits: Limits) -> Mapping[str, Any]:
    """One process, one reply; what ends it early is an error of the modules."""
    argv = [sys.executable, "-I", str(package_file("rego", "worker.py"))]
    line = json.dumps({**_BASE, **request}).encode() + b"\n"
    try:
        [reply] = converse(argv, line, lambda _line: True, limits, _environment())
        return parse_object(reply, max_depth=MAX_PAYLOAD_DEPTH)
    except TimeoutError:
        raise EvaluationError(
            "the modules did not come to an end within their time, memory and size"
        ) from None
    except OSError:
        raise EvaluationError("the process that evaluates could not be used") from None
    except JsonTextError:
        raise EvaluationError("the modules' answer is not JSON of bounded depth") from None


def _environment() -> dict[str, str]:
    """Nothing of ours but what Windows starts no program without."""
    return {key: os.environ[key] for key in ("SYSTEMROOT",) if key in os.environ}


def _refused(reply: Mapping[str, Any]) -> PolicyError:
    if reply.get("missing"):
        return PolicyError(
            "the Rego engine", "it is not installed", hint="run `pip install 'defenseclaw[opa]'`"
        )
    return PolicyError(str(reply["path"]), str(reply["reason"]), line=int(reply["line"]))
