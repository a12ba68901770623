"""A scripted model: plays a fixed list of tool calls to a real coding agent.

A *script* is a list of steps. Each model request that offers tools consumes one step; requests
without tools (titles, summaries, probes) get a constant text and consume nothing. A used-up script
answers with a final text.
"""

from tests.live.model_server.script import Script, Step, custom, say, together, tool
from tests.live.model_server.server import ModelRequest, ModelServer

__all__ = ["ModelRequest", "ModelServer", "Script", "Step", "custom", "say", "together", "tool"]
