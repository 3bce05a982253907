"""The embedded database: one file in a folder, one writer, readers beside it.

It owns how SQLite is opened and what its errors mean; which statements run is no business of this file. A commit is
durable when it returns: a write-ahead log with `synchronous=FULL`. Writers begin IMMEDIATE, since a transaction that
reads first and writes later is refused as busy without waiting. Several processes may share a folder if their SQLite
is free of the write-ahead-log fault; one with another SQLite opens the file for itself alone.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar

from sqlalchemy import StaticPool, create_engine
from sqlalchemy.dialects import sqlite as sqlite_dialects
from sqlalchemy.exc import DBAPIError

from storyworld.application.ports import FailPoint, IntegrityFailed, StorageFull, StorageUnavailable, StoreError
from storyworld.store.driver import Texts, Transaction
from storyworld.store.lane import Lane
from storyworld.store.points import AFTER_COMMIT, BEFORE_COMMIT, pass_by
from storyworld.store.sql import SqlStore
from storyworld.store.upgrade import upgrade

FILE_NAME: Final = "storyworld.db"
BUSY_TIMEOUT_MS: Final = 5_000
"""How long a statement waits for another process that writes."""
ALONE_TIMEOUT_MS: Final = 200
"""How long it waits where one process holds the file for itself: that one is not about to let go."""

_READERS = 4
_BEGIN_READING = "BEGIN DEFERRED"
_BEGIN_WRITING = "BEGIN IMMEDIATE"
_WAL_FAULT_FIRST = (3, 7, 0)
_WAL_FAULT_LAST = (3, 51, 2)
_FOLDER_MODE = 0o700  # stories hold secrets

_FULL = 13
# SQLITE_CORRUPT, _NOTADB, and _CONSTRAINT: a transaction decides before it writes, so only rows that contradict each
# other can break one.
_DAMAGED = frozenset({11, 19, 26})
# SQLITE_PERM, _BUSY, _LOCKED, _READONLY, _IOERR, _CANTOPEN, _PROTOCOL
_UNAVAILABLE = frozenset({3, 5, 6, 8, 10, 14, 15})
# After one of these nobody knows what the connection still holds in memory, so it is not used again.
_UNTRUSTED = frozenset({10, 11, 14, 26})
_PRIMARY_CODE = 0xFF
_NO_UTF8 = "Could not decode to UTF-8"  # the driver's own error, which has no code and quotes the text

T = TypeVar("T")


def library() -> ModuleType:
    """The SQLite to use: that of pysqlite3's wheel, which is new, else the one that came with Python."""
    try:
        return import_module("pysqlite3")
    except ImportError:
        return sqlite3


def is_safe_to_share(version: tuple[int, int, int]) -> bool:
    """Whether several connections may use one file: SQLite 3.7.0 to 3.51.2 can damage it when a log is reset."""
    return not _WAL_FAULT_FIRST <= version <= _WAL_FAULT_LAST


async def open_sqlite(folder: Path, *, fail: FailPoint = pass_by, module: ModuleType | None = None) -> SqlStore:
    """Open the database of a folder, made where it is new and upgraded where it is older.

    `module` is the SQLite to use instead of `library()`. Raises StorageUnavailable where the folder cannot be used or
    another process holds it for itself, IntegrityFailed where the file is damaged, StorageFull, SchemaTooNew.
    """
    return await asyncio.get_running_loop().run_in_executor(None, _open, folder, fail, module or library())


def _open(folder: Path, fail: FailPoint, module: ModuleType) -> SqlStore:
    try:
        folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    except OSError as error:
        raise StorageUnavailable(f"the data folder {folder} cannot be made: {error.strerror}") from error
    path, texts = folder / FILE_NAME, Texts(sqlite_dialects.dialect())
    shared = is_safe_to_share(module.sqlite_version_info)
    writing = _Link(path, module, texts, writes=True, shared=shared)
    try:
        writing.upgrade()
    except BaseException:
        writing.close()
        raise
    writer = Lane("sqlite-write", [writing])
    if not shared:
        return SqlStore(_Sqlite(writer, writer), fail)
    reading = [_Link(path, module, texts, writes=False, shared=shared) for _ in range(_READERS)]
    return SqlStore(_Sqlite(Lane("sqlite-read", reading), writer), fail)


