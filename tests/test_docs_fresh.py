"""Our pages are true: generated ones are current, links lead somewhere, commands exist."""

from __future__ import annotations

import re

import click
import pytest
from tools.docs import REFERENCE, render_all, stale

from defenseclaw.config import parse_config
from defenseclaw.core.verdict import Action, Profile, Severity
from defenseclaw.errors import ConfigError
from defenseclaw.facts import analyze, enforcement_projection
from defenseclaw.policy.decide import THRESHOLDS
from defenseclaw.rules import Analyst, load_pack, run_examples
from tests.docs import Page, all_pages, hand_written
from tests.docs.cli_tree import every_command, messages, named_in, problem_of
from tests.docs.page import ROOT
from tests.docs.story import AGENT_OUTPUT, OUTPUT

PAGES = [pytest.param(page, id=page.name) for page in all_pages()]
WRITTEN = [pytest.param(page, id=page.name) for page in hand_written()]
TAG = re.compile(r"run|run-in-sandbox-agent|not-run: \S.*")
MODULES = sorted((ROOT / "src").rglob("*.py"))
CHANGE = re.compile(r"[a-z0-9-]+\.(added|changed|fixed|security)\.md")
FOREIGN = re.compile(r"/work/|/tmp/agents|/root/")


def test_generated_pages_are_current() -> None:
    assert not list(stale(render_all())), "run `python -m tools.docs`"


@pytest.mark.parametrize("page", PAGES)
def test_internal_links_resolve(page: Page) -> None:
    for link in page.links:
        if "://" in link or link.startswith("mailto:"):
            continue
        file, _, anchor = link.partition("#")
        target = Page((page.path.parent / file).resolve() if file else page.path)
        assert target.path.is_file(), f"{link} leads nowhere"
        assert not anchor or anchor in target.anchors, f"{link}: no such heading"


@pytest.mark.parametrize("page", PAGES)
def test_every_command_block_says_whether_it_is_run(page: Page) -> None:
    for block in page.blocks:
        assert block.language, f"line {block.line}: a block without a language"
        if block.is_shell:
            assert TAG.fullmatch(block.tag), f"line {block.line}: tag {block.tag!r}"


@pytest.mark.parametrize("page", WRITTEN)
def test_no_command_hides_in_another_block(page: Page) -> None:
    for block in page.blocks:
        if not block.is_shell and block.tag not in (OUTPUT, AGENT_OUTPUT):
            typed = re.search(r"^(\$ |\./|defenseclaw)", block.text, re.MULTILINE)
            assert typed is None, f"line {block.line}: a command in a {block.language} block"


@pytest.mark.parametrize("page", WRITTEN)
def test_commands_in_blocks_exist(page: Page) -> None:
    for block in page.blocks:
        for line in block.text.splitlines() if block.is_shell else ():
            if re.match(r"defenseclaw(-gateway)? ", line):
                typed = re.sub(r" [|><&].*", "", line)
                assert not problem_of(typed), f"line {block.line}: {problem_of(typed)}"


@pytest.mark.parametrize("page", WRITTEN)
def test_commands_in_sentences_exist(page: Page) -> None:
    for line in named_in(page.text):
        assert not problem_of(line), f"`{line}`: {problem_of(line)}"


@pytest.mark.parametrize("page", WRITTEN)
def test_page_begins_with_a_title_and_an_answer(page: Page) -> None:
    title, first = page.paragraphs[:2]
    assert title.startswith("# ")
    assert "\n" not in title
    assert first[0] not in "#|-*!", f"the first paragraph is no sentence: {first}"
    assert sum(p.startswith("# ") for p in page.paragraphs) == 1


@pytest.mark.parametrize("page", PAGES)
def test_page_names_no_place_of_one_machine(page: Page) -> None:
    assert not FOREIGN.search(page.text)


