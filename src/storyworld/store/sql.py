"""The store port on a SQL database: each method is one transaction, in one hop to a thread.

It knows the port and where transactions run, and must not know which database it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from storyworld.application.ports import (
    Appended,
    FailPoint,
    NewBeat,
    NewSession,
    Once,
    ProjectStore,
    Standing,
    StoredAgent,
    StoredBeat,
    StoredRevision,
    StoredSession,
    Work,
    WorkKind,
)
from storyworld.store import rows, statements, transactions
from storyworld.store.driver import Statement, Transaction
from storyworld.store.points import pass_by
from storyworld.store.statements import at

P = ParamSpec("P")
T = TypeVar("T")


class Database(Protocol):
    """Where transactions run. Faults of the database come out as the errors of the port."""

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a transaction that sees one moment and writes nothing."""
        ...

    async def read_to_write(self, work: Callable[[Transaction], T]) -> T:
        """The same, where what was written last is at hand: for what is read in order to write next."""
        ...

    async def write(self, work: Callable[[Transaction], T], fail: FailPoint = pass_by) -> T:
        """Run `work` in a transaction and commit it durably; `fail` is called before and after the commit."""
        ...

    async def close(self) -> None:
        """Give back files, transactions and threads. Closing twice is harmless."""
        ...


class SqlStore:
    """The whole database; see `ports.Store`."""

    def __init__(self, database: Database, fail: FailPoint = pass_by) -> None:
        """`fail` is called at the fail-points of an append."""
        self._database = database
        self._fail = fail

    def for_project(self, project_id: str) -> ProjectStore:
        """The rows of one project. It need not exist: then every row is absent."""
        return _SqlProject(self._database, self._fail, project_id)

    async def create_project(self, project_id: str, name: str, created_at: str) -> bool:
        """Create a project. False, and nothing changed, if its id is taken."""
        return await self._database.write(
            lambda transaction: transactions.create_project(transaction, project_id, name, created_at)
        )

    async def project_ids(self) -> Sequence[str]:
        """Every project's id, in order."""
        return await self._database.read(
            lambda transaction: [row.project_id for row in transaction.all(statements.SELECT_PROJECT_IDS, {})]
        )

    async def close(self) -> None:
        """Give back files and connections. Closing twice is harmless."""
        await self._database.close()


class _SqlProject:
    """The rows of one project; see `ports.ProjectStore`."""

    def __init__(self, database: Database, fail: FailPoint, project_id: str) -> None:
        self._database = database
        self._fail = fail
        self._project_id = project_id

    async def _write(self, work: Callable[Concatenate[Transaction, str, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._database.write(lambda transaction: work(transaction, self._project_id, *args, **kwargs))

    async def _read(self, work: Callable[Concatenate[Transaction, str, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._database.read(lambda transaction: work(transaction, self._project_id, *args, **kwargs))

    async def _first(self, statement: Statement, value_of: Callable[[Any], T], **place: object) -> T | None:
        """The one row at a place, as a value."""

        def work(transaction: Transaction) -> T | None:
            row = transaction.first(statement, at(project_id=self._project_id, **place))
            return None if row is None else value_of(row)

        return await self._database.read(work)

    async def _page(
        self, statement: Statement, value_of: Callable[[Any], T], limit: int, after: str | None, **place: object
    ) -> Sequence[T]:
        """The rows of one page, as values."""
        page = {"page_limit": limit, "page_after": after or ""}

        def work(transaction: Transaction) -> list[T]:
            found = transaction.all(statement, at(project_id=self._project_id, **place) | page)
            return [value_of(row) for row in found]

        return await self._database.read(work)

    async def put_agent(self, agent_id: str, content: bytes, created_at: str) -> int:
        return await self._write(transactions.put_agent, agent_id, content, created_at)

    async def agent(self, agent_id: str) -> StoredAgent | None:
        return await self._first(statements.SELECT_AGENT, rows.agent_of, agent_id=agent_id)

    async def create_work(self, kind: WorkKind, work_id: str, created_at: str) -> bool:
        return await self._write(transactions.create_work, kind, work_id, created_at)

    async def work(self, kind: WorkKind, work_id: str) -> Work | None:
        return await self._first(statements.SELECT_WORK, rows.work_of, kind=kind.value, work_id=work_id)

    async def set_archived(self, kind: WorkKind, work_id: str, archived: bool) -> bool:
        return await self._write(transactions.set_archived, kind, work_id, archived)

    async def add_revision(
        self, kind: WorkKind, work_id: str, content: bytes, digest: str, created_at: str
    ) -> int | None:
        return await self._write(transactions.add_revision, kind, work_id, content, digest, created_at)

    async def revision(self, kind: WorkKind, work_id: str, revision: int) -> StoredRevision | None:
        return await self._first(
            statements.SELECT_REVISION, rows.revision_of, kind=kind.value, work_id=work_id, revision=revision
        )

    async def works(self, kind: WorkKind, *, limit: int, after: str | None = None) -> Sequence[Work]:
        return await self._page(statements.SELECT_WORKS, rows.work_of, limit, after, kind=kind.value)

    async def create_session(self, new: NewSession) -> bool:
        return await self._write(transactions.create_session, new)

    async def session(self, session_id: str) -> StoredSession | None:
        return await self._first(statements.SELECT_SESSION, rows.session_of, session_id=session_id)

    async def standing(
        self, session_id: str, *, key: str | None = None, event_id: str | None = None
    ) -> Standing | None:
        return await self._database.read_to_write(
            lambda transaction: transactions.standing(transaction, self._project_id, session_id, key, event_id)
        )

    async def sessions(self, *, limit: int, after: str | None = None) -> Sequence[StoredSession]:
        return await self._page(statements.SELECT_SESSIONS, rows.session_of, limit, after)

    async def append(
        self,
        session_id: str,
        *,
        expected_hash: str,
        new: NewBeat,
        answer: Once | None = None,
        event: Once | None = None,
        starts_run: bool = False,
    ) -> Appended:
        def work(transaction: Transaction) -> Appended:
            return transactions.append(
                transaction, self._project_id, session_id, expected_hash, new, answer, event, starts_run, self._fail
            )

        return await self._database.write(work, self._fail)

    async def beats(self, session_id: str, first: int, last: int) -> Sequence[StoredBeat]:
        return await self._read(transactions.beats, session_id, first, last)

    async def remembered(self, session_id: str, role_ids: Sequence[str], limit: int) -> Mapping[str, Sequence[bytes]]:
        return await self._read(transactions.remembered, session_id, role_ids, limit)
