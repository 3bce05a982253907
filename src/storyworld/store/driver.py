"""A transaction on the driver's own cursor: texts of statements made once, and rows with the names of their columns.

SQLAlchemy writes each statement for a database the first time that it runs; from then on nothing of it stands between a
transaction and the driver. It knows neither tables nor which database it is.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import Dialect, Select, UpdateBase

Statement = Select[Any] | UpdateBase
Values = Mapping[str, object]
"""The parameters of a statement, by name. One may hold more than the statement asks for."""


class Cursor(Protocol):
    """What is used of a cursor of the Python database interface."""

    @property
    def rowcount(self) -> int:
        """How many rows the last statement changed."""
        ...

    def execute(self, text: str, values: Sequence[Any] = ..., /) -> object:
        """Run a statement."""
        ...

    def executemany(self, text: str, values: Sequence[Sequence[Any]], /) -> object:
        """Run a statement once for each of many rows."""
        ...

    def fetchall(self) -> list[Any]:
        """The rows that the last statement gives."""
        ...


@dataclass(frozen=True, slots=True)
class Text:
    """A statement as the driver takes it: its parameters in their order, the values of those that never differ, and
    what makes a named row of a plain one.
    """

    sql: str
    parameters: tuple[str, ...]
    constants: Values
    row: Callable[[Sequence[Any]], Any]

    def in_order(self, values: Values) -> tuple[object, ...]:
        """The values of the parameters."""
        known = {**self.constants, **values} if self.constants else values
        return tuple([known[name] for name in self.parameters])


class Texts:
    """The texts of statements for one database. Statements are built once, so each is written once."""

    def __init__(self, dialect: Dialect) -> None:
        """`dialect` has parameters that are told by their places."""
        self._dialect = dialect
        self._written: dict[Statement, Text] = {}

    def of(self, statement: Statement) -> Text:
        """The text of a statement. Two threads that want it first both write it, and the same."""
        text = self._written.get(statement)
        if text is None:
            text = self._written[statement] = self._write(statement)
        return text

    def _write(self, statement: Statement) -> Text:
        compiled: Any = statement.compile(dialect=self._dialect)
        constants = {name: value.value for name, value in compiled.binds.items() if not value.required}
        named: Any = namedtuple  # a type checker wants to see the names, which are known only when this runs
        row = named("Row", statement.exported_columns.keys())
        return Text(str(compiled), tuple(compiled.positiontup), constants, row._make)


class Transaction:
    """An open transaction. Whoever began it ends it."""

    def __init__(self, cursor: Cursor, texts: Texts) -> None:
        self.cursor = cursor
        self._texts = texts

    def all(self, statement: Statement, values: Values) -> list[Any]:
        """The rows that the statement gives, each with its columns as attributes."""
        text = self._texts.of(statement)
        self.cursor.execute(text.sql, text.in_order(values))
        return [text.row(row) for row in self.cursor.fetchall()]

    def first(self, statement: Statement, values: Values) -> Any | None:
        """The first row that the statement gives, or None."""
        found = self.all(statement, values)
        return found[0] if found else None

    def change(self, statement: Statement, values: Values) -> int:
        """Run a statement that writes; returns how many rows it changed."""
        text = self._texts.of(statement)
        self.cursor.execute(text.sql, text.in_order(values))
        return self.cursor.rowcount

    def insert_each(self, statement: Statement, rows: Sequence[Values]) -> None:
        """Insert each of the rows; there may be none."""
        text = self._texts.of(statement)
        self.cursor.executemany(text.sql, [text.in_order(row) for row in rows])
