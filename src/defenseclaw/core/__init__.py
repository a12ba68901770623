"""The shared vocabulary: verdicts, events, tool calls, facts and findings. Pure and cheap."""
