"""Credentials: made once, never replaced silently, never quoted."""

from __future__ import annotations

from pathlib import Path

import pytest

from defenseclaw.platform import (
    TokenFile,
    UnsafeFileError,
    ensure_token,
    file_mode,
    read_token,
    renew_token,
)


def test_a_token_is_made_once_and_renewed_on_request(tmp_path: Path) -> None:
    path = tmp_path / "t"
    token = ensure_token(path)
    assert len(token) == 64
    assert set(token) <= set("0123456789abcdef")
    assert file_mode(path) == 0o600
    assert ensure_token(path) == read_token(path) == token
    assert renew_token(path) != token


@pytest.mark.parametrize(
    "content", ["", "abc", "g" * 64, "A" * 64, "a" * 63, "a" * 64 + "\nb", "a" * 5000]
)
def test_a_file_that_holds_no_token_is_refused_and_kept(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t"
    path.write_text(content, encoding="ascii")
    path.chmod(0o600)
    with pytest.raises(UnsafeFileError) as caught:
        ensure_token(path)
    assert path.read_text(encoding="ascii") == content
    assert not content.strip() or content.strip() not in str(caught.value)


def test_credential_is_read_again_when_its_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "token"
    first = ensure_token(path)
    held = TokenFile(path)
    assert (held(), held()) == (first, first)
    second = renew_token(path)
    assert held() == second != first


def test_credential_that_others_may_read_now_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "token"
    ensure_token(path)
    held = TokenFile(path)
    held()
    path.chmod(0o644)
    with pytest.raises(UnsafeFileError):
        held()


def test_credential_whose_file_is_gone_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "token"
    ensure_token(path)
    held = TokenFile(path)
    held()
    path.unlink()
    with pytest.raises(FileNotFoundError):
        held()
