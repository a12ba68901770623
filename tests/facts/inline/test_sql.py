"""What SQL text is proven to do, statement by statement."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.core.facts import PathAccess
from defenseclaw.core.labels import Trait
from defenseclaw.facts.inline import sql
from defenseclaw.facts.inline.model import FileEffect, ShellEffect, TraitEffect

DROP, EMPTY = Trait.SQL_DROP, Trait.SQL_DELETE_ALL


def traits(text: str) -> set[Trait]:
    return {e.trait for e in sql.read(text, "").effects if isinstance(e, TraitEffect)}


def shells(text: str) -> list[str | None]:
    return [e.text for e in sql.read(text, "").effects if isinstance(e, ShellEffect)]


def files(text: str) -> list[tuple[str | None, PathAccess]]:
    return [(e.path, e.access) for e in sql.read(text, "").effects if isinstance(e, FileEffect)]


@pytest.mark.parametrize(
    ("text", "trait"),
    [
        ("DROP TABLE orders", DROP),
        ("drop schema if exists shop cascade;", DROP),
        ("begin; drop database shop; commit", DROP),
        ("/* note */ DROP /* more */ TABLE t", DROP),
        ("-- first\nDROP TABLE t", DROP),
        ("/*!50000 DROP TABLE t */;", DROP),
        ("DO $$ BEGIN DROP TABLE t; END $$", DROP),
        ("DO $body$ begin if true then drop table t; end if; end $body$", DROP),
        ("ALTER TABLE t DROP COLUMN c", DROP),
        ("\\dt\nDROP TABLE t;", DROP),
        ("use shop\nDROP TABLE t;", DROP),
        ("use shop; DROP TABLE t;", DROP),
        (".mode box\nDROP TABLE t;", DROP),
        ("FLUSHALL", DROP),
        ("TRUNCATE orders", Trait.SQL_TRUNCATE),
        ("DELETE FROM orders", EMPTY),
        ("DELETE FROM orders WHERE 1=1", EMPTY),
        ("DELETE FROM orders WHERE true;", EMPTY),
        ("UPDATE orders SET paid = 1", EMPTY),
        ("EXPLAIN ANALYZE DELETE FROM orders", EMPTY),
        ("EXPLAIN (ANALYZE, BUFFERS) DELETE FROM orders", EMPTY),
        ("EXPLAIN ANALYZE VERBOSE DELETE FROM orders", EMPTY),
        ("WITH old AS (SELECT 1) DELETE FROM orders", EMPTY),
        ("GRANT ALL PRIVILEGES ON DATABASE shop TO app", Trait.SQL_GRANT_ALL),
    ],
)
def test_destroying_statement_is_told(text: str, trait: Trait) -> None:
    assert trait in traits(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 'DROP TABLE orders'",
        'SELECT "drop table" FROM t',
        "-- DROP TABLE orders",
        "/* DROP TABLE orders */ SELECT 1",
        "INSERT INTO notes VALUES ('DELETE FROM orders;')",
        "EXPLAIN DELETE FROM orders",
        "DELETE FROM orders WHERE id = 3",
        "DELETE FROM orders LIMIT 10",
        "UPDATE orders SET paid = 1 WHERE id = 3",
        "ALTER TABLE t DROP CONSTRAINT c",
        "ALTER TABLE t ALTER COLUMN c DROP NOT NULL",
        "DROP TEMPORARY TABLE scratch",
        "DROP INDEX orders_by_day",
        "CREATE TABLE t (id int REFERENCES u ON DELETE CASCADE)",
        "GRANT SELECT ON t TO reader",
        "\\dt orders",
    ],
)
def test_harmless_statement_has_no_trait(text: str) -> None:
    assert traits(text) == set()


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("\\! rm -rf /srv/x", "rm -rf /srv/x"),
        ("select 1;\n\\! ls -la", "ls -la"),
        (".shell rm -rf x", "rm -rf x"),
        ("system ls", "ls"),
        ("\\o |sh -x", "sh -x"),
        ("COPY t TO PROGRAM 'gzip > /srv/t.gz'", "gzip > /srv/t.gz"),
        ("\\copy t from program 'cat x'", "cat x"),
    ],
)
def test_text_for_a_shell_is_found(text: str, command: str) -> None:
    assert shells(text) == [command]


@pytest.mark.parametrize(
    ("text", "path", "access"),
    [
        ("source schema.sql", "schema.sql", PathAccess.READ),
        ("\\i 'two words.sql'", "words.sql", PathAccess.READ),
        (".output result.txt", "result.txt", PathAccess.WRITE),
        ("\\copy t to '/srv/t.csv' csv", "/srv/t.csv", PathAccess.WRITE),
        ("SELECT * INTO OUTFILE '/srv/x' FROM t", "/srv/x", PathAccess.WRITE),
        ("LOAD DATA INFILE '/etc/passwd' INTO TABLE t", "/etc/passwd", PathAccess.READ),
        ("COPY t FROM '/srv/t.csv'", "/srv/t.csv", PathAccess.READ),
        ("SELECT writefile('/srv/x', 'y')", "/srv/x", PathAccess.WRITE),
        ("SELECT pg_read_file('/etc/shadow')", "/etc/shadow", PathAccess.READ),
    ],
)
def test_file_outside_the_database_is_found(text: str, path: str, access: PathAccess) -> None:
    found = files(text)
    assert [a for _, a in found] == [access]
    assert found[0][0] is not None
    assert found[0][0].endswith(path)


@given(st.text(alphabet="dropDELETEfrom \n;'\"$\\.!/*-`()", max_size=200))
def test_reading_never_fails(text: str) -> None:
    sql.read(text, "/home/dev")


@pytest.mark.parametrize(
    "text", ["DO $", "DO $x", "do language sql $ select", "DO $1", "DO $a$ select", "DO -R $x 'a'"]
)
def test_a_dollar_sign_that_opens_no_body_is_read_over(text: str) -> None:
    assert sql.read(text, "/home/dev").effects == []


@given(st.text(alphabet="$xDO \n;'", max_size=60).map("DO {}".format))
def test_reading_a_block_never_fails(text: str) -> None:
    sql.read(text, "/home/dev")
