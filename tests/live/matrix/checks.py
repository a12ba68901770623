"""What is asked of every agent, and what some of them cannot do."""

from __future__ import annotations

from enum import StrEnum


class Check(StrEnum):
    """One column of the matrix; the value is its heading."""

    RUNS = "allowed call runs"
    BLOCKED = "refused call is prevented"
    TOLD = "model is told the rule"
    WRITE = "file write"
    READ = "file read"
    TOOL_SERVER = "MCP tool"
    PARALLEL = "parallel calls"
    SUBAGENT = "subagent's call"
    OBSERVE = "observe records"
    CLOSED = "outage, closed"
    OPEN = "outage, open"
    REMOVAL = "removal leaves nothing"
