"""Statements are written once for a database, and their rows have the names of their columns."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, Text, bindparam, insert, select, update
from sqlalchemy.dialects import sqlite

from storyworld.store.driver import Texts, Transaction

TIDES = Table("tides", MetaData(), Column("port", Text), Column("metres", Integer))
INSERT = insert(TIDES)
SELECT = select(TIDES.c.metres, TIDES.c.port.label("where")).where(TIDES.c.port == bindparam("at")).order_by("metres")
RISE = update(TIDES).where(TIDES.c.metres < 9).values(metres=TIDES.c.metres + 1)
FALL = RISE.where(TIDES.c.port == bindparam("at")).returning(TIDES.c.metres)
ROWS = [{"port": "Ness", "metres": 4}, {"port": "Ness", "metres": 2}, {"port": "Hook", "metres": 9}]


@pytest.fixture
def transaction() -> Iterator[Transaction]:
    """A transaction on a table with three rows."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE tides (port TEXT, metres INTEGER)")
    opened = Transaction(connection.cursor(), Texts(sqlite.dialect()))
    opened.insert_each(INSERT, ROWS)
    yield opened
    connection.close()


def test_a_row_has_the_names_of_its_columns(transaction: Transaction) -> None:
    found = transaction.all(SELECT, {"at": "Ness", "more": "than is asked for"})
    assert [(row.metres, row.where) for row in found] == [(2, "Ness"), (4, "Ness")]
    assert transaction.first(SELECT, {"at": "Ness"}) == (2, "Ness")
    assert transaction.first(SELECT, {"at": "Wick"}) is None


def test_a_change_tells_how_many_rows_it_changed(transaction: Transaction) -> None:
    assert transaction.change(INSERT, ROWS[0]) == 1
    assert transaction.change(RISE, {}) == 3, "numbers that a statement was built with need no values"
    lowered = transaction.all(FALL, {"at": "Ness"})
    assert sorted(row.metres for row in lowered) == [4, 6, 6]


def test_no_rows_are_inserted_as_well(transaction: Transaction) -> None:
    transaction.insert_each(INSERT, [])
    assert len(transaction.all(select(TIDES), {})) == 3


def test_a_value_that_is_missing_is_a_bug(transaction: Transaction) -> None:
    with pytest.raises(KeyError, match="at"):
        transaction.all(SELECT, {})


def test_a_statement_is_written_once() -> None:
    texts = Texts(sqlite.dialect())
    assert texts.of(SELECT) is texts.of(SELECT)
    assert texts.of(SELECT).parameters == ("at",)
