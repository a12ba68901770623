"""Private key blocks: only a complete block that decodes to what its label says is a key."""

from __future__ import annotations

import base64
import binascii
import re

MAX_BLOCK = 64 * 1024
MAX_LINE = 76
MAX_METADATA_LINES = 8
_LABELS = "(?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED) )?PRIVATE KEY|PGP PRIVATE KEY BLOCK"
_HEADER = re.compile(rf"-----BEGIN ({_LABELS})-----")
_METADATA = re.compile(r"[A-Za-z][A-Za-z-]{0,31}: [\x20-\x7e]{0,256}")
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_ARMOR_CHECKSUM = re.compile(r"=[A-Za-z0-9+/]{4}")
OPENSSH_MAGIC = b"openssh-key-v1\x00"
ASN1_SEQUENCE = 0x30
ASN1_INTEGER = 0x02
PGP_SECRET_TAGS = frozenset({5, 7})  # secret key and secret subkey packets


def is_private_key_block(text: str, start: int, end: int) -> bool:
    """Header, payload and footer fit together and the payload has the structure of a key."""
    header = _HEADER.search(text, start, start + 80)
    if header is None or header.start() != start:
        return False
    label = header[1]
    finish = text.find(f"-----END {label}-----", header.end(), start + MAX_BLOCK)
    if finish < 0:
        return False
    body = text[header.end() : finish].replace("\\r", "").replace("\\n", "\n").replace("\r", "")
    metadata, payload = _split(body.strip("\n "))
    if payload is None:
        return False
    try:
        raw = base64.b64decode(payload, validate=True)
    except (binascii.Error, ValueError):
        return False
    return _has_structure(label, raw, encrypted="Proc-Type: 4,ENCRYPTED" in metadata)


def _split(body: str) -> tuple[list[str], str | None]:
    """Metadata lines and the joined payload; None where a line is neither."""
    lines = [line.strip() for line in body.split("\n")]
    metadata: list[str] = []
    while lines and _METADATA.fullmatch(lines[0]) and len(metadata) < MAX_METADATA_LINES:
        metadata.append(lines.pop(0))
    while lines and not lines[0]:
        lines.pop(0)
    if lines and _ARMOR_CHECKSUM.fullmatch(lines[-1]):
        lines.pop()
    if not lines or any(len(line) > MAX_LINE or not _BASE64.fullmatch(line) for line in lines):
        return metadata, None
    if any("=" in line for line in lines[:-1]):
        return metadata, None
    return metadata, "".join(lines)


def _has_structure(label: str, raw: bytes, *, encrypted: bool) -> bool:
    if label == "OPENSSH PRIVATE KEY":
        return raw.startswith(OPENSSH_MAGIC) and len(raw) > len(OPENSSH_MAGIC) + 16
    if label == "PGP PRIVATE KEY BLOCK":
        return _is_pgp_secret(raw)
    if encrypted:
        # The payload is ciphertext: whole cipher blocks and nothing else can be asked of it.
        return len(raw) >= 64 and len(raw) % 8 == 0
    return _is_sequence(raw, versioned=label != "ENCRYPTED PRIVATE KEY")


def _is_sequence(raw: bytes, *, versioned: bool) -> bool:
    """An ASN.1 sequence of exactly these bytes; plain keys start with a small version number."""
    if len(raw) < 16 or raw[0] != ASN1_SEQUENCE:
        return False
    length, offset = raw[1], 2
    if length & 0x80:
        size = length & 0x7F
        if not 1 <= size <= 3:
            return False
        length, offset = int.from_bytes(raw[2 : 2 + size]), 2 + size
    if length != len(raw) - offset:
        return False
    inner = raw[offset : offset + 2]
    return inner == bytes([ASN1_INTEGER, 1]) if versioned else inner[0] == ASN1_SEQUENCE


def _is_pgp_secret(raw: bytes) -> bool:
    if len(raw) < 32 or not raw[0] & 0x80:
        return False
    tag = raw[0] & 0x3F if raw[0] & 0x40 else (raw[0] & 0x3C) >> 2
    return tag in PGP_SECRET_TAGS
