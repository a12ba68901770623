"""What holds for any PowerShell text: totality, tags for every character, linear work."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from defenseclaw.core.facts import IssueCode, ParseStatus
from defenseclaw.core.limits import MAX_COMMAND_BYTES
from defenseclaw.facts.powershell import Host, parse
from defenseclaw.facts.powershell.walk.flow import MAX_WALKED
from tests.facts.invariants import check_result
from tests.facts.powershell.cases import CWD, HOME, all_cases, analyzed

_WORDS = (
    "Remove-Item Get-ChildItem iwr iex % ? foreach if else try catch function param switch return"
    " -Recurse -Path -Path: -WhatIf:$false $x $x.y $env:TEMP $( @( @{ { } ( ) ] [ , ; | && || & ."
    " = += > 2>&1 *> ' \" ` `n # <# #> @' '@ @\" \"@ --% [char] [IO.File]::Delete( .Replace( -f"
    " -join -replace .. 1 'C:\\' a,b $_ $null"
)
WORDS = [*_WORDS.split(), "\n", "@'\nx\n'@", "“", "–Force"]
COMMANDS = [case.command for case in all_cases()]

texts = (
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=16).map(" ".join)
    | st.lists(st.sampled_from(WORDS), min_size=1, max_size=16).map("".join)
    | st.text(alphabet=string.printable + "’”–", max_size=60)
    | st.lists(st.sampled_from(COMMANDS), min_size=2, max_size=3).map("; ".join)
)


def check(text: str) -> None:
    """The invariants, and no fault of ours that became a refusal."""
    result = analyzed(text)
    check_result(result)
    assert IssueCode.INTERNAL_PARSER_FAILURE not in result.facts.parse.issues


@settings(max_examples=400, deadline=None)
@given(texts)
def test_any_text_ends_in_valid_facts(text: str) -> None:
    check(text)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(COMMANDS), st.integers(0, 60), st.sampled_from(WORDS))
def test_a_broken_command_ends_in_valid_facts(command: str, at: int, word: str) -> None:
    check(command[:at] + word + command[at:])
    check(command[:at])


@settings(max_examples=300, deadline=None)
@given(texts)
def test_a_script_refers_only_to_its_own_text_and_commands(text: str) -> None:
    script = parse(text, Host(CWD, HOME))
    ids = {command.id for command in script.commands}
    assert len(ids) == len(script.commands) <= MAX_WALKED
    for command in script.commands:
        assert command.parent_id == 0 or command.parent_id in ids
        assert set(command.stdin_from) <= ids
        for word in command.words:
            assert word.start < 0 or 0 <= word.start <= word.end <= len(text)
    reached = 0
    for span in script.spans:
        assert reached <= span.start < span.end <= len(text)
        reached = span.end


# Repeated up to the limit of a command; `·` is a space and `¶` ends a line.
_HOSTILE = """
( { $( @{ @( [ ' " <# #x¶ ` `u{ @'¶ @"¶$( "$( if( a| $x+ -f· a; 1, -not· function·f{ $x=$x+$x;
&{· [a] x.y( ¶( [a( $x. $x[ @args· {} {$_} 1|%{$_}| f; %{ -a: --%· $a.b=1; $a[0]=1; ${a $a: ?·
$a?. &· &&a a|| {¶ param( param([a( [A()] data{ enum·A{ trap{ try{ 'a'+ [char]
'a'-replace'a','b'; '{0}'-f foreach($a·in·1,2){ while(1){ do{ 1..9|%{ {a}.invoke(); $a={a};&$a;
function·a{a;a}; 'a'.replace('a','aa'). a@{ -join( $a++; $a,$b=1,2; $a=$b= 0x 1kb· a·>b· 2>&1·
class·A{¶B(){ switch(1){ switch·-file·( $p.add(1,2); $_.a(
"""
HOSTILE = _HOSTILE.split()

# Work that grows with what a text computes or calls, not with its length.
GROWING = (
    "$a = 1..255; " + "ri $a;" * 400,
    "function f { f; f }; f",
    "function f($n) { f $n; f $n }; 1..16 | f",
    "1..8 | % { 1..8 | % { 1..8 | % { 1..8 | % { ri $_ } } } }",
    "function f {" + "$x = 1;" * 100 + "};" + "1..16 | % { f };" * 60,
    "class A {" + "".join(f"B{i}() {{ $this.B{i}() }};" for i in range(300)) + "}",
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_work_is_bounded_for_hostile_texts(piece: str) -> None:
    text = piece.replace("·", " ").replace("¶", "\n")
    text *= MAX_COMMAND_BYTES // len(text)
    status = parse(text, Host(CWD, HOME)).status
    ended = (ParseStatus.LIMIT_EXCEEDED, ParseStatus.INVALID, ParseStatus.COMPLETE)
    assert status in (*ended, ParseStatus.PARTIAL)


@pytest.mark.parametrize("text", GROWING)
def test_work_that_grows_ends_in_a_limit(text: str) -> None:
    result = analyzed(text)
    check_result(result)
    assert result.facts.parse.status is ParseStatus.LIMIT_EXCEEDED


def test_a_longer_text_is_beyond_the_limit() -> None:
    script = parse("a" * (MAX_COMMAND_BYTES + 1), Host())
    assert script.status is ParseStatus.LIMIT_EXCEEDED


def test_values_do_not_grow_without_end() -> None:
    doubled = "$x = 'aaaaaaaaaaaaaaaa';" + "$x = $x + $x;" * 60 + "Remove-Item $x"
    check_result(analyzed(doubled))
    check_result(analyzed("$x = 'a' * 999999999; Remove-Item $x"))
    check_result(analyzed("$x = 1..999999999; Remove-Item $x"))
    check_result(analyzed("(1..200 | % { 1..200 | % { 1..200 | % { [char]$_ } } }) -join ''"))
    check_result(analyzed("for ($i = 0; $i -lt 9; $i++) {" * 9 + "ri $i" + "}" * 9))
    check_result(analyzed("Remove-Item ('{0}{0}{0}{0}' -f ('a' * 60000))"))
