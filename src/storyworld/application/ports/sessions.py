"""What is stored of sessions: heads, beats, and what must happen only once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


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
