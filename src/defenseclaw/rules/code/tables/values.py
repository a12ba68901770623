"""Words that say where a value comes from: data only."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words of the languages that are values or glue themselves, and what the machine or the place of
# the program is, as opposed to what somebody sends.
CONSTANT_WORDS = _words(
    """
    True False None true false null nil undefined NULL self this new not and or in is if else
    unless then do end await async return const let var
    os.name sys.platform sys.executable process.platform process.execPath __file__ __dirname
    __DIR__ __FILE__ PHP_BINARY PHP_OS RbConfig.ruby Rails.root os.sep
    """
)
# Names in capitals that are not constants but what the program is given.
OUTSIDE_NAMES = _words(
    "ARGV ENV STDIN ARGF DATA INPUT REQUEST GET POST PUT PATCH FILES COOKIES META QUERY"
)
# Calls whose result cannot change the meaning of a command or a query, whatever they are given.
SAFE_CALLS = _words(
    """
    quote shlex_quote escapeshellarg escapeshellcmd shellescape escape_shell shellquote
    quote_table_name quote_column_name quote_ident quoteIdent escapeId escapeIdentifier
    Identifier quoteIdentifier sanitize_sql sanitize_sql_array sanitize_sql_like
    int float len abs round intval floatval count Number parseInt parseFloat Integer Float
    Atoi to_i bool boolval strlen uuid4 time now
    """
)
# Methods of constants whose result is constant too.
NEUTRAL_METHODS = _words(
    """
    join format strip lstrip rstrip lower upper split replace trim trimEnd trimStart freeze
    dedent encode decode concat repeat toLowerCase toUpperCase squish chomp map fill
    """
)
# Functions that only wrap or join what they are given.
NEUTRAL_CALLS = _words(
    """
    str text String string bytes list tuple dict Array Array.from array len format format! sprintf
    fmt.Sprintf String.format string.Format implode join os.path.join path.join path.resolve
    filepath.Join File.join Path dirname os.path.dirname os.path.abspath path.dirname
    strings.Join Path.of Paths.get String.raw
    """
)
# Words that may stand directly before a call; behind any other one a name is declared.
EXPRESSION_WORDS = _words(
    """
    return await yield throw raise else elif and or not in is if unless while until case when do
    then new typeof void delete echo print assert lambda from defer go let const var export default
    with async try match switch mut move unsafe
    """
)
DEFINING_WORDS = _words("def function func fn fun sub")
_MODIFIERS = (
    r"(?:(?:export|public|private|protected|internal|static|final|const|constexpr|readonly|let"
    r"|var|val|my|our|local|auto|char|unsigned|String|string|int|std::string|def|readonly"
    r"|declare|typeset)\b[\s*&]*)*+"
)
# name = value, in every language that is read; what follows the match is the value.
ASSIGNMENT = re.compile(
    r"(?:^|(?<=[;{(]))[ \t]*" + _MODIFIERS + r"[$@]*(?P<name>[A-Za-z_]\w*)"
    r"(?:\[\])?\s{0,4}(?::\s{0,4}[\w\[\]<>.| ]{1,60})?[ \t]{0,16}"
    r"(?:=(?![=>~])|:=|\+=|\.=|<<)[ \t]{0,16}",
    re.M,
)
# What a function is given.
PARAMETERS = re.compile(
    r"\b(?:def|function|func|fn|fun|sub)\b[^\n({]{0,120}\(([^()]{0,400})\)"
    r"|\(([^()\n]{0,200})\)\s{0,4}(?:=>|\{|->)"
    r"|\b(\w{1,60})\s{0,2}=>"
    r"|(?:do|\{)\s{0,4}\|([^|\n]{0,120})\|"
    r"|\bfor(?:each)?\b[ \t(]{1,4}(?:(?:const|let|var|auto|my)\s)?([^\n;:]{1,80}?)\s(?:in|of)\b"
)
