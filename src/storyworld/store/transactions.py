"""What one transaction does, as plain functions over an open connection.

Each decides first and writes second, so that nothing has to be taken back: where it says no, it has changed nothing.
Rows that a decision rests on are read for update; a database with one writer has done so by beginning.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from storyworld.application.ports import (
    Appended,
    FailPoint,
    NewBeat,
    NewSession,
    Once,
    StoredAnswer,
    StoredBeat,
    WorkKind,
)
from storyworld.store import statements
from storyworld.store.lineage import Branch, Segment, segments
from storyworld.store.points import AFTER_BEAT, AFTER_HEAD, AFTER_ONCE, AFTER_SEATS
from storyworld.store.rows import beat_of, event_of
from storyworld.store.statements import at


def create_project(connection: Connection, project_id: str, name: str, created_at: str) -> bool:
    """See `ports.Store.create_project`."""
    if connection.execute(statements.SELECT_PROJECT, at(project_id=project_id)).first() is not None:
        return False
    row = {"project_id": project_id, "name": name, "created_at": created_at}
    connection.execute(statements.INSERT_PROJECT, row | {"active_packages": 0, "active_worlds": 0})
    return True


def _assert_project(connection: Connection, project_id: str) -> None:
    found = connection.execute(statements.SELECT_PROJECT, at(project_id=project_id)).first()
    assert found is not None, "rows are written into a project that exists"


def put_agent(connection: Connection, project_id: str, agent_id: str, content: bytes, created_at: str) -> int:
    """See `ports.ProjectStore.put_agent`."""
    place = at(project_id=project_id, agent_id=agent_id)
    before = connection.execute(statements.LOCK_AGENT, place).first()
    if before is not None:
        connection.execute(statements.UPDATE_AGENT, place | {"content": content})
        return int(before.revision) + 1
    _assert_project(connection, project_id)
    row = {"project_id": project_id, "agent_id": agent_id, "content": content, "created_at": created_at}
    connection.execute(statements.INSERT_AGENT, row | {"revision": 1})
    return 1


def create_work(connection: Connection, project_id: str, kind: WorkKind, work_id: str, created_at: str) -> bool:
    """See `ports.ProjectStore.create_work`."""
    place = at(project_id=project_id, kind=kind.value, work_id=work_id)
    if connection.execute(statements.SELECT_WORK, place).first() is not None:
        return True
    if connection.execute(statements.TAKE_PLACE[kind], at(project_id=project_id)).rowcount == 0:
        _assert_project(connection, project_id)
        return False
    row = {"project_id": project_id, "kind": kind.value, "work_id": work_id, "created_at": created_at}
    connection.execute(statements.INSERT_WORK, row | {"latest_revision": 0, "archived": 0})
    return True


def set_archived(connection: Connection, project_id: str, kind: WorkKind, work_id: str, archived: bool) -> bool:
    """See `ports.ProjectStore.set_archived`."""
    place = at(project_id=project_id, kind=kind.value, work_id=work_id)
    work = connection.execute(statements.LOCK_WORK, place).first()
    if work is None:
        return False
    if bool(work.archived) is archived:
        return True
    counted = statements.LEAVE_PLACE[kind] if archived else statements.TAKE_PLACE[kind]
    if connection.execute(counted, at(project_id=project_id)).rowcount == 0:
        return False
    connection.execute(statements.ARCHIVE_WORK, place | {"archived": int(archived)})
    return True


def add_revision(
    connection: Connection, project_id: str, kind: WorkKind, work_id: str, content: bytes, digest: str, created_at: str
) -> int | None:
    """See `ports.ProjectStore.add_revision`."""
    place = at(project_id=project_id, kind=kind.value, work_id=work_id)
    number = connection.execute(statements.NUMBER_REVISION, place).scalar_one_or_none()
    if number is None:
        return None
    row = {"project_id": project_id, "kind": kind.value, "work_id": work_id, "revision": number}
    content_row = {"content": content, "digest": digest, "created_at": created_at}
    connection.execute(statements.INSERT_REVISION, row | content_row)
    return int(number)


def create_session(connection: Connection, project_id: str, new: NewSession) -> bool:
    """See `ports.ProjectStore.create_session`."""
    fork, opening = new.forked_from, new.opening
    place = at(project_id=project_id, session_id=new.session_id)
    if connection.execute(statements.SELECT_BRANCH, place).first() is not None:
        return False
    if fork is not None:
        found = beats(connection, project_id, fork.session_id, fork.beat, fork.beat)
        if [beat.hash for beat in found] != [fork.hash]:
            return False
    _assert_project(connection, project_id)
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
    connection.execute(statements.INSERT_SESSION, row)
    _insert_beat(connection, project_id, new.session_id, opening)
    _insert_seats(connection, project_id, new.session_id, opening)
    return True


def _insert_beat(connection: Connection, project_id: str, session_id: str, new: NewBeat) -> None:
    row = {
        "project_id": project_id,
        "session_id": session_id,
        "beat": new.beat,
        "hash": new.hash,
        "created_at": new.created_at,
        "record": new.record,
        "replies": new.replies,
    }
    connection.execute(statements.INSERT_BEAT, row)


def _insert_seats(connection: Connection, project_id: str, session_id: str, new: NewBeat) -> None:
    row = {"project_id": project_id, "session_id": session_id, "beat": new.beat}
    if new.seats:
        connection.execute(statements.INSERT_SEATS, [row | {"role_id": role_id} for role_id in new.seats])


def append(
    connection: Connection,
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
    place = at(project_id=project_id, session_id=session_id)
    key = None if answer is None else answer.key
    head = connection.execute(statements.LOCK_HEAD, place | at(key=key)).first()
    if head is None:
        return Appended.STALE_HEAD
    if head.answered is not None:
        return Appended.KEY_TAKEN
    if event is not None and find_event(connection, project_id, session_id, event.key) is not None:
        return Appended.EVENT_TAKEN
    if head.hash != expected_hash or head.status != "active":
        return Appended.STALE_HEAD
    assert new.beat == head.beat + 1, "a beat follows the head"
    moved = {
        "hash": new.hash,
        "beat": new.beat,
        "state": new.state,
        "status": new.status,
        "runs_started": int(starts_run),
    }
    changed = connection.execute(statements.MOVE_HEAD, place | at(hash=expected_hash) | moved)
    assert changed.rowcount == 1, "the head was read for update"
    fail(AFTER_HEAD)
    _insert_beat(connection, project_id, session_id, new)
    fail(AFTER_BEAT)
    _insert_seats(connection, project_id, session_id, new)
    fail(AFTER_SEATS)
    row = {"project_id": project_id, "session_id": session_id, "beat": new.beat}
    if answer is not None:
        once = {"key": answer.key, "body_digest": answer.body_digest}
        connection.execute(statements.INSERT_ANSWER, row | once)
    if event is not None:
        once = {"event_id": event.key, "body_digest": event.body_digest}
        connection.execute(statements.INSERT_EVENT, row | once)
    fail(AFTER_ONCE)
    return Appended.DONE


def _segments(connection: Connection, project_id: str, session_id: str) -> Iterator[Segment]:
    """Where the beats of a session lie; see `lineage`. What is not asked for is not read."""

    def find(wanted: str) -> Branch | None:
        row = connection.execute(statements.SELECT_BRANCH, at(project_id=project_id, session_id=wanted)).first()
        return None if row is None else Branch(row.session_id, row.beat, row.parent_id, row.parent_beat)

    return segments(find, session_id)


def beats(connection: Connection, project_id: str, session_id: str, first: int, last: int) -> list[StoredBeat]:
    """See `ports.ProjectStore.beats`."""
    found: list[StoredBeat] = []
    for segment in reversed(list(_segments(connection, project_id, session_id))):
        wanted = {"first": max(first, segment.first), "last": min(last, segment.last)}
        place = at(project_id=project_id, session_id=segment.session_id)
        if wanted["first"] <= wanted["last"]:
            found += [beat_of(row) for row in connection.execute(statements.SELECT_BEATS, place | wanted)]
    return found


def remembered(connection: Connection, project_id: str, session_id: str, role_id: str, limit: int) -> list[bytes]:
    """See `ports.ProjectStore.remembered`."""
    newest_first: list[bytes] = []
    for segment in _segments(connection, project_id, session_id):
        place = at(project_id=project_id, session_id=segment.session_id, role_id=role_id)
        wanted = {"last": segment.last, "beats_max": limit - len(newest_first)}
        newest_first += connection.execute(statements.SELECT_REMEMBERED, place | wanted).scalars()
        if len(newest_first) == limit:
            break
    return newest_first[::-1]


def find_event(connection: Connection, project_id: str, session_id: str, event_id: str) -> StoredAnswer | None:
    """See `ports.ProjectStore.event`."""
    for segment in _segments(connection, project_id, session_id):
        place = at(project_id=project_id, session_id=segment.session_id, event_id=event_id)
        row = connection.execute(statements.SELECT_EVENT, place | {"last": segment.last}).first()
        if row is not None:
            return event_of(row)
    return None
