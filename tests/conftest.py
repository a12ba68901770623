"""What holds for every test: nothing is judged by how long a machine takes."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The first text that is generated on a fresh checkout waits a second for tables of characters.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