class _Sqlite:
    """Two lanes to one file; see `sql.Database`. The lane that writes has one link: a queue in front of the writer."""

    def __init__(self, reader: Lane[_Link], writer: Lane[_Link]) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self, work: Callable[[Transaction], T]) -> T:
        return await self._reader.hop(lambda link: link.read(work))

    async def read_to_write(self, work: Callable[[Transaction], T]) -> T:
        return await self._writer.hop(lambda link: link.read(work))

    async def write(self, work: Callable[[Transaction], T], fail: FailPoint = pass_by) -> T:
        return await self._writer.hop(lambda link: link.write(work, fail))

    async def close(self) -> None:
        # Closing waits for running transactions and may write the log back into the file, so it is done in a thread.
        await asyncio.get_running_loop().run_in_executor(None, self._close)

    def _close(self) -> None:
        self._reader.close()
        self._writer.close()


class _Link:
    """A connection to the file, made when it is needed and made anew when it cannot be trusted any more."""

    def __init__(self, path: Path, module: ModuleType, texts: Texts, *, writes: bool, shared: bool) -> None:
        self._path = path
        self._module = module
        self._texts = texts
        self._writes = writes
        self._shared = shared
        self._connection: Any = None

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a transaction that sees one moment. Raises the errors of the port, as all that follows."""
        with self._port_errors():
            return self._transact(_BEGIN_READING, work, pass_by)

    def write(self, work: Callable[[Transaction], T], fail: FailPoint) -> T:
        """Run `work` in a transaction and commit it durably; `fail` is called before and after the commit."""
        with self._port_errors():
            return self._transact(_BEGIN_WRITING, work, fail)

    def upgrade(self) -> None:
        """Bring the database to the tables of this version, in one transaction."""
        with self._port_errors():
            self._upgrade()

    def close(self) -> None:
        """See `lane.Link.close`. A transaction that is open is taken back."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _transact(self, begin: str, work: Callable[[Transaction], T], fail: FailPoint) -> T:
        connection = self._connected()
        try:
            cursor = connection.cursor()
            cursor.execute(begin)
            result = work(Transaction(cursor, self._texts))
            fail(BEFORE_COMMIT)
            cursor.execute("COMMIT")
        except BaseException as error:
            self._take_back(error)
            raise
        fail(AFTER_COMMIT)
        return result

    def _take_back(self, error: BaseException) -> None:
        """End a transaction that failed, and with it the connection where nobody knows what it still holds."""
        if _code(error) in _UNTRUSTED:
            self.close()
        elif self._connection.in_transaction:
            self._connection.rollback()

    def _connected(self) -> Any:
        if self._connection is None:
            timeout_ms = BUSY_TIMEOUT_MS if self._shared else ALONE_TIMEOUT_MS
            # Transactions are begun above, never by the driver; the thread that opens is not the one that serves.
            self._connection = self._module.connect(
                str(self._path), timeout=timeout_ms / 1000, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare()
            except BaseException:
                self.close()
                raise
        return self._connection

    def _prepare(self) -> None:
        if not self._shared:
            self._connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        query_only = int(not self._writes)
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"query_only={query_only}"):
            self._connection.execute(f"PRAGMA {setting}")

    def _upgrade(self) -> None:
        """Migrations speak to an engine; this one has the connection of this link and nothing else."""
        engine = create_engine("sqlite://", module=self._module, creator=self._connected, poolclass=StaticPool)
        with engine.connect() as connection, connection.begin():
            connection.exec_driver_sql(_BEGIN_WRITING)
            upgrade(connection)

    @contextmanager
    def _port_errors(self) -> Iterator[None]:
        """Raise what the port calls an error of SQLite instead of it. An error that a bug causes stays what it is."""
        try:
            yield
        except (self._module.Error, DBAPIError, UnicodeDecodeError) as error:
            cause = getattr(error, "orig", error)
            fault = _fault_of(_code(cause))
            # What SQLite says of a damaged schema quotes it, and so does the driver of a text.
            if isinstance(cause, UnicodeDecodeError) or str(cause).startswith(_NO_UTF8):
                raise IntegrityFailed(f"{self._path}: a stored text is not UTF-8") from error
            if fault is None:
                raise
            raise fault(f"{self._path}: {cause}") from error


def _code(error: BaseException) -> int:
    """The primary result code of SQLite; 0 for what is no error of SQLite."""
    return int(getattr(error, "sqlite_errorcode", 0)) & _PRIMARY_CODE


def _fault_of(code: int) -> type[StoreError] | None:
    """What the port calls a result code; None for one that only a bug brings about."""
    if code == _FULL:
        return StorageFull
    if code in _DAMAGED:
        return IntegrityFailed
    return StorageUnavailable if code in _UNAVAILABLE else None
