"""What the use cases need from outside: a store that is reached project first, performers, and the real world's facts.

The store speaks bytes: canonical JSON goes in, and the same bytes come out. It judges nothing but heads, keys and caps.
Each method is one transaction, and none is held while a model is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol

from storyworld.core.call import Call, Failure, Performance

FailPoint = Callable[[str], None]
"""Called with a name (`K0` … `K9`, places in the life of a beat); tests pass one that stops the process there."""


class WorkKind(StrEnum):
    """The two kinds of authored work that have a draft, numbered revisions and a cap of active ones per project."""

    PACKAGE = "package"
    WORLD = "world"


class StoreError(Exception):
    """The store could not do what was asked, through no fault of the caller. Nothing was changed unless said."""


class StorageUnavailable(StoreError):
    """The database cannot be reached or written just now. Whether a running commit landed is told by its key."""


class StorageFull(StoreError):
    """There is no room for another row. Reads go on."""


class IntegrityFailed(StoreError):
    """What is stored is damaged."""


class SchemaTooNew(StoreError):
    """The database was written by a newer storyworld."""


@dataclass(frozen=True, slots=True)
class StoredRevision:
    """One immutable revision: canonical bytes and their digest, as they were when published."""

    work_id: str
    revision: int
    content: bytes
    digest: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Work:
    """A package or world: its latest revision (None before the first) and whether it counts as active."""

    work_id: str
    kind: WorkKind
    latest_revision: int | None
    archived: bool
    created_at: str


@dataclass(frozen=True, slots=True)
class StoredAgent:
    """An agent's current content (canonical bytes); each change adds one to its revision."""

    agent_id: str
    revision: int
    content: bytes
    created_at: str


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """Where a session left its parent: beats 0 to `beat` are read through the parent; `hash` is that beat's."""

    session_id: str
    beat: int
    hash: str


@dataclass(frozen=True, slots=True)
class StoredBeat:
    """One committed beat: the canonical record, the canonical raw replies, and the record's hash."""

    session_id: str
    beat: int
    hash: str
    record: bytes
    replies: bytes


@dataclass(frozen=True, slots=True)
class NewBeat:
    """A beat to be appended, with what the head becomes. `seats` are the roles that hear it."""

    beat: int
    hash: str
    record: bytes
    replies: bytes
    seats: tuple[str, ...]
    state: bytes
    status: Literal["active", "ended"]
    created_at: str


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session and its head. `episode_runs` counts the runs ever started in it, inherited ones included.

    `record` is that of the last beat, and no bytes at all where that beat is missing.
    """

    session_id: str
    world_id: str
    world_revision: int
    seed: int
    status: Literal["active", "ended"]
    beat: int
    hash: str
    record: bytes
    state: bytes
    episode_runs: int
    forked_from: ForkPoint | None
    created_at: str


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session to be created, with its opening beat (0, or one after the fork point)."""

    session_id: str
    world_id: str
    world_revision: int
    seed: int
    opening: NewBeat
    episode_runs: int = 0
    forked_from: ForkPoint | None = None


@dataclass(frozen=True, slots=True)
class Once:
    """What makes a request the same request: its idempotency key or event id, and the digest of its canonical body."""

    key: str
    body_digest: str


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The committed beat that a key (or an event id) once led to."""

    key: str
    body_digest: str
    beat: int


@dataclass(frozen=True, slots=True)
class Standing:
    """All that a request to move a session on is judged by, as of one moment: the session with its head, and what the
    request's key and event id once led to (None for nothing).
    """

    session: StoredSession
    answer: StoredAnswer | None
    event: StoredAnswer | None


class Appended(StrEnum):
    """What came of an append. Only `DONE` changed anything."""

    DONE = "done"
    STALE_HEAD = "stale_head"  # another beat was committed first, or the session has ended
    KEY_TAKEN = "key_taken"  # the idempotency key already has an answer
    EVENT_TAKEN = "event_taken"  # the event id was already accepted


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


class Performer(Protocol):
    """Whoever voices a role: a model, a script, the rehearsal."""

    async def perform(self, call: Call) -> Performance | Failure:
        """Give one reply. Faults of the provider come back as a `Failure`; an exception is a bug."""
        ...


class Clock(Protocol):
    """The time of day."""

    def now(self) -> str:
        """UTC as `2026-11-30T21:00:00.000Z`."""
        ...


class Identity(Protocol):
    """New ids and seeds."""

    def new_id(self, prefix: str) -> str:
        """`prefix` and 128 random bits, in characters that an id may have."""
        ...

    def new_seed(self) -> int:
        """An integer from 0 to 2^53 - 1."""
        ...


class Watchers(Protocol):
    """Whoever follows sessions. They are told after the commit, and what they do cannot undo it."""

    def committed(self, project_id: str, session_id: str, beat: int) -> None:
        """A beat was committed."""
        ...
