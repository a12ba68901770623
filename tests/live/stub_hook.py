"""A hook program for proving the drivers: records each payload, may deny pre-tool events.

Usage: stub_hook.py LOG allow|deny
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

REASON = "refused-by-the-stub"


def main() -> int:
    """Record the payload; print a denial when asked to."""
    log, answer = Path(sys.argv[1]), sys.argv[2]
    payload = json.load(sys.stdin)
    with log.open("a", encoding="utf-8") as out:
        out.write(json.dumps(payload) + "\n")
    if answer == "deny":
        decision = {
            "hookEventName": payload["hook_event_name"],
            "permissionDecision": "deny",
            "permissionDecisionReason": REASON,
        }
        print(json.dumps({"hookSpecificOutput": decision}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
