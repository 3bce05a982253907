"""What each transaction on sessions does, as plain functions over an open one; see `transactions`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storyworld.application.ports import (
    Appended,
    FailPoint,
    NewBeat,
    NewDeliberation,
    NewSession,
    Once,
    Standing,
    StoredAnswer,
    StoredBeat,
    StoredDeliberation,
)
from storyworld.store import statements
from storyworld.store.driver import Transaction
from storyworld.store.lineage import Branch, Segment, segments
from storyworld.store.points import (
    AFTER_BEAT,
    AFTER_DELIBERATION,
    AFTER_HEAD,
    AFTER_ONCE,
    AFTER_RUNS,
    AFTER_SEATS,
)
from storyworld.store.rows import answer_of, beat_of, deliberation_of, event_of, session_of
from storyworld.store.statements import at
from storyworld.store.transactions import assert_project


def create_session(transaction: Transaction, project_id: str, new: NewSession) -> bool:
    """See `ports.sessions.Sessions.create_session`."""
    fork, opening = new.forked_from, new.opening
    place = at(project_id=project_id, session_id=new.session_id)
    if transaction.first(statements.SELECT_BRANCH, place) is not None:
        return False
    if fork is not None:
        found = beats(transaction, project_id, fork.session_id, fork.beat, fork.beat)
        if [beat.hash for beat in found] != [fork.hash]:
            return False
    assert_project(transaction, project_id)
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
        "token_budget": new.token_budget,
        "tokens_spent": opening.tokens,
    }
    transaction.change(statements.INSERT_SESSION, row)
    if fork is not None:
        place = at(project_id=project_id, session_id=fork.session_id)
        transaction.change(statements.INHERIT_RUNS, place | {"fork_id": new.session_id, "fork_beat": fork.beat})
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
    deliberation_id: str | None,
    fail: FailPoint,
) -> Appended:
    """See `ports.sessions.Sessions.append`. `fail` is called between the statements that write."""
    place = at(project_id=project_id, session_id=session_id, key=None if answer is None else answer.key)
    if event is not None and _find_event(transaction, project_id, session_id, event.key) is not None:
        return Appended.KEY_TAKEN if _is_answered(transaction, place) else Appended.EVENT_TAKEN
    values = {
        "hash": new.hash,
        "beat": new.beat,
        "state": new.state,
        "status": new.status,
        "runs_started": int(new.starts_run is not None),
        "tokens": new.tokens,
    }
    before = place | at(beat=new.beat - 1, hash=expected_hash)
    if transaction.change(statements.MOVE_HEAD, before | values) == 0:
        return _why_not(transaction, place, expected_hash, new)
    fail(AFTER_HEAD)
    _insert_beat(transaction, project_id, session_id, new)
    fail(AFTER_BEAT)
    _insert_seats(transaction, project_id, session_id, new)
    fail(AFTER_SEATS)
    _note_runs(transaction, project_id, session_id, new)
    fail(AFTER_RUNS)
    row = {"project_id": project_id, "session_id": session_id, "beat": new.beat}
    if answer is not None:
        once = {"key": answer.key, "body_digest": answer.body_digest}
        transaction.change(statements.INSERT_ANSWER, row | once)
    if event is not None:
        once = {"event_id": event.key, "body_digest": event.body_digest}
        transaction.change(statements.INSERT_EVENT, row | once)
    fail(AFTER_ONCE)
    if deliberation_id is not None:
        _commit_deliberation(transaction, project_id, session_id, deliberation_id, expected_hash, new)
    fail(AFTER_DELIBERATION)
    return Appended.DONE


def _note_runs(transaction: Transaction, project_id: str, session_id: str, new: NewBeat) -> None:
    """Which episode run starts with the beat, and which one it ends."""
    place = at(project_id=project_id, session_id=session_id)
    if new.starts_run is not None:
        run = {"run_id": new.starts_run.run_id, "episode_id": new.starts_run.episode_id, "first_beat": new.beat}
        row = {"project_id": project_id, "session_id": session_id}
        transaction.change(statements.INSERT_RUN, place | row | run)
    if new.ends_run is not None:
        transaction.change(statements.END_RUN, place | at(run_id=new.ends_run) | {"last_beat": new.beat})


def _commit_deliberation(
    transaction: Transaction,
    project_id: str,
    session_id: str,
    deliberation_id: str,
    expected_hash: str,
    new: NewBeat,
) -> None:
    """Where the head was not moved since it was made, nothing else became of it either."""
    place = at(project_id=project_id, session_id=session_id, deliberation_id=deliberation_id, after_hash=expected_hash)
    committed = transaction.change(statements.COMMIT_DELIBERATION, place | {"committed_beat": new.beat})
    assert committed == 1, "a deliberation is committed at the head that it was made for"


def spend_tokens(transaction: Transaction, project_id: str, session_id: str, tokens: int) -> bool:
    """See `ports.sessions.Sessions.spend_tokens`."""
    place = at(project_id=project_id, session_id=session_id)
    return transaction.change(statements.SPEND_TOKENS, place | {"tokens": tokens}) == 1


def put_deliberation(transaction: Transaction, project_id: str, session_id: str, new: NewDeliberation) -> bool:
    """See `ports.deliberations.Deliberations.put_deliberation`."""
    row = {"project_id": project_id, "session_id": session_id, "deliberation_id": new.deliberation_id}
    if transaction.first(statements.SELECT_DELIBERATION, at(**row)) is not None:
        return False
    # Counting the tokens tells at once whether there is such a session.
    if not spend_tokens(transaction, project_id, session_id, new.tokens):
        return False
    made = {
        "after_beat": new.after_beat,
        "after_hash": new.after_hash,
        "committed_beat": None,
        "created_at": new.created_at,
        "request": new.request,
    }
    transaction.change(statements.INSERT_DELIBERATION, row | made)
    outcomes = [row | {"candidate": number, "outcome": outcome} for number, outcome in new.outcomes.items()]
    transaction.insert_each(statements.INSERT_OUTCOMES, outcomes)
    return True


def deliberation(
    transaction: Transaction, project_id: str, session_id: str, deliberation_id: str
) -> StoredDeliberation | None:
    """See `ports.deliberations.Deliberations.deliberation`."""
    place = at(project_id=project_id, session_id=session_id, deliberation_id=deliberation_id)
    row = transaction.first(statements.SELECT_DELIBERATION, place)
    if row is None:
        return None
    outcomes = {found.candidate: found.outcome for found in transaction.all(statements.SELECT_OUTCOMES, place)}
    return StoredDeliberation(deliberation_of(row), row.request, outcomes)


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
    """See `ports.sessions.Sessions.beats`."""
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
    """See `ports.sessions.Sessions.remembered`."""
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
    """See `ports.sessions.Sessions.standing`."""
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