def test_every_page_is_reachable_from_the_index() -> None:
    index = Page(ROOT / "docs" / "index.md")
    seen, left = {index.path}, [index]
    while left:
        page = left.pop()
        for link in page.links:
            target = (page.path.parent / link.partition("#")[0]).resolve()
            if target.suffix == ".md" and target.is_file() and target not in seen:
                seen.add(target)
                left.append(Page(target))
    assert not [page.name for page in all_pages() if page.path not in seen | {ROOT / "README.md"}]


def test_readme_begins_with_the_two_commands() -> None:
    readme = Page(ROOT / "README.md")
    shell = [block for block in readme.blocks if block.is_shell]
    assert [block.text for block in shell] == ["./run", "./test"]
    assert [block.tag for block in readme.blocks if not block.is_shell] == ["output"] * 2
    assert len(readme.text.splitlines()[: readme.blocks[-1].line]) < 60


def test_every_command_and_option_has_help() -> None:
    silent = [words for words, command in every_command() if not command.help]
    silent += [
        f"{words} {option.opts[0]}"
        for words, command in every_command()
        for option in command.params
        if isinstance(option, click.Option) and not option.help
    ]
    assert not silent


def test_every_command_is_in_the_reference() -> None:
    headings = Page(REFERENCE / "cli.md").anchors
    for words, _ in every_command():
        assert words.replace(" ", "-") in headings


def test_every_key_the_configuration_accepts_is_documented() -> None:
    page = Page(REFERENCE / "configuration.md")
    for table in ("gateway", "guardrail", "guardrail.state", "guardrail.connectors.x"):
        with pytest.raises(ConfigError) as refused:
            parse_config(f"[{table}]\nzz = 1\n".encode(), "config.toml")
        keys = refused.value.hint.partition("use one of: ")[2].partition(";")[0].split(", ")
        for key in set(keys) - {"state", "connectors"}:
            assert key in page.codes, f"{table}.{key}"


def test_every_variable_we_read_is_documented() -> None:
    documented = Page(REFERENCE / "configuration.md").codes
    found = {
        name
        for path in MODULES
        for _, text in messages(path)
        for name in re.findall(r"(?<!@)\bDEFENSECLAW_[A-Z_]+\b", text)
    }
    assert found <= set(documented)


def test_messages_name_commands_that_exist() -> None:
    wrong = {
        f"{path.relative_to(ROOT)}:{number}": problem_of(line)
        for path in MODULES
        for number, text in messages(path)
        for line in named_in(text)
        if problem_of(line)
    }
    assert not wrong


def test_rule_on_the_page_proves_itself() -> None:
    page = Page(ROOT / "docs" / "guides" / "write-a-rule.md")
    text = next(b.text for b in page.blocks if b.is_shell).split("<<'END'\n")[1].split("\nEND")[0]
    pack = load_pack({"rules/house.yaml": f"{text}\n".encode()}, name="house")
    assert len(pack.rules[0].examples) == 6
    assert run_examples(pack, Analyst(analyze, enforcement_projection)) == []


def test_table_of_profiles_is_the_policy() -> None:
    page = Page(ROOT / "docs" / "explain" / "how-a-decision-is-made.md")
    for severity in ("CRITICAL", "HIGH", "MEDIUM", "LOW"):
        actions = [
            THRESHOLDS[profile].get(Severity(severity), Action.ALLOW)
            for profile in (Profile.DEFAULT, Profile.STRICT, Profile.PERMISSIVE)
        ]
        assert f"| {severity} | {' | '.join(actions)} |" in page.text


def test_changes_are_one_sentence_for_users_each() -> None:
    files = sorted((ROOT / "changelog.d").iterdir())
    assert files
    for file in files:
        assert CHANGE.fullmatch(file.name), file.name
        text = file.read_text(encoding="utf-8")
        assert re.fullmatch(r"[A-Z`][^\n]+[.]\n", text), file.name
        assert ". " not in text, f"{file.name}: more than one sentence"
