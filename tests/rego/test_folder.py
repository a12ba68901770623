"""Which files of a folder count, and what refuses the folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from defenseclaw.core.limits import MAX_REGO_MODULE_BYTES, MAX_REGO_MODULES
from defenseclaw.errors import PolicyError
from defenseclaw.rego import read_policy_folder


def fill(root: Path, **files: str | bytes) -> Path:
    for name, content in files.items():
        path = root / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def test_nested_modules_are_preferred_and_tests_and_other_files_left_out(tmp_path: Path) -> None:
    fill(tmp_path, a_dot_rego="package a", readme_dot_md="x", a_test_dot_rego="package t")
    assert dict(read_policy_folder(tmp_path).modules) == {"a.rego": "package a"}
    fill(tmp_path, rego__b_dot_rego="package b", rego__deep__c_dot_rego="package c")
    assert dict(read_policy_folder(tmp_path).modules) == {"rego/b.rego": "package b"}


def test_the_sandbox_document_comes_after_the_general_one(tmp_path: Path) -> None:
    fill(tmp_path, **{"data-sandbox_dot_json": '{"b": 2}', "data_dot_json": '{"b": 1}'})
    assert read_policy_folder(tmp_path).documents == ({"b": 1}, {"b": 2})


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("data_dot_json", "{", "data.json"),
        ("data_dot_json", '{"a": 1, "a": 2}', "data.json"),
        ("data_dot_json", "[" * 200 + "]" * 200, "data.json"),
        ("data_dot_json", "[]", "data.json"),
        ("a_dot_rego", b"\xff\xfe", "a.rego"),
        ("a_dot_rego", "#" * (MAX_REGO_MODULE_BYTES + 1), "a.rego"),
    ],
)
def test_a_file_that_cannot_be_used_refuses_the_folder(
    tmp_path: Path, name: str, content: str | bytes, place: str
) -> None:
    with pytest.raises(PolicyError) as refused:
        read_policy_folder(fill(tmp_path, **{name: content}))
    assert refused.value.place == place


def test_links_are_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.write_text("package a", encoding="utf-8")
    folder = tmp_path / "policy"
    folder.mkdir()
    os.symlink(target, folder / "a.rego")
    with pytest.raises(PolicyError, match="link"):
        read_policy_folder(folder)


def test_too_many_or_too_large_modules_are_refused(tmp_path: Path) -> None:
    for number in range(MAX_REGO_MODULES + 1):
        (tmp_path / f"m{number}.rego").write_text("package a", encoding="utf-8")
    with pytest.raises(PolicyError, match="more than"):
        read_policy_folder(tmp_path)
    large = tmp_path / "large"
    large.mkdir()
    for number in range(5):
        (large / f"m{number}.rego").write_text("#" * MAX_REGO_MODULE_BYTES, encoding="utf-8")
    with pytest.raises(PolicyError, match="bytes"):
        read_policy_folder(large)


def test_a_folder_that_is_not_there_is_a_readable_refusal(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="no such folder"):
        read_policy_folder(tmp_path / "nowhere")
