"""From rows to the values of the port. Columns are asked for by name, so that their order in a table means nothing."""

from __future__ import annotations

from typing import Any

from storyworld.application.ports import (
    ForkPoint,
    StoredAgent,
    StoredAnswer,
    StoredBeat,
    StoredRevision,
    StoredSession,
    Work,
    WorkKind,
)


def work_of(row: Any) -> Work:
    """A row of `works`."""
    return Work(row.work_id, WorkKind(row.kind), row.latest_revision or None, bool(row.archived), row.created_at)


def agent_of(row: Any) -> StoredAgent:
    """A row of `agents`."""
    return StoredAgent(row.agent_id, row.revision, row.content, row.created_at)


def revision_of(row: Any) -> StoredRevision:
    """A row of `revisions`."""
    return StoredRevision(row.work_id, row.revision, row.content, row.digest, row.created_at)


def session_of(row: Any) -> StoredSession:
    """A row of `sessions` with the `record` of its head, which is no bytes at all where that beat is missing."""
    parent = None if row.parent_id is None else ForkPoint(row.parent_id, row.parent_beat, row.parent_hash)
    return StoredSession(
        session_id=row.session_id,
        world_id=row.world_id,
        world_revision=row.world_revision,
        seed=row.seed,
        status=row.status,
        beat=row.beat,
        hash=row.hash,
        record=row.record or b"",
        state=row.state,
        episode_runs=row.episode_runs,
        forked_from=parent,
        created_at=row.created_at,
    )


def beat_of(row: Any) -> StoredBeat:
    """A row of `beats`."""
    return StoredBeat(row.session_id, row.beat, row.hash, row.record, row.replies)


def answer_of(row: Any) -> StoredAnswer | None:
    """What a row of `statements.SELECT_STANDING` says of the key; None where it has no answer."""
    return None if row.answer_beat is None else StoredAnswer(row.answer_key, row.answer_digest, row.answer_beat)


def event_of(row: Any) -> StoredAnswer:
    """A row of `events`."""
    return StoredAnswer(row.event_id, row.body_digest, row.beat)
