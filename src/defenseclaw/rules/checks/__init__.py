"""Structural checks that a pattern's hit must pass before it counts, by their name in rules."""

from collections.abc import Callable, Mapping

from defenseclaw.rules.checks.bulk import is_address_list, is_csv_pii, is_json_pii
from defenseclaw.rules.checks.credential import is_bearer, is_connection, is_credential
from defenseclaw.rules.checks.number import is_card, is_iban
from defenseclaw.rules.checks.person import is_social_security
from defenseclaw.rules.checks.private_key import is_private_key_block
from defenseclaw.rules.model import Validator

Check = Callable[[str, int, int], bool]

CHECKS: Mapping[Validator, Check] = {
    Validator.CREDENTIAL: is_credential,
    Validator.BEARER: is_bearer,
    Validator.CONNECTION: is_connection,
    Validator.PRIVATE_KEY: is_private_key_block,
    Validator.SSN: is_social_security,
    Validator.CARD: is_card,
    Validator.IBAN: is_iban,
    Validator.CSV_PII: is_csv_pii,
    Validator.JSON_PII: is_json_pii,
    Validator.ADDRESS_LIST: is_address_list,
}

__all__ = ["CHECKS", "Check"]
