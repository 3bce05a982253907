"""What each transaction does, as plain functions over an open one.

Each decides first and writes second, so that nothing has to be taken back: where it says no, it has changed nothing.
Rows that a decision rests on are read for update; a database with one writer has done so by beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storyworld.application.ports import (
    Appended,
    FailPoint,
    NewBeat,
    NewSession,
    Once,
    Standing,
    StoredAnswer,
    StoredBeat,
    WorkKind,
)
from storyworld.store import statements
from storyworld.store.driver import Transaction
from storyworld.store.lineage import Branch, Segment, segments
from storyworld.store.points import AFTER_BEAT, AFTER_HEAD, AFTER_ONCE, AFTER_SEATS
from storyworld.store.rows import answer_of, beat_of, event_of, session_of
from storyworld.store.statements import at


def create_project(transaction: Transaction, project_id: str, name: str, created_at: str) -> bool:
    """See `ports.Store.create_project`."""
    if transaction.first(statements.SELECT_PROJECT, at(project_id=project_id)) is not None:
        return False
    row = {"project_id": project_id, "name": name, "created_at": created_at}
    transaction.change(statements.INSERT_PROJECT, row | {"active_packages": 0, "active_worlds": 0})
    return True


def _assert_project(transaction: Transaction, project_id: str) -> None:
    found = transaction.first(statements.SELECT_PROJECT, at(project_id=project_id))
    assert found is not None, "rows are written into a project that exists"


def put_agent(transaction: Transaction, project_id: str, agent_id: str, content: bytes, created_at: str) -> int:
    """See `ports.ProjectStore.put_agent`."""
    place = at(project_id=project_id, agent_id=agent_id)
    before = transaction.first(statements.LOCK_AGENT, place)
    if before is not None:
        transaction.change(statements.UPDATE_AGENT, place | {"content": content})
        return int(before.revision) + 1
    _assert_project(transaction, project_id)
    row = {"project_id": project_id, "agent_id": agent_id, "content": content, "created_at": created_at}
    transaction.change(statements.INSERT_AGENT, row | {"revision": 1})
    return 1


def create_work(transaction: Transaction, project_id: str, kind: WorkKind, work_id: str, created_at: str) -> bool:
    """See `ports.ProjectStore.create_work`."""
    place = at(project_id=project_id, kind=kind.value, work_id=work_id)
    if transaction.first(statements.SELECT_WORK, place) is not None:
        return True
    if transaction.change(statements.TAKE_PLACE[kind], at(project_id=project_id)) == 0:
        _assert_project(transaction, project_id)
        return False
    row = {"project_id": project_id, "kind": kind.value, "work_id": work_id, "created_at": created_at}
    transaction.change(statements.INSERT_WORK, row | {"latest_revision": 0, "archived": 0})
    return True


def set_archived(transaction: Transaction, project_id: str, kind: WorkKind, work_id: str, archived: bool) -> bool:
    """See `ports.ProjectStore.set_archived`."""
    place = at(project_id=project_id, kind=kind.value, work_id=work_id)
    work = transaction.first(statements.LOCK_WORK, place)
    if work is None:
        return False
    if bool(work.archived) is archived:
        return True
    counted = statements.LEAVE_PLACE[kind] if archived else statements.TAKE_PLACE[kind]
    if transaction.change(counted, at(project_id=project_id)) == 0:
        return False
    transaction.change(statements.ARCHIVE_WORK, place | {"archived": int(archived)})
    return True


def add_revision(
    transaction: Transaction,
    project_id: str,
    kind: WorkKind,
    work_id: str,
    content: bytes,
    digest: str,
    created_at: str,
) -> int | None:
    """See `ports.ProjectStore.add_revision`."""
    place = at(project_id=project_id, kind=kind.value, work_id=work_id)
    numbered = transaction.first(statements.NUMBER_REVISION, place)
    if numbered is None:
        return None
    number = int(numbered.latest_revision)
    row = {
        "project_id": project_id,
        "kind": kind.value,
        "work_id": work_id,
        "revision": number,
        "content": content,
        "digest": digest,
        "created_at": created_at,
    }
    transaction.change(statements.INSERT_REVISION, row)
    return number


def create_session(transaction: Transaction, project_id: str, new: NewSession) -> bool:
    """See `ports.ProjectStore.create_session`."""
    fork, opening = new.forked_from, new.opening
    place = at(project_id=project_id, session_id=new.session_id)
    if transaction.first(statements.SELECT_BRANCH, place) is not None:
        return False
    if fork is not None:
        found = beats(transaction, project_id, fork.session_id, fork.beat, fork.beat)
        if [beat.hash for beat in found] != [fork.hash]:
            return False
    _assert_project(transaction, project_id)
    row = {
        "project_id": project_id,
        "session_id": new.session_id,
        "world_id": new.world_id,
        "world_revision": new.world_revision,
        "seed": new.seed,
        "status": opening.status,
        "beat": opening.beat,
        "hash": opening.hash,
        "episode_runs": new.episode_runs,
        "parent_id": None if fork is None else fork.session_id,
        "parent_beat": None if fork is None else fork.beat,
        "parent_hash": None if fork is None else fork.hash,
        "created_at": opening.created_at,
        "state": opening.state,
    }
    transaction.change(statements.INSERT_SESSION, row)
    _insert_beat(transaction, project_id, new.session_id, opening)
    _insert_seats(transaction, project_id, new.session_id, opening)
    return True


def _insert_beat(transaction: Transaction, project_id: str, session_id: str, new: NewBeat) -> None:
    row = {
        "project_id": project_id,
        "session_id": session_id,
        "beat": new.beat,
        "hash": new.hash,
        "created_at": new.created_at,
        "record": new.record,
        "replies": new.replies,
    }
    transaction.change(statements.INSERT_BEAT, row)


def _insert_seats(transaction: Transaction, project_id: str, session_id: str, new: NewBeat) -> None:
    row = {"project_id": project_id, "session_id": session_id, "beat": new.beat}
    transaction.insert_each(statements.INSERT_SEATS, [row | {"role_id": role_id} for role_id in new.seats])


def append(
    transaction: Transaction,
    project_id: str,
    session_id: str,
    expected_hash: str,
    new: NewBeat,
    answer: Once | None,
    event: Once | None,
    starts_run: bool,
    fail: FailPoint,
) -> Appended:
    """See `ports.ProjectStore.append`. `fail` is called between the statements that write."""
    place = at(project_id=project_id, session_id=session_id, key=None if answer is None else answer.key)
    if event is not None and _find_event(transaction, project_id, session_id, event.key) is not None:
        return Appended.KEY_TAKEN if _is_answered(transaction, place) else Appended.EVENT_TAKEN
    values = {
        "hash": new.hash,
        "beat": new.beat,
        "state": new.state,
        "status": new.status,
        "runs_started": int(starts_run),
    }
    before = place | at(beat=new.beat - 1, hash=expected_hash)
    if transaction.change(statements.MOVE_HEAD, before | values) == 0:
        return _why_not(transaction, place, expected_hash, new)
    fail(AFTER_HEAD)
    _insert_beat(transaction, project_id, session_id, new)
    fail(AFTER_BEAT)
    _insert_seats(transaction, project_id, session_id, new)
    fail(AFTER_SEATS)
    row = {"project_id": project_id, "session_id": session_id, "beat": new.beat}
    if answer is not None:
        once = {"key": answer.key, "body_digest": answer.body_digest}
        transaction.change(statements.INSERT_ANSWER, row | once)
    if event is not None:
        once = {"event_id": event.key, "body_digest": event.body_digest}
        transaction.change(statements.INSERT_EVENT, row | once)
    fail(AFTER_ONCE)
    return Appended.DONE


def _is_answered(transaction: Transaction, place: dict[str, object]) -> bool:
    return transaction.first(statements.SELECT_ANSWER, place) is not None


def _why_not(transaction: Transaction, place: dict[str, object], expected_hash: str, new: NewBeat) -> Appended:
    """Why the head was not moved."""
    if _is_answered(transaction, place):
        return Appended.KEY_TAKEN
    head = transaction.first(statements.SELECT_SESSION, place)
    follows = head is None or head.hash != expected_hash or head.status != "active" or head.beat + 1 == new.beat
    assert follows, "a beat follows the head"
    return Appended.STALE_HEAD


def _segments(transaction: Transaction, project_id: str, session_id: str) -> Iterator[Segment]:
    """Where the beats of a session lie; see `lineage`. What is not asked for is not read."""

    def find(wanted: str) -> Branch | None:
        row = transaction.first(statements.SELECT_BRANCH, at(project_id=project_id, session_id=wanted))
        return None if row is None else Branch(row.session_id, row.beat, row.parent_id, row.parent_beat)

    return segments(find, session_id)


def beats(transaction: Transaction, project_id: str, session_id: str, first: int, last: int) -> list[StoredBeat]:
    """See `ports.ProjectStore.beats`."""
    found: list[StoredBeat] = []
    for segment in reversed(list(_segments(transaction, project_id, session_id))):
        wanted = {"first": max(first, segment.first), "last": min(last, segment.last)}
        place = at(project_id=project_id, session_id=segment.session_id)
        if wanted["first"] <= wanted["last"]:
            found += [beat_of(row) for row in transaction.all(statements.SELECT_BEATS, place | wanted)]
    return found


def remembered(
    transaction: Transaction, project_id: str, session_id: str, role_ids: Sequence[str], limit: int
) -> dict[str, list[bytes]]:
    """See `ports.ProjectStore.remembered`."""
    return {role_id: _remembered(transaction, project_id, session_id, role_id, limit) for role_id in role_ids}


def _remembered(transaction: Transaction, project_id: str, session_id: str, role_id: str, limit: int) -> list[bytes]:
    newest_first: list[bytes] = []
    for segment in _segments(transaction, project_id, session_id):
        place = at(project_id=project_id, session_id=segment.session_id, role_id=role_id)
        wanted = {"last": segment.last, "beats_max": limit - len(newest_first)}
        newest_first += [row.record for row in transaction.all(statements.SELECT_REMEMBERED, place | wanted)]
        if len(newest_first) == limit:
            break
    return newest_first[::-1]


def standing(
    transaction: Transaction, project_id: str, session_id: str, key: str | None, event_id: str | None
) -> Standing | None:
    """See `ports.ProjectStore.standing`."""
    row = transaction.first(statements.SELECT_STANDING, at(project_id=project_id, session_id=session_id, key=key))
    if row is None:
        return None
    event = None if event_id is None else _find_event(transaction, project_id, session_id, event_id)
    return Standing(session_of(row), answer_of(row), event)


def _find_event(transaction: Transaction, project_id: str, session_id: str, event_id: str) -> StoredAnswer | None:
    """What an event id led to in this session or, up to its fork point, in its parents."""
    for segment in _segments(transaction, project_id, session_id):
        place = at(project_id=project_id, session_id=segment.session_id, event_id=event_id)
        row = transaction.first(statements.SELECT_EVENT, place | {"last": segment.last})
        if row is not None:
            return event_of(row)
    return None
