"""From rows to the values of the port. Columns are asked for by name, so that their order in a table means nothing."""

from __future__ import annotations

from typing import Any

from storyworld.application.ports import (
    Deliberation,
    DeliberationStatus,
    ForkPoint,
    KeyScope,
    Project,
    RevisionSummary,
    StoredAgent,
    StoredAnswer,
    StoredBeat,
    StoredDraft,
    StoredKey,
    StoredRevision,
    StoredRun,
    StoredSession,
    Work,
    WorkKind,
)


def project_of(row: Any) -> Project:
    """A row of `projects`."""
    return Project(row.project_id, row.name, row.created_at, row.active_packages, row.active_worlds)


def key_of(row: Any) -> StoredKey:
    """A row of `keys`."""
    return StoredKey(row.key_id, row.digest, KeyScope(row.scope), row.created_at, row.revoked_at)


def work_of(row: Any) -> Work:
    """A row of `works`."""
    return Work(
        work_id=row.work_id,
        kind=WorkKind(row.kind),
        latest_revision=row.latest_revision or None,
        archived=bool(row.archived),
        draft_etag=row.draft_etag,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def draft_of(row: Any) -> StoredDraft:
    """A row of `drafts` with the etag of its work."""
    return StoredDraft(row.content, row.draft_etag, row.updated_at)


def agent_of(row: Any) -> StoredAgent:
    """A row of `agents`."""
    return StoredAgent(row.agent_id, row.revision, row.content, row.created_at)


def revision_of(row: Any) -> StoredRevision:
    """A row of `revisions`."""
    return StoredRevision(row.work_id, row.revision, row.content, row.digest, row.created_at)


def revision_summary_of(row: Any) -> RevisionSummary:
    """A row of `statements.SELECT_REVISIONS`."""
    return RevisionSummary(row.work_id, row.revision, row.digest, row.size_bytes, row.created_at)


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
        token_budget=row.token_budget,
        tokens_spent=row.tokens_spent,
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


def run_of(row: Any) -> StoredRun:
    """A row of `episode_runs`."""
    return StoredRun(row.number, row.run_id, row.episode_id, row.first_beat, row.last_beat)


def deliberation_of(row: Any) -> Deliberation:
    """A row of `deliberations` with the `hash` of its session's head."""
    status = DeliberationStatus.OPEN if row.after_hash == row.hash else DeliberationStatus.STALE
    if row.committed_beat is not None:
        status = DeliberationStatus.COMMITTED
    return Deliberation(row.deliberation_id, row.after_beat, row.after_hash, status, row.committed_beat, row.created_at)
