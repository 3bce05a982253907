"""Rows for the tests of stores, which never look into the bytes that they hold."""

from __future__ import annotations

from typing import Literal

from storyworld.application.ports import ForkPoint, NewBeat, NewSession

NOW = "2026-11-30T21:00:00.000Z"
LATER = "2026-11-30T21:00:01.000Z"


def hash_of(session_id: str, beat: int) -> str:
    """The hash that these tests give a beat."""
    return f"sha256:{session_id}/{beat}"


def a_beat(
    session_id: str, beat: int, *seats: str, status: Literal["active", "ended"] = "active", of: str = "潮水"
) -> NewBeat:
    """A beat of a session. Its bytes hold Chinese, an astral character, a NUL and what is no UTF-8 at all."""
    name = f"{session_id}/{beat}"
    return NewBeat(
        beat=beat,
        hash=hash_of(session_id, beat),
        record=f'{{"beat":"{name}","text":"{of} 🜁\x00"}}'.encode(),
        replies=f"replies of {name}".encode() + b"\xff\xfe",
        seats=seats,
        state=f"state after {name}".encode(),
        status=status,
        created_at=NOW,
    )


def a_session(session_id: str, *, seed: int = 7) -> NewSession:
    """A session that begins at beat 0."""
    return NewSession(session_id, "world", 3, seed, a_beat(session_id, 0))


def a_fork(session_id: str, parent_id: str, beat: int, *, of: str | None = None) -> NewSession:
    """A session that leaves `parent_id` after a beat, which `of` (where it is not the parent) had committed."""
    point = ForkPoint(parent_id, beat, hash_of(of or parent_id, beat))
    return NewSession(session_id, "world", 3, 7, a_beat(session_id, beat + 1), episode_runs=1, forked_from=point)
