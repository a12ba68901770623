"""Real coding agents, headless and offline, driven by a scripted model against the real product."""
