"""The store port on a SQL database: each method is one transaction, in one hop to a thread.

It knows the port and where transactions run, and must not know which database it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from storyworld.application.ports import (
    Appended,
    Deliberation,
    DraftPut,
    FailPoint,
    NewBeat,
    NewDeliberation,
    NewDraft,
    NewSession,
    Once,
    Project,
    ProjectStore,
    RevisionSummary,
    Standing,
    StoredAgent,
    StoredBeat,
    StoredDeliberation,
    StoredDraft,
    StoredKey,
    StoredRevision,
    StoredRun,
    StoredSession,
    Work,
    WorkKind,
)
from storyworld.store import rows, session_transactions, statements, transactions
from storyworld.store.driver import Statement, Transaction, Values
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

    async def project(self, project_id: str) -> Project | None:
        """The project."""
        return await _first(self._database, statements.SELECT_PROJECT, rows.project_of, at(project_id=project_id))

    async def projects(self, *, limit: int, after: str | None = None) -> Sequence[Project]:
        """Up to `limit` projects in the order of their ids, after the id `after`."""
        return await _page(self._database, statements.SELECT_PROJECTS, rows.project_of, {}, limit, after or "")

    async def close(self) -> None:
        """Give back files and connections. Closing twice is harmless."""
        await self._database.close()


async def _first(database: Database, statement: Statement, value_of: Callable[[Any], T], values: Values) -> T | None:
    """The one row at a place, as a value."""

    def work(transaction: Transaction) -> T | None:
        row = transaction.first(statement, values)
        return None if row is None else value_of(row)

    return await database.read(work)


async def _page(
    database: Database,
    statement: Statement,
    value_of: Callable[[Any], T],
    values: Values,
    limit: int,
    after: str | int,
) -> Sequence[T]:
    """The rows of one page, as values."""
    page = {**values, "page_limit": limit, "page_after": after}
    return await database.read(lambda transaction: [value_of(row) for row in transaction.all(statement, page)])


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
        return await _first(self._database, statement, value_of, at(project_id=self._project_id, **place))

    async def _page(
        self, statement: Statement, value_of: Callable[[Any], T], limit: int, after: str | int, **place: object
    ) -> Sequence[T]:
        values = at(project_id=self._project_id, **place)
        return await _page(self._database, statement, value_of, values, limit, after)

    async def put_key(self, key: StoredKey) -> bool:
        return await self._write(transactions.put_key, key)

    async def key(self, key_id: str) -> StoredKey | None:
        return await self._first(statements.SELECT_KEY, rows.key_of, key_id=key_id)

    async def keys(self, *, limit: int, after: str | None = None) -> Sequence[StoredKey]:
        return await self._page(statements.SELECT_KEYS, rows.key_of, limit, after or "")

    async def revoke_key(self, key_id: str, at: str) -> bool:
        return await self._write(transactions.revoke_key, key_id, at)

    async def put_agent(self, agent_id: str, content: bytes, created_at: str) -> int:
        return await self._write(transactions.put_agent, agent_id, content, created_at)

    async def agent(self, agent_id: str) -> StoredAgent | None:
        return await self._first(statements.SELECT_AGENT, rows.agent_of, agent_id=agent_id)

    async def agents(self, *, limit: int, after: str | None = None) -> Sequence[StoredAgent]:
        return await self._page(statements.SELECT_AGENTS, rows.agent_of, limit, after or "")

    async def delete_agent(self, agent_id: str) -> bool:
        return await self._write(transactions.delete_agent, agent_id)

    async def create_work(self, kind: WorkKind, work_id: str, created_at: str, draft: NewDraft | None = None) -> bool:
        return await self._write(transactions.create_work, kind, work_id, created_at, draft)

    async def work(self, kind: WorkKind, work_id: str) -> Work | None:
        return await self._first(statements.SELECT_WORK, rows.work_of, kind=kind.value, work_id=work_id)

    async def works(self, kind: WorkKind, *, limit: int, after: str | None = None) -> Sequence[Work]:
        return await self._page(statements.SELECT_WORKS, rows.work_of, limit, after or "", kind=kind.value)

    async def set_archived(self, kind: WorkKind, work_id: str, archived: bool) -> bool:
        return await self._write(transactions.set_archived, kind, work_id, archived)

    async def draft(self, kind: WorkKind, work_id: str) -> StoredDraft | None:
        return await self._first(statements.SELECT_DRAFT, rows.draft_of, kind=kind.value, work_id=work_id)

    async def put_draft(
        self, kind: WorkKind, work_id: str, draft: NewDraft, *, expected_etag: str | None, at: str
    ) -> DraftPut:
        return await self._write(transactions.put_draft, kind, work_id, draft, expected_etag, at)

    async def add_revision(
        self, kind: WorkKind, work_id: str, content: bytes, digest: str, created_at: str
    ) -> int | None:
        return await self._write(transactions.add_revision, kind, work_id, content, digest, created_at)

    async def revision(self, kind: WorkKind, work_id: str, revision: int) -> StoredRevision | None:
        return await self._first(
            statements.SELECT_REVISION, rows.revision_of, kind=kind.value, work_id=work_id, revision=revision
        )

    async def revisions(
        self, kind: WorkKind, work_id: str, *, limit: int, after: int | None = None
    ) -> Sequence[RevisionSummary]:
        place = {"kind": kind.value, "work_id": work_id}
        return await self._page(statements.SELECT_REVISIONS, rows.revision_summary_of, limit, after or 0, **place)

    async def create_session(self, new: NewSession) -> bool:
        return await self._write(session_transactions.create_session, new)

    async def session(self, session_id: str) -> StoredSession | None:
        return await self._first(statements.SELECT_SESSION, rows.session_of, session_id=session_id)

    async def standing(
        self, session_id: str, *, key: str | None = None, event_id: str | None = None
    ) -> Standing | None:
        return await self._database.read_to_write(
            lambda transaction: session_transactions.standing(transaction, self._project_id, session_id, key, event_id)
        )

    async def sessions(self, *, limit: int, after: str | None = None) -> Sequence[StoredSession]:
        return await self._page(statements.SELECT_SESSIONS, rows.session_of, limit, after or "")

    async def append(
        self,
        session_id: str,
        *,
        expected_hash: str,
        new: NewBeat,
        answer: Once | None = None,
        event: Once | None = None,
        deliberation_id: str | None = None,
    ) -> Appended:
        def work(transaction: Transaction) -> Appended:
            return session_transactions.append(
                transaction,
                self._project_id,
                session_id,
                expected_hash,
                new,
                answer,
                event,
                deliberation_id,
                self._fail,
            )

        return await self._database.write(work, self._fail)

    async def spend_tokens(self, session_id: str, tokens: int) -> bool:
        return await self._write(session_transactions.spend_tokens, session_id, tokens)

    async def beats(self, session_id: str, first: int, last: int) -> Sequence[StoredBeat]:
        return await self._read(session_transactions.beats, session_id, first, last)

    async def remembered(self, session_id: str, role_ids: Sequence[str], limit: int) -> Mapping[str, Sequence[bytes]]:
        return await self._read(session_transactions.remembered, session_id, role_ids, limit)

    async def run(self, session_id: str, run_id: str) -> StoredRun | None:
        return await self._first(statements.SELECT_RUN, rows.run_of, session_id=session_id, run_id=run_id)

    async def runs(self, session_id: str, *, limit: int, after: int | None = None) -> Sequence[StoredRun]:
        return await self._page(statements.SELECT_RUNS, rows.run_of, limit, after or 0, session_id=session_id)

    async def put_deliberation(self, session_id: str, new: NewDeliberation) -> bool:
        return await self._write(session_transactions.put_deliberation, session_id, new)

    async def deliberation(self, session_id: str, deliberation_id: str) -> StoredDeliberation | None:
        return await self._read(session_transactions.deliberation, session_id, deliberation_id)

    async def deliberations(self, session_id: str, *, limit: int, after: str | None = None) -> Sequence[Deliberation]:
        return await self._page(
            statements.SELECT_DELIBERATIONS, rows.deliberation_of, limit, after or "", session_id=session_id
        )
