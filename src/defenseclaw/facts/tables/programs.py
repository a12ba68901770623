"""Program names that mean something whatever folder they lie in."""

from __future__ import annotations

# Entry points that projects carry in their own tree; they behave like the tool of that name.
PROJECT_PROGRAMS = frozenset(
    {"manage.py", "gradlew", "mvnw", "rails", "rake", "bundle", "artisan", "django-admin"}
)

# Miners are recognised by name, because nobody installs them into a trusted folder.
MINERS = frozenset(
    {"xmrig", "xmrig-proxy", "minerd", "cpuminer", "cpuminer-multi", "ethminer", "cgminer",
     "bfgminer", "t-rex", "lolminer", "nbminer", "teamredminer", "phoenixminer", "nanominer"}
)  # fmt: skip
