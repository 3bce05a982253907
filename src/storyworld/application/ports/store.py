"""The store itself. Each method is one transaction, and none is held while a model is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from storyworld.application.ports.sessions import (
    Appended,
    NewBeat,
    NewSession,
    Once,
    Standing,
    StoredBeat,
    StoredSession,
)
from storyworld.application.ports.works import StoredAgent, StoredRevision, Work, WorkKind


class ProjectStore(Protocol):
    """All rows of one project; ids of other projects look like ids that never were."""

    async def put_agent(self, agent_id: str, content: bytes, created_at: str) -> int:
        """Create the agent or replace its content; returns its revision, 1 for a new one."""
        ...

    async def agent(self, agent_id: str) -> StoredAgent | None:
        """The agent's current content."""
        ...

    async def create_work(self, kind: WorkKind, work_id: str, created_at: str) -> bool:
        """Create a package or world without revisions. False, and nothing changed, when the cap of active ones is
        met.
        """
        ...

    async def work(self, kind: WorkKind, work_id: str) -> Work | None:
        """The package or world."""
        ...

    async def set_archived(self, kind: WorkKind, work_id: str, archived: bool) -> bool:
        """Archive or restore. False, and nothing changed, when it is unknown or restoring would pass the cap."""
        ...

    async def add_revision(
        self, kind: WorkKind, work_id: str, content: bytes, digest: str, created_at: str
    ) -> int | None:
        """Store the next immutable revision and return its number, from 1 without gaps; None for an unknown work."""
        ...

    async def revision(self, kind: WorkKind, work_id: str, revision: int) -> StoredRevision | None:
        """One revision, whole."""
        ...

    async def works(self, kind: WorkKind, *, limit: int, after: str | None = None) -> Sequence[Work]:
        """Up to `limit` packages or worlds in the order of their ids, after the id `after`."""
        ...

    async def create_session(self, new: NewSession) -> bool:
        """Store the session and its opening beat in one transaction. False if the id is taken; for a fork, also if
        the parent has no such beat with that hash. A fork inherits the event ids of beats up to its fork point."""
        ...

    async def session(self, session_id: str) -> StoredSession | None:
        """The session with its head."""
        ...

    async def standing(
        self, session_id: str, *, key: str | None = None, event_id: str | None = None
    ) -> Standing | None:
        """The session with its head, what the key led to in it, and what the event id led to in it or, up to its fork
        point, in its parents. Keys are not inherited by forks. None for an unknown session.
        """
        ...

    async def sessions(self, *, limit: int, after: str | None = None) -> Sequence[StoredSession]:
        """Up to `limit` sessions in the order of their ids, after the id `after`."""
        ...

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
        """Compare the head and append the beat, its state, its answer and its event in one durable transaction.

        When this returns `DONE`, the beat survives any kill. `starts_run` adds one to the session's `episode_runs`.
        """
        ...

    async def beats(self, session_id: str, first: int, last: int) -> Sequence[StoredBeat]:
        """The beats from `first` to `last`, both included, in order; those before a fork are read through the parents.

        A beat read through a parent keeps its own record and bears the parent's session id.
        """
        ...

    async def remembered(self, session_id: str, role_ids: Sequence[str], limit: int) -> Mapping[str, Sequence[bytes]]:
        """For each role, the records of the last `limit` beats in which it had a seat, oldest first, parents included.

        What it costs does not grow with the history.
        """
        ...


class Store(Protocol):
    """The whole database."""

    def for_project(self, project_id: str) -> ProjectStore:
        """The rows of one project. It need not exist: then every row is absent."""
        ...

    async def create_project(self, project_id: str, name: str, created_at: str) -> bool:
        """Create a project. False, and nothing changed, if its id is taken."""
        ...

    async def project_ids(self) -> Sequence[str]:
        """Every project's id, in order."""
        ...

    async def close(self) -> None:
        """Give back files and connections. Closing twice is harmless."""
        ...
