"""Why a rule pack was refused."""

from __future__ import annotations

from defenseclaw.errors import RulePackError

IMPACT = "The pack is not in force as a whole; the rules that were active before stay active."
HINT = "Correct the named place and run: defenseclaw guardrail validate-pack PATH"


class PackRejectedError(RulePackError):
    """A refusal with its place: file, line where known, rule, and a closed code.

    ``reason`` is a fixed phrase; it never quotes a pattern, an expression or any other value.
    """

    def __init__(
        self, code: str, path: str, reason: str, *, line: int = 0, rule_id: str = ""
    ) -> None:
        place = path + (f":{line}" if line else "") + (f" rule {rule_id}" if rule_id else "")
        super().__init__(
            f"Rule pack refused at {place}: {reason} [{code}]", impact=IMPACT, hint=HINT
        )
        self.code = code
        self.path = path
        self.reason = reason
        self.line = line
        self.rule_id = rule_id
