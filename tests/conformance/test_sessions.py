"""What every store promises of sessions and their beats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from storyworld.application.ports import (
    Appended,
    ForkPoint,
    NewBeat,
    NewRun,
    Once,
    ProjectStore,
    StoredAnswer,
    StoredBeat,
    StoredSession,
)
from storyworld.core import limits
from tests.conformance.conftest import Open, Run, together
from tests.store.stored import a_beat, a_fork, a_session, hash_of


def append_all(run: Run, project: ProjectStore, session_id: str, *beats: NewBeat) -> None:
    """Append beats one after the other; the first one's predecessor is the session's head."""
    head = run(project.session(session_id))
    assert head is not None
    expected = head.hash
    for beat in beats:
        assert run(project.append(session_id, expected_hash=expected, new=beat)) is Appended.DONE
        expected = beat.hash


def stored(session_id: str, beat: NewBeat) -> StoredBeat:
    """What is read of a beat that was written."""
    return StoredBeat(session_id, beat.beat, beat.hash, beat.record, beat.replies)


def numbers(beats: object) -> list[tuple[str, int]]:
    """Where beats were stored, and their numbers."""
    assert isinstance(beats, list)
    return [(beat.session_id, beat.beat) for beat in beats]


def answered(run: Run, project: ProjectStore, session_id: str, key: str) -> StoredAnswer | None:
    """What a key led to in a session."""
    standing = run(project.standing(session_id, key=key))
    assert standing is not None
    assert standing.event is None
    return standing.answer


def accepted(run: Run, project: ProjectStore, session_id: str, event_id: str) -> StoredAnswer | None:
    """What an event id led to in a session."""
    standing = run(project.standing(session_id, event_id=event_id))
    assert standing is not None
    assert standing.answer is None
    return standing.event


def remembered(run: Run, project: ProjectStore, session_id: str, role_id: str, limit: int) -> list[bytes]:
    """What one role remembers."""
    found = run(project.remembered(session_id, [role_id], limit))
    assert list(found) == [role_id]
    return list(found[role_id])


def test_a_session_begins_with_its_opening(run: Run, project: ProjectStore) -> None:
    new = a_session("ses", seed=limits.SEED_MAX.value)
    assert run(project.create_session(new))
    assert run(project.session("ses")) == StoredSession(
        session_id="ses",
        world_id="world",
        world_revision=3,
        seed=2**53 - 1,
        status="active",
        beat=0,
        hash=new.opening.hash,
        record=new.opening.record,
        state=new.opening.state,
        episode_runs=0,
        forked_from=None,
        token_budget=None,
        tokens_spent=0,
        created_at=new.opening.created_at,
    )
    assert list(run(project.beats("ses", 0, 0))) == [stored("ses", new.opening)]


def test_an_id_is_taken_once(run: Run, project: ProjectStore) -> None:
    assert run(project.create_session(a_session("ses")))
    assert not run(project.create_session(a_session("ses", seed=8)))
    session = run(project.session("ses"))
    assert session is not None
    assert session.seed == 7


def test_an_appended_beat_is_the_new_head(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    new = a_beat("ses", 1, "ann", "bo")
    assert run(project.append("ses", expected_hash=hash_of("ses", 0), new=new)) is Appended.DONE
    head = run(project.session("ses"))
    assert head is not None
    assert (head.beat, head.hash, head.record, head.state) == (1, new.hash, new.record, new.state)
    assert list(run(project.beats("ses", 1, 1))) == [stored("ses", new)]


def test_bytes_come_back_as_they_were_whatever_they_are(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    every_byte = bytes(range(256)) * 40
    new = replace(a_beat("ses", 1), record=every_byte, replies="汉字 🜁 ﷽ e\u0301".encode(), state=b"")
    append_all(run, project, "ses", new)
    head = run(project.session("ses"))
    assert head is not None
    assert (head.record, head.state) == (every_byte, b"")
    assert list(run(project.beats("ses", 1, 1))) == [stored("ses", new)]


def test_a_stale_head_changes_nothing(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    append_all(run, project, "ses", a_beat("ses", 1, "ann"))
    before = run(project.session("ses"))
    late = replace(a_beat("ses", 1, "bo", of="late"), tokens=9, starts_run=NewRun("run-1", "one"))
    once = Once("key", "digest")
    appended = run(project.append("ses", expected_hash=hash_of("ses", 0), new=late, answer=once, event=once))
    assert appended is Appended.STALE_HEAD
    assert run(project.session("ses")) == before
    assert list(run(project.beats("ses", 0, 9)))[1:] == [stored("ses", a_beat("ses", 1, "ann"))]
    assert remembered(run, project, "ses", "bo", 9) == []
    assert answered(run, project, "ses", "key") is None
    assert accepted(run, project, "ses", "key") is None
    assert list(run(project.runs("ses", limit=9))) == []


def test_nothing_is_appended_to_an_ended_session(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    append_all(run, project, "ses", a_beat("ses", 1, status="ended"))
    head = run(project.session("ses"))
    assert head is not None
    assert head.status == "ended"
    after = run(project.append("ses", expected_hash=head.hash, new=a_beat("ses", 2)))
    assert after is Appended.STALE_HEAD
    assert run(project.session("ses")) == head


def test_nothing_is_appended_to_a_session_that_never_was(run: Run, project: ProjectStore) -> None:
    appended = run(project.append("ses", expected_hash=hash_of("ses", 0), new=a_beat("ses", 1)))
    assert appended is Appended.STALE_HEAD
    assert run(project.session("ses")) is None


def test_a_beat_that_does_not_follow_the_head_is_a_bug(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    with pytest.raises(AssertionError, match="a beat follows the head"):
        run(project.append("ses", expected_hash=hash_of("ses", 0), new=a_beat("ses", 2)))
    assert len(run(project.beats("ses", 0, 9))) == 1


def test_of_beats_appended_at_once_exactly_one_is_committed(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    rivals = [a_beat("ses", 1, f"role-{rival}", of=str(rival)) for rival in range(12)]
    answers = [Once(f"key-{rival}", "digest") for rival in range(12)]
    head = hash_of("ses", 0)
    outcomes = run(
        together(
            *(
                project.append("ses", expected_hash=head, new=new, answer=answer)
                for new, answer in zip(rivals, answers, strict=True)
            )
        )
    )
    assert sorted(outcomes) == [Appended.DONE, *[Appended.STALE_HEAD] * 11]
    winner = outcomes.index(Appended.DONE)
    assert list(run(project.beats("ses", 1, 9))) == [stored("ses", rivals[winner])]
    known = [answer.key for answer in answers if answered(run, project, "ses", answer.key) is not None]
    assert known == [f"key-{winner}"]


def test_a_retry_finds_the_answer_of_its_key(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    once = Once("key", "digest")
    head = hash_of("ses", 0)
    assert run(project.append("ses", expected_hash=head, new=a_beat("ses", 1), answer=once)) is Appended.DONE
    assert answered(run, project, "ses", "key") == StoredAnswer("key", "digest", 1)
    retried = run(project.append("ses", expected_hash=head, new=a_beat("ses", 1), answer=once))
    assert retried is Appended.KEY_TAKEN


def test_a_key_leads_to_one_beat_even_at_the_head(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    once = Once("key", "digest")
    run(project.append("ses", expected_hash=hash_of("ses", 0), new=a_beat("ses", 1), answer=once))
    again = run(
        project.append("ses", expected_hash=hash_of("ses", 1), new=a_beat("ses", 2), answer=Once("key", "another"))
    )
    assert again is Appended.KEY_TAKEN
    head = run(project.session("ses"))
    assert head is not None
    assert head.beat == 1
    assert answered(run, project, "ses", "key") == StoredAnswer("key", "digest", 1)


def test_an_event_is_accepted_once(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    once = Once("door-opened", "digest")
    run(project.append("ses", expected_hash=hash_of("ses", 0), new=a_beat("ses", 1), event=once))
    assert accepted(run, project, "ses", "door-opened") == StoredAnswer("door-opened", "digest", 1)
    again = run(project.append("ses", expected_hash=hash_of("ses", 1), new=a_beat("ses", 2), event=once))
    assert again is Appended.EVENT_TAKEN
    assert len(run(project.beats("ses", 0, 9))) == 2


def test_keys_and_events_belong_to_their_session(run: Run, project: ProjectStore) -> None:
    once = Once("same", "digest")
    for session_id in ("one", "two"):
        run(project.create_session(a_session(session_id)))
        appended = run(
            project.append(
                session_id, expected_hash=hash_of(session_id, 0), new=a_beat(session_id, 1), answer=once, event=once
            )
        )
        assert appended is Appended.DONE


def test_beats_are_read_in_order_and_only_those_asked_for(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    append_all(run, project, "ses", *(a_beat("ses", beat) for beat in range(1, 12)))
    assert [beat.beat for beat in run(project.beats("ses", 0, 99))] == list(range(12))
    assert [beat.beat for beat in run(project.beats("ses", 9, 11))] == [9, 10, 11]
    assert list(run(project.beats("ses", 12, 20))) == []
    assert list(run(project.beats("ses", 5, 4))) == []
    assert list(run(project.beats("never", 0, 9))) == []


def test_a_role_remembers_the_last_beats_in_which_it_had_a_seat(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    beats = [a_beat("ses", beat, "ann", *(["bo"] if beat % 3 == 0 else [])) for beat in range(1, 13)]
    append_all(run, project, "ses", *beats)
    records = {beat.beat: beat.record for beat in beats}
    assert remembered(run, project, "ses", "ann", 3) == [records[10], records[11], records[12]]
    assert remembered(run, project, "ses", "bo", 3) == [records[6], records[9], records[12]]
    assert remembered(run, project, "ses", "bo", 99) == [records[beat] for beat in (3, 6, 9, 12)]
    assert remembered(run, project, "ses", "cy", 3) == []
    assert remembered(run, project, "never", "ann", 3) == []


@pytest.fixture
def forks(run: Run, project: ProjectStore) -> ProjectStore:
    """A chain of three: `old` with beats 0 to 6, `mid` that left it after 4, `new` that left `mid` after 6."""
    run(project.create_session(a_session("old")))
    append_all(run, project, "old", *(a_beat("old", beat, "ann", "bo") for beat in range(1, 7)))
    assert run(project.create_session(a_fork("mid", "old", 4)))
    append_all(run, project, "mid", *(a_beat("mid", beat, "ann") for beat in range(6, 9)))
    assert run(project.create_session(a_fork("new", "mid", 6)))
    append_all(run, project, "new", *(a_beat("new", beat, "ann") for beat in range(8, 10)))
    return project


CHAIN = [*(("old", beat) for beat in range(5)), ("mid", 5), ("mid", 6), ("new", 7), ("new", 8), ("new", 9)]


def test_beats_before_a_fork_are_read_through_the_parents(run: Run, forks: ProjectStore) -> None:
    assert numbers(list(run(forks.beats("new", 0, 99)))) == CHAIN
    assert numbers(list(run(forks.beats("new", 4, 7)))) == CHAIN[4:8]
    assert numbers(list(run(forks.beats("old", 0, 99)))) == [("old", beat) for beat in range(7)]


def test_a_fork_tells_where_it_left_and_keeps_count_of_runs(run: Run, forks: ProjectStore) -> None:
    session = run(forks.session("new"))
    assert session is not None
    assert session.forked_from == ForkPoint("mid", 6, hash_of("mid", 6))
    assert session.episode_runs == 1


def test_a_fork_remembers_what_its_parents_lived_through(run: Run, forks: ProjectStore) -> None:
    records = {("old", n): a_beat("old", n, "ann", "bo").record for n in range(7)}
    records |= {(name, n): a_beat(name, n).record for name in ("mid", "new") for n in range(5, 10)}
    # The openings of forks have no seats, so 5 and 7 are not among them.
    lived = [("old", 1), ("old", 2), ("old", 3), ("old", 4), ("mid", 6), ("new", 8), ("new", 9)]
    assert remembered(run, forks, "new", "ann", 99) == [records[place] for place in lived]
    assert remembered(run, forks, "new", "ann", 4) == [records[place] for place in lived[-4:]]
    assert remembered(run, forks, "new", "ann", 1) == [records["new", 9]]
    assert remembered(run, forks, "new", "bo", 2) == [records["old", 3], records["old", 4]]


def test_what_the_parent_lives_through_after_the_fork_stays_with_it(run: Run, forks: ProjectStore) -> None:
    append_all(run, forks, "old", a_beat("old", 7, "bo"))
    assert remembered(run, forks, "new", "bo", 1) == [a_beat("old", 4).record]
    assert numbers(list(run(forks.beats("new", 0, 99)))) == CHAIN


def test_a_fork_at_a_beat_that_was_itself_inherited(run: Run, forks: ProjectStore) -> None:
    assert run(forks.create_session(a_fork("early", "new", 2, of="old")))
    assert numbers(list(run(forks.beats("early", 0, 99)))) == [("old", 0), ("old", 1), ("old", 2), ("early", 3)]
    assert remembered(run, forks, "early", "bo", 9) == [a_beat("old", beat).record for beat in (1, 2)]


def test_a_fork_needs_a_beat_of_its_parent_with_that_hash(run: Run, forks: ProjectStore) -> None:
    assert not run(forks.create_session(a_fork("stray", "old", 9)))
    assert not run(forks.create_session(a_fork("stray", "never", 1)))
    assert not run(forks.create_session(a_fork("stray", "old", 5, of="mid")))
    assert run(forks.session("stray")) is None


def test_a_fork_inherits_the_events_up_to_its_fork_point_but_no_keys(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("old")))
    for beat in (1, 2):
        once = Once(f"event-{beat}", "digest")
        new = a_beat("old", beat)
        run(project.append("old", expected_hash=hash_of("old", beat - 1), new=new, answer=once, event=once))
    run(project.create_session(a_fork("mid", "old", 1)))
    run(project.create_session(a_fork("new", "mid", 2)))
    for session_id in ("mid", "new"):
        assert accepted(run, project, session_id, "event-1") == StoredAnswer("event-1", "digest", 1)
        assert accepted(run, project, session_id, "event-2") is None
        assert answered(run, project, session_id, "event-1") is None
    again = run(
        project.append("new", expected_hash=hash_of("new", 3), new=a_beat("new", 4), event=Once("event-1", "digest"))
    )
    assert again is Appended.EVENT_TAKEN
    fresh = run(
        project.append("new", expected_hash=hash_of("new", 3), new=a_beat("new", 4), event=Once("event-2", "digest"))
    )
    assert fresh is Appended.DONE


def test_sessions_are_listed_in_pages_in_the_order_of_their_ids(run: Run, project: ProjectStore) -> None:
    ids = ["Zed", "a-1", "a-10", "a-2", "b", "é", "汉"]
    for session_id in reversed(ids):
        run(project.create_session(a_session(session_id)))
    listed: list[str] = []
    after = None
    while page := run(project.sessions(limit=3, after=after)):
        assert [run(project.session(session.session_id)) for session in page] == list(page)
        listed += [session.session_id for session in page]
        after = page[-1].session_id
    assert listed == ids


def test_a_fault_before_the_commit_changes_nothing_and_one_after_it_takes_nothing_back(run: Run, opening: Open) -> None:
    for point, committed in (("K7.before", False), ("K7.after", True)):

        def fail(reached: str, at: str = point) -> None:
            if reached == at:
                raise ConnectionAbortedError(at)

        store = run(opening(fail))
        run(store.create_project("salt", "Salt", "now"))
        project = store.for_project("salt")
        run(project.create_session(a_session(point)))
        once = Once("key", "digest")
        with pytest.raises(ConnectionAbortedError):
            run(project.append(point, expected_hash=hash_of(point, 0), new=a_beat(point, 1, "ann"), answer=once))
        assert len(run(project.beats(point, 0, 9))) == 1 + committed
        assert len(remembered(run, project, point, "ann", 9)) == int(committed)
        assert (answered(run, project, point, "key") is not None) is committed
        run(store.close())
