"""Labelled texts as prompts and results hold them: kinds of secrets and personal data in the places
where they turn up, and ordinary texts that look like them.

Values are drawn from a seeded generator and put together here, so that no scanner takes this file
for a leak.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
SOURCE = random.Random(20_260_707)  # the rows are the same on every run


@dataclass(frozen=True)
class Row:
    """A text; ``family`` is the start of the rule that has to speak, empty for an ordinary one."""

    text: str
    family: str = ""


def draw(count: int, letters: str = ALNUM) -> str:
    """A random text that holds digits and letters."""
    while True:
        text = "".join(SOURCE.choice(letters) for _ in range(count))
        if any(c.isdigit() for c in text) and any(c.isalpha() for c in text):
            return text


def jwt() -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(f'{{"sub":"{draw(8)}"}}'.encode()).decode().rstrip("=")
    return f"{head}.{body}.{draw(43)}"


def luhn(prefix: str, length: int) -> str:
    """A card number with its check digit."""
    digits = prefix + "".join(SOURCE.choice("0123456789") for _ in range(length - len(prefix) - 1))
    total = 0
    for place, digit in enumerate(map(int, reversed(digits))):
        doubled = digit * 2 if place % 2 == 0 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return digits + str(-total % 10)


def iban(country: str, length: int) -> str:
    """An account number with its check digits."""
    rest = "".join(SOURCE.choice("0123456789") for _ in range(length - 4))
    number = "".join(str(int(c, 36)) for c in f"{rest}{country}00")
    return f"{country}{98 - int(number) % 97:02d}{rest}"


# what a value is, and the family of rules that knows it
SECRETS: dict[str, Callable[[], str]] = {
    "SEC-ANTHROPIC": lambda: "sk-ant-" + "api03-" + draw(40),
    "SEC-AWS-KEY": lambda: "AK" + "IA" + draw(16, UPPER),
    "SEC-AWS-SECRET": lambda: "aws_secret_" + "access_key = " + draw(40),
    "SEC-BEARER": lambda: "Authorization: Bea" + "rer " + draw(32),
    "SEC-CONNSTR": lambda: "postgres" + f"://app:{draw(12)}@db.example.test:5432/app",
    "SEC-DISCORD-WEBHOOK": lambda: (
        "https://discord" + f".com/api/webhooks/{draw_digits(18)}/{draw(68)}"
    ),
    "SEC-GITHUB-PAT": lambda: "github" + f"_pat_11{draw(20, UPPER)}_{draw(40)}",
    "SEC-GITHUB-TOKEN": lambda: SOURCE.choice(["gh" + "p_", "gh" + "s_", "gh" + "o_"]) + draw(36),
    "SEC-GITLAB": lambda: "gl" + "pat-" + draw(20),
    "SEC-GOOGLE": lambda: "AI" + "za" + draw(35),
    "SEC-HEX-SECRET": lambda: "client_" + f'secret: "{draw(40, HEX)}"',
    "SEC-JWT": jwt,
    "SEC-NPM-TOKEN": lambda: "np" + "m_" + draw(36),
    "SEC-OPENAI": lambda: "sk-" + "proj-" + draw(48),
    "SEC-PYPI-TOKEN": lambda: "py" + "pi-" + draw(60),
    "SEC-SENDGRID": lambda: "S" + f"G.{draw(22)}.{draw(43)}",
    "SEC-SLACK-TOKEN": lambda: "xo" + f"xb-{draw_digits(12)}-{draw(24)}",
    "SEC-SLACK-WEBHOOK": lambda: (
        "https://hooks.slack" + f".com/services/T{draw(8, UPPER)}/B{draw(8, UPPER)}/{draw(24)}"
    ),
    "SEC-STRIPE": lambda: "sk_" + "live_" + draw(24),
    "SEC-TWILIO": lambda: "S" + "K" + draw(32, HEX),
    "ENT-CC-VISA": lambda: luhn("4", 16),
    "ENT-CC-MC": lambda: luhn("53", 16),
    "ENT-CC-AMEX": lambda: luhn("37", 15),
    "ENT-CC-DISCOVER": lambda: luhn("6011", 16),
    "ENT-IBAN": lambda: iban("DE", 22),
    "ENT-BULK-SSN": lambda: f"SSN: {SOURCE.randint(200, 650)}-{SOURCE.randint(11, 98)}-4821",
    "ENT-DOB-PATTERN": lambda: f"date of birth: {SOURCE.randint(10, 28)}/04/1984",
    "ENT-MEDICAL-RECORD": lambda: f"MRN: {draw_digits(8)}",
}
PLACES = (
    "{}",
    "here it is: {} please use it",
    "line one\n{}\nline three",
    '{{"value": "{}"}}',
    "2026-05-04T10:00:00Z INFO request done\n  {}\n",
    "- {}\n- something else",
    "export VALUE={}",
)
# Kinds whose value ends with its own quotes or label do not fit into quotes once more.
UNQUOTED = frozenset({"SEC-HEX-SECRET"})


def draw_digits(count: int) -> str:
    """A number that does not start with a zero."""
    return str(SOURCE.randint(10 ** (count - 1), 10**count - 1))


def dangerous() -> Iterator[Row]:
    """Every kind in every place."""
    for family, make in SECRETS.items():
        for place in PLACES:
            if '"{}"' not in place or family not in UNQUOTED:
                yield Row(place.format(make()), family)


NEAR: tuple[Callable[[], str], ...] = (
    lambda: f"commit {draw(40, HEX)}",
    lambda: f"sha256:{draw(64, HEX)}",
    lambda: f"id {draw(8, HEX)}-{draw(4, HEX)}-4{draw(3, HEX)}-a{draw(3, HEX)}-{draw(12, HEX)}",
    lambda: f'"integrity": "sha512-{draw(86)}=="',
    lambda: f"data:image/png;base64,iVBORw0KGgo{draw(180)}",
    lambda: f"https://cdn.example.test/assets/app.{draw(20, HEX)}.js",
    lambda: f'etag: "{draw(32, HEX)}"',
    lambda: f"request-id={draw(22)}",
    lambda: f"order {draw_digits(9)} was shipped with {draw_digits(12)}",
    lambda: f"epoch {SOURCE.randint(1_600_000_000, 1_800_000_000)}",
    lambda: (
        f"build {SOURCE.randint(100, 999)}-{SOURCE.randint(10, 99)}-{SOURCE.randint(1000, 9999)}"
    ),
    lambda: f'resolved "https://registry.example.test/a/-/a-1.0.3.tgz#{draw(40, HEX)}"',
    lambda: "sk-ant-" + "x" * 40,
    lambda: "AK" + "IAIOSFODNN7" + "EXAMPLE",
    lambda: "gh" + "p_" + "x" * 36,
    lambda: "Authorization: Bearer $TOKEN",
    lambda: "Authorization: Bearer <your-token>",
    lambda: "postgres://app:$PASSWORD@db.example.test/app",
    lambda: "postgres://app:app@localhost:5432/app",
    lambda: "4111 1111 1111 1111",
    lambda: luhn("4", 16)[:-1] + "x",
    lambda: f"version {SOURCE.randint(1, 9)}.{SOURCE.randint(1, 40)}.{SOURCE.randint(1, 99)}",
    lambda: f"port {SOURCE.randint(1024, 65000)} of 10.0.{SOURCE.randint(0, 255)}.4",
    lambda: f"arn:aws:iam::{draw_digits(12)}:role/deploy",
    lambda: f"urn:uuid:{draw(32, HEX)}",
    lambda: f"-----BEGIN CERTIFICATE-----\n{draw(64)}\n-----END CERTIFICATE-----",
    lambda: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{draw(43)} dana@host",
    lambda: "-----BEGIN " + "PRIVATE KEY----- is how such a file starts",
    lambda: "the api_key field is read from the environment",
    lambda: "please ignore the earlier mail about the rules",
)
ROUNDS = 6


def ordinary() -> Iterator[Row]:
    """What looks like a secret and is none, several times with other values."""
    for _ in range(ROUNDS):
        for make in NEAR:
            yield Row(make())


DANGEROUS, ORDINARY = tuple(dangerous()), tuple(ordinary())
