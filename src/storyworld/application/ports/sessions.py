"""Sessions: their heads, their beats, what must happen only once in them, and the episode runs in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol


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
class NewRun:
    """An episode run that starts with a beat. Its number is one above that of the run before it in the session."""

    run_id: str
    episode_id: str


@dataclass(frozen=True, slots=True)
class StoredRun:
    """One play of an episode, counted from 1 within its session: its first beat, and its last one once it is over."""

    number: int
    run_id: str
    episode_id: str
    first_beat: int
    last_beat: int | None


@dataclass(frozen=True, slots=True)
class NewBeat:
    """A beat to be appended, with what the head becomes. `seats` are the roles that hear it.

    `tokens` are added to what the session has spent. `starts_run` is the episode run that starts with this beat,
    `ends_run` the id of the one that it ends.
    """

    beat: int
    hash: str
    record: bytes
    replies: bytes
    seats: tuple[str, ...]
    state: bytes
    status: Literal["active", "ended"]
    created_at: str
    tokens: int = 0
    starts_run: NewRun | None = None
    ends_run: str | None = None


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session and its head. `episode_runs` counts the runs ever started in it, inherited ones included.

    `record` is that of the last beat, and no bytes at all where that beat is missing. `tokens_spent` are those of its
    own beats and of calls that committed nothing; `token_budget` is None where nothing bounds them.
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
    token_budget: int | None
    tokens_spent: int
    created_at: str


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session to be created, with its opening beat (0, or one after the fork point). `token_budget` is at least 1."""

    session_id: str
    world_id: str
    world_revision: int
    seed: int
    opening: NewBeat
    episode_runs: int = 0
    forked_from: ForkPoint | None = None
    token_budget: int | None = None


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


class Sessions(Protocol):
    """The sessions of one project."""

    async def create_session(self, new: NewSession) -> bool:
        """Store the session and its opening beat in one transaction. False if the id is taken; for a fork, also if
        the parent has no such beat with that hash. A fork inherits the event ids and the episode runs of beats up to
        its fork point, a run that ended later as one that goes on; tokens it has spent none.
        """
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
        deliberation_id: str | None = None,
    ) -> Appended:
        """Compare the head and append the beat, its state, its answer, its event and what it makes of episode runs, in
        one durable transaction; `deliberation_id` is the open deliberation that becomes this beat.

        When this returns `DONE`, the beat survives any kill.
        """
        ...

    async def spend_tokens(self, session_id: str, tokens: int) -> bool:
        """Count the tokens of calls that committed nothing. False for an unknown session."""
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

    async def run(self, session_id: str, run_id: str) -> StoredRun | None:
        """An episode run of the session, an inherited one too. What it costs does not grow with the history."""
        ...

    async def runs(self, session_id: str, *, limit: int, after: int | None = None) -> Sequence[StoredRun]:
        """Up to `limit` episode runs in the order of their numbers, after the number `after`."""
        ...
