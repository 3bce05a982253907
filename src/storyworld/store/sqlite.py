"""The embedded database: one file in a folder, one writer, readers beside it.

It owns how SQLite is opened and what its errors mean; which statements run is no business of this file. A commit is
durable when it returns: a write-ahead log with `synchronous=FULL`. Writers begin IMMEDIATE, since a transaction that
reads first and writes later is refused as busy without waiting. Several processes may share a folder if their SQLite
is free of the write-ahead-log fault; one with another SQLite opens the file for itself alone.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from storyworld.application.ports import FailPoint, IntegrityFailed, StorageFull, StorageUnavailable, StoreError
from storyworld.store.points import AFTER_COMMIT, BEFORE_COMMIT, pass_by
from storyworld.store.sql import SqlStore
from storyworld.store.upgrade import upgrade

FILE_NAME: Final = "storyworld.db"
BUSY_TIMEOUT_MS: Final = 5_000
"""How long a statement waits for another process that writes."""
ALONE_TIMEOUT_MS: Final = 200
"""How long it waits where one process holds the file for itself: that one is not about to let go."""

_READERS = 4
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
    shared = is_safe_to_share(module.sqlite_version_info)
    writer = _Lane(folder / FILE_NAME, module, threads=1, writes=True, shared=shared)
    try:
        writer.transact(upgrade)
    except BaseException:
        writer.close()
        raise
    reader = _Lane(folder / FILE_NAME, module, threads=_READERS, writes=False, shared=shared) if shared else writer
    return SqlStore(_Sqlite(reader, writer), fail)


class _Sqlite:
    """Two lanes to one file; see `sql.Database`."""

    def __init__(self, reader: _Lane, writer: _Lane) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._reader.hop(work, pass_by)

    async def write(self, work: Callable[[Connection], T], fail: FailPoint = pass_by) -> T:
        return await self._writer.hop(work, fail)

    async def close(self) -> None:
        # Closing waits for running transactions and may write the log back into the file, so it is done in a thread.
        await asyncio.get_running_loop().run_in_executor(None, self._close)

    def _close(self) -> None:
        self._reader.close()
        self._writer.close()


class _Lane:
    """Threads, and a connection for each of them. The lane that writes has one: a queue in front of the one writer."""

    def __init__(self, path: Path, module: ModuleType, *, threads: int, writes: bool, shared: bool) -> None:
        self._path = path
        self._process_id = os.getpid()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="sqlite-write" if writes else "sqlite-read")
        self._engine = _engine(path, module, threads=threads, writes=writes, shared=shared)

    async def hop(self, work: Callable[[Connection], T], fail: FailPoint) -> T:
        """Run `work` as one transaction in a thread. Whoever waits may be cancelled: the transaction still ends."""
        assert os.getpid() == self._process_id, "a store is opened by the process that uses it"
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.transact, work, fail)

    def transact(self, work: Callable[[Connection], T], fail: FailPoint = pass_by) -> T:
        """Run `work` as one transaction in this thread."""
        try:
            with self._engine.connect() as connection, connection.begin() as transaction:
                result = work(connection)
                fail(BEFORE_COMMIT)
                transaction.commit()
            fail(AFTER_COMMIT)
        except DBAPIError as error:
            raise _translated(error, self._path) from error
        except UnicodeDecodeError as error:  # what SQLite says of a damaged schema quotes it
            raise IntegrityFailed(f"{self._path}: a stored text is not UTF-8") from error
        return result

    def close(self) -> None:
        """Let running transactions end, then give everything back."""
        self._threads.shutdown()
        self._engine.dispose()


def _engine(path: Path, module: ModuleType, *, threads: int, writes: bool, shared: bool) -> Engine:
    timeout_ms = BUSY_TIMEOUT_MS if shared else ALONE_TIMEOUT_MS
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        module=module,
        poolclass=QueuePool,
        pool_size=threads,
        max_overflow=0,
        # Transactions are begun below, never by the driver; a connection passes from one thread to the next.
        connect_args={"isolation_level": None, "check_same_thread": False, "timeout": timeout_ms / 1000},
    )
    begin = "BEGIN IMMEDIATE" if writes else "BEGIN DEFERRED"

    def prepare(connection: Any, _record: object) -> None:
        if not shared:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"query_only={int(not writes)}"):
            connection.execute(f"PRAGMA {setting}")

    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    def forget_untrusted(context: ExceptionContext) -> None:
        if _code(context.original_exception) in _UNTRUSTED:
            context.is_disconnect = True

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin_transaction)
    event.listen(engine, "handle_error", forget_untrusted)
    return engine


def _code(error: BaseException | None) -> int:
    """The primary result code of SQLite; 0 for what is no error of SQLite."""
    return int(getattr(error, "sqlite_errorcode", 0)) & _PRIMARY_CODE


def _translated(error: DBAPIError, path: Path) -> StoreError | DBAPIError:
    """What the port calls an error of SQLite. An error that a bug causes stays what it is."""
    code, said = _code(error.orig), f"{path}: {error.orig}"
    if str(error.orig).startswith(_NO_UTF8):
        return IntegrityFailed(f"{path}: a stored text is not UTF-8")
    if code == _FULL:
        return StorageFull(said)
    if code in _DAMAGED:
        return IntegrityFailed(said)
    return StorageUnavailable(said) if code in _UNAVAILABLE else error
