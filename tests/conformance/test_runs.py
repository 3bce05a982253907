"""What every store promises of episode runs, of tokens, and of deliberations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from storyworld.application.ports import (
    Appended,
    Deliberation,
    DeliberationStatus,
    NewBeat,
    NewDeliberation,
    NewRun,
    ProjectStore,
    Store,
    StoredDeliberation,
    StoredRun,
)
from tests.conformance.conftest import Open, Run, together
from tests.store.stored import NOW, a_beat, a_fork, a_session, hash_of


def starting(session_id: str, beat: int, number: int) -> NewBeat:
    """A beat that starts a run of the episode `one`."""
    return replace(a_beat(session_id, beat), starts_run=NewRun(f"run-{number}", "one"))


def ending(session_id: str, beat: int, number: int) -> NewBeat:
    """A beat that ends a run."""
    return replace(a_beat(session_id, beat, "ann"), ends_run=f"run-{number}")


def a_deliberation(deliberation_id: str, after_beat: int, *, tokens: int = 0) -> NewDeliberation:
    """A deliberation of `ses` with two candidates; no store looks into it."""
    outcomes = {2: f"second of {deliberation_id}".encode(), 1: b"\x00\xff"}
    after = hash_of("ses", after_beat)
    return NewDeliberation(deliberation_id, after_beat, after, b"{asked \xff}", outcomes, NOW, tokens)


def append(run: Run, project: ProjectStore, session_id: str, new: NewBeat, *, expected: str | None = None) -> None:
    """Append a beat to the one before it."""
    expected_hash = expected or hash_of(session_id, new.beat - 1)
    assert run(project.append(session_id, expected_hash=expected_hash, new=new)) is Appended.DONE


def spent(run: Run, project: ProjectStore, session_id: str) -> int:
    """How many tokens a session has spent."""
    session = run(project.session(session_id))
    assert session is not None
    return session.tokens_spent


@pytest.fixture
def played(run: Run, project: ProjectStore) -> ProjectStore:
    """`ses` with beats 0 to 7: a run over beats 2 to 4, another one that goes on from beat 6."""
    run(project.create_session(a_session("ses")))
    for new in (
        a_beat("ses", 1),
        starting("ses", 2, 1),
        a_beat("ses", 3, "ann"),
        ending("ses", 4, 1),
        a_beat("ses", 5),
        starting("ses", 6, 2),
        a_beat("ses", 7, "ann"),
    ):
        append(run, project, "ses", new)
    return project


FIRST = StoredRun(1, "run-1", "one", 2, 4)
SECOND = StoredRun(2, "run-2", "one", 6, None)


def test_a_run_is_known_from_its_first_beat_to_its_last(run: Run, played: ProjectStore) -> None:
    assert run(played.run("ses", "run-1")) == FIRST
    assert run(played.run("ses", "run-2")) == SECOND
    append(run, played, "ses", ending("ses", 8, 2))
    assert run(played.run("ses", "run-1")) == FIRST
    assert run(played.run("ses", "run-2")) == replace(SECOND, last_beat=8)
    session = run(played.session("ses"))
    assert session is not None
    assert session.episode_runs == 2
    assert run(played.run("ses", "run-3")) is None
    assert run(played.run("never", "run-1")) is None


def test_runs_are_listed_in_the_order_of_their_numbers(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    for number in range(1, 13):
        append(run, project, "ses", starting("ses", 2 * number - 1, number))
        append(run, project, "ses", ending("ses", 2 * number, number))
    listed: list[StoredRun] = []
    while page := run(project.runs("ses", limit=5, after=listed[-1].number if listed else None)):
        assert len(page) <= 5
        listed += page
    assert listed == [StoredRun(n, f"run-{n}", "one", 2 * n - 1, 2 * n) for n in range(1, 13)]


@pytest.mark.parametrize(
    ("beat", "inherited"),
    [
        (1, []),
        (2, [replace(FIRST, last_beat=None)]),
        (3, [replace(FIRST, last_beat=None)]),
        (4, [FIRST]),
        (5, [FIRST]),
        (7, [FIRST, SECOND]),
    ],
)
def test_a_fork_inherits_the_runs_up_to_its_fork_point(
    run: Run, played: ProjectStore, beat: int, inherited: list[StoredRun]
) -> None:
    assert run(played.create_session(a_fork("fork", "ses", beat)))
    assert list(run(played.runs("fork", limit=9))) == inherited


def test_a_run_that_was_inherited_ends_in_each_worldline_by_itself(run: Run, played: ProjectStore) -> None:
    run(played.create_session(a_fork("fork", "ses", 6)))
    run(played.create_session(a_fork("fork of the fork", "fork", 7)))
    append(run, played, "fork", ending("fork", 8, 2))
    append(run, played, "ses", ending("ses", 8, 2))
    for beat in (9, 10):
        append(run, played, "fork of the fork", a_beat("fork of the fork", beat))
    append(run, played, "fork of the fork", ending("fork of the fork", 11, 2))
    for session_id, last in (("ses", 8), ("fork", 8), ("fork of the fork", 11)):
        assert list(run(played.runs(session_id, limit=9))) == [FIRST, replace(SECOND, last_beat=last)]


def test_runs_that_a_fork_starts_follow_those_that_it_inherited(run: Run, played: ProjectStore) -> None:
    run(played.create_session(a_fork("fork", "ses", 4)))
    append(run, played, "fork", starting("fork", 6, 2))
    assert list(run(played.runs("fork", limit=9))) == [FIRST, SECOND]
    assert run(played.run("ses", "run-2")) == SECOND


def test_the_tokens_of_beats_and_of_calls_that_committed_nothing_add_up(run: Run, project: ProjectStore) -> None:
    run(project.create_session(replace(a_session("ses"), token_budget=1000)))
    append(run, project, "ses", replace(a_beat("ses", 1), tokens=30))
    assert run(project.spend_tokens("ses", 5))
    append(run, project, "ses", a_beat("ses", 2))
    append(run, project, "ses", replace(a_beat("ses", 3), tokens=2**40))
    session = run(project.session("ses"))
    assert session is not None
    assert (session.token_budget, session.tokens_spent) == (1000, 2**40 + 35)
    assert not run(project.spend_tokens("never", 5))
    standing = run(project.standing("ses"))
    assert standing is not None
    assert standing.session == session
    assert list(run(project.sessions(limit=9))) == [session]


def test_tokens_that_are_spent_at_once_all_count(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    new = replace(a_beat("ses", 1), tokens=1000)
    done = run(
        together(
            *(project.spend_tokens("ses", tokens) for tokens in range(40)),
            project.append("ses", expected_hash=hash_of("ses", 0), new=new),
        )
    )
    assert all(done)
    assert spent(run, project, "ses") == 1000 + sum(range(40))


def test_a_fork_inherits_neither_tokens_nor_a_budget(run: Run, project: ProjectStore) -> None:
    run(project.create_session(replace(a_session("ses"), token_budget=1000)))
    run(project.spend_tokens("ses", 77))
    run(project.create_session(a_fork("free", "ses", 0)))
    run(project.create_session(replace(a_fork("bound", "ses", 0), token_budget=50)))
    found = {session.session_id: session for session in run(project.sessions(limit=9))}
    told = {name: (session.token_budget, session.tokens_spent) for name, session in found.items()}
    assert told == {"ses": (1000, 77), "free": (None, 0), "bound": (50, 0)}


def test_a_deliberation_is_read_as_it_was_stored(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    new = a_deliberation("del", 0, tokens=12)
    assert run(project.put_deliberation("ses", new))
    summary = Deliberation("del", 0, hash_of("ses", 0), DeliberationStatus.OPEN, None, NOW)
    assert run(project.deliberation("ses", "del")) == StoredDeliberation(summary, new.request, new.outcomes)
    assert list(run(project.deliberations("ses", limit=9))) == [summary]
    assert spent(run, project, "ses") == 12
    assert run(project.deliberation("ses", "never")) is None
    assert run(project.deliberation("never", "del")) is None
    assert list(run(project.deliberations("never", limit=9))) == []


def test_a_deliberation_is_stored_once_and_in_a_session_that_is_there(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    run(project.put_deliberation("ses", a_deliberation("del", 0, tokens=12)))
    assert not run(project.put_deliberation("ses", a_deliberation("del", 0, tokens=12)))
    assert not run(project.put_deliberation("never", a_deliberation("del", 0)))
    assert spent(run, project, "ses") == 12


def test_deliberations_are_listed_in_pages_in_the_order_of_their_ids(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    for deliberation_id in "edcba":
        run(project.put_deliberation("ses", a_deliberation(deliberation_id, 0)))
    listed: list[Deliberation] = []
    while page := run(project.deliberations("ses", limit=2, after=listed[-1].deliberation_id if listed else None)):
        assert len(page) <= 2
        listed += page
    assert [one.deliberation_id for one in listed] == list("abcde")


def test_the_deliberation_that_becomes_a_beat_is_committed_and_the_others_are_stale(
    run: Run, project: ProjectStore
) -> None:
    run(project.create_session(a_session("ses")))
    for deliberation_id in ("one", "two"):
        run(project.put_deliberation("ses", a_deliberation(deliberation_id, 0)))
    done = run(project.append("ses", expected_hash=hash_of("ses", 0), new=a_beat("ses", 1), deliberation_id="two"))
    assert done is Appended.DONE
    run(project.put_deliberation("ses", a_deliberation("late", 0)))
    run(project.put_deliberation("ses", a_deliberation("new", 1)))
    told = {one.deliberation_id: (one.status, one.committed_beat) for one in run(project.deliberations("ses", limit=9))}
    assert told == {
        "one": (DeliberationStatus.STALE, None),
        "two": (DeliberationStatus.COMMITTED, 1),
        "late": (DeliberationStatus.STALE, None),
        "new": (DeliberationStatus.OPEN, None),
    }
    for deliberation_id, (status, _) in told.items():
        whole = run(project.deliberation("ses", deliberation_id))
        assert whole is not None
        assert whole.summary.status is status


def test_a_beat_that_is_not_appended_leaves_its_deliberation_as_it_was(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    run(project.put_deliberation("ses", a_deliberation("del", 0)))
    append(run, project, "ses", a_beat("ses", 1))
    late = a_beat("ses", 1, of="late")
    stale = run(project.append("ses", expected_hash=hash_of("ses", 0), new=late, deliberation_id="del"))
    assert stale is Appended.STALE_HEAD
    (summary,) = run(project.deliberations("ses", limit=9))
    assert (summary.status, summary.committed_beat) == (DeliberationStatus.STALE, None)


@pytest.mark.parametrize("deliberation_id", ["del", "never"])
def test_to_commit_a_deliberation_elsewhere_than_where_it_was_made_is_a_bug(
    run: Run, project: ProjectStore, deliberation_id: str
) -> None:
    run(project.create_session(a_session("ses")))
    run(project.put_deliberation("ses", a_deliberation("del", 0)))
    append(run, project, "ses", a_beat("ses", 1))
    new = replace(a_beat("ses", 2), tokens=9)
    with pytest.raises(AssertionError, match="at the head that it was made for"):
        run(project.append("ses", expected_hash=hash_of("ses", 1), new=new, deliberation_id=deliberation_id))
    session = run(project.session("ses"))
    assert session is not None
    assert (session.beat, session.tokens_spent) == (1, 0)


def test_forks_inherit_no_deliberations(run: Run, project: ProjectStore) -> None:
    run(project.create_session(a_session("ses")))
    run(project.put_deliberation("ses", a_deliberation("del", 0)))
    run(project.create_session(a_fork("fork", "ses", 0)))
    assert run(project.deliberation("fork", "del")) is None
    assert list(run(project.deliberations("fork", limit=9))) == []


@pytest.mark.parametrize(("point", "committed"), [("K7.before", False), ("K7.after", True)])
def test_a_fault_around_the_commit_tears_neither_runs_nor_tokens_nor_deliberations_from_their_beat(
    run: Run, opening: Open, point: str, committed: bool
) -> None:
    armed = False

    def fail(reached: str) -> None:
        if armed and reached == point:
            raise ConnectionAbortedError(point)

    store = run(opening(fail))
    run(store.create_project("salt", "Salt", NOW))
    project = store.for_project("salt")
    run(project.create_session(a_session("ses")))
    append(run, project, "ses", starting("ses", 1, 1))
    run(project.put_deliberation("ses", a_deliberation("del", 1)))
    armed = True
    new = replace(ending("ses", 2, 1), tokens=40)
    with pytest.raises(ConnectionAbortedError):
        run(project.append("ses", expected_hash=hash_of("ses", 1), new=new, deliberation_id="del"))
    assert run(project.run("ses", "run-1")) == StoredRun(1, "run-1", "one", 1, 2 if committed else None)
    assert spent(run, project, "ses") == (40 if committed else 0)
    (summary,) = run(project.deliberations("ses", limit=9))
    assert summary.committed_beat == (2 if committed else None)
    run(store.close())


def test_runs_tokens_and_deliberations_of_another_project_look_as_if_they_never_were(
    run: Run, store: Store, played: ProjectStore
) -> None:
    run(played.put_deliberation("ses", a_deliberation("del", 7)))
    run(store.create_project("alum", "Alum", NOW))
    for stranger in (store.for_project("alum"), store.for_project("never")):
        assert run(stranger.run("ses", "run-1")) is None
        assert list(run(stranger.runs("ses", limit=9))) == []
        assert not run(stranger.spend_tokens("ses", 5))
        assert run(stranger.deliberation("ses", "del")) is None
        assert list(run(stranger.deliberations("ses", limit=9))) == []
        assert not run(stranger.put_deliberation("ses", a_deliberation("mine", 7)))
    assert spent(run, played, "ses") == 0
