"""Sessions in memory, with all that is stored under them. Which project they are of is known in `memory`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from storyworld.application.ports import (
    Appended,
    Deliberation,
    DeliberationStatus,
    FailPoint,
    ForkPoint,
    NewBeat,
    NewDeliberation,
    NewSession,
    Once,
    Standing,
    StoredAnswer,
    StoredBeat,
    StoredDeliberation,
    StoredRun,
    StoredSession,
)
from storyworld.store.lineage import Branch, Segment, segments
from storyworld.store.points import AFTER_COMMIT, BEFORE_COMMIT


@dataclass
class SessionRows:
    """A session with what is stored under it. The number of its first beat is that of `beats[0]`."""

    head: StoredSession
    beats: list[StoredBeat] = field(default_factory=list)
    seats: dict[str, list[int]] = field(default_factory=dict)
    answers: dict[str, StoredAnswer] = field(default_factory=dict)
    events: dict[str, StoredAnswer] = field(default_factory=dict)
    runs: list[StoredRun] = field(default_factory=list)
    deliberations: dict[str, StoredDeliberation] = field(default_factory=dict)

    def add(self, new: NewBeat) -> None:
        """Store a beat, its seats, and what it makes of episode runs."""
        self.beats.append(StoredBeat(self.head.session_id, new.beat, new.hash, new.record, new.replies))
        for role_id in new.seats:
            self.seats.setdefault(role_id, []).append(new.beat)
        if new.starts_run is not None:
            number = self.head.episode_runs + 1
            self.runs.append(StoredRun(number, new.starts_run.run_id, new.starts_run.episode_id, new.beat, None))
        self.runs = [replace(run, last_beat=new.beat) if run.run_id == new.ends_run else run for run in self.runs]

    def move(self, new: NewBeat) -> None:
        """Make a beat that was added the head."""
        self.head = replace(
            self.head,
            status=new.status,
            beat=new.beat,
            hash=new.hash,
            record=new.record,
            state=new.state,
            episode_runs=self.head.episode_runs + (new.starts_run is not None),
            tokens_spent=self.head.tokens_spent + new.tokens,
        )

    def told(self, stored: StoredDeliberation) -> StoredDeliberation:
        """A deliberation as it stands now."""
        summary = stored.summary
        if summary.committed_beat is None and summary.after_hash != self.head.hash:
            summary = replace(summary, status=DeliberationStatus.STALE)
        return replace(stored, summary=summary)


class MemorySessions(ABC):
    """The sessions of one project; see `ports.sessions.Sessions` and `ports.deliberations.Deliberations`."""

    def __init__(self, fail: FailPoint) -> None:
        """`fail` is called at the fail-points of an append, before and after it takes effect."""
        self._fail = fail

    @abstractmethod
    def _sessions(self) -> Mapping[str, SessionRows]:
        """What there is to read."""

    @abstractmethod
    def _sessions_to_write(self) -> dict[str, SessionRows]:
        """The same, of a project that exists."""

    async def create_session(self, new: NewSession) -> bool:
        """See `ports.sessions.Sessions.create_session`."""
        sessions = self._sessions_to_write()
        fork, opening = new.forked_from, new.opening
        if new.session_id in sessions:
            return False
        if fork is not None:
            at = await self.beats(fork.session_id, fork.beat, fork.beat)
            if [beat.hash for beat in at] != [fork.hash]:
                return False
        head = StoredSession(
            session_id=new.session_id,
            world_id=new.world_id,
            world_revision=new.world_revision,
            seed=new.seed,
            status=opening.status,
            beat=opening.beat,
            hash=opening.hash,
            record=opening.record,
            state=opening.state,
            episode_runs=new.episode_runs,
            forked_from=fork,
            token_budget=new.token_budget,
            tokens_spent=opening.tokens,
            created_at=opening.created_at,
        )
        rows = SessionRows(head)
        if fork is not None:
            rows.runs = _inherited(sessions[fork.session_id].runs, fork)
        rows.add(opening)
        sessions[new.session_id] = rows
        return True

    async def session(self, session_id: str) -> StoredSession | None:
        """See `ports.sessions.Sessions.session`."""
        rows = self._sessions().get(session_id)
        return None if rows is None else rows.head

    async def standing(
        self, session_id: str, *, key: str | None = None, event_id: str | None = None
    ) -> Standing | None:
        """See `ports.sessions.Sessions.standing`."""
        rows = self._sessions().get(session_id)
        if rows is None:
            return None
        answer = None if key is None else rows.answers.get(key)
        event = None if event_id is None else self._event(session_id, event_id)
        return Standing(rows.head, answer, event)

    async def sessions(self, *, limit: int, after: str | None = None) -> Sequence[StoredSession]:
        """See `ports.sessions.Sessions.sessions`."""
        found = sorted(session_id for session_id in self._sessions() if session_id > (after or ""))
        return [self._sessions()[session_id].head for session_id in found[:limit]]

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
        """See `ports.sessions.Sessions.append`."""
        rows = self._sessions().get(session_id)
        if rows is None:
            return Appended.STALE_HEAD
        if answer is not None and answer.key in rows.answers:
            return Appended.KEY_TAKEN
        if event is not None and self._event(session_id, event.key) is not None:
            return Appended.EVENT_TAKEN
        if rows.head.hash != expected_hash or rows.head.status != "active":
            return Appended.STALE_HEAD
        assert new.beat == rows.head.beat + 1, "a beat follows the head"
        deliberation = None if deliberation_id is None else _open_deliberation(rows, deliberation_id)
        self._fail(BEFORE_COMMIT)
        rows.add(new)
        for taken, once in ((rows.answers, answer), (rows.events, event)):
            if once is not None:
                taken[once.key] = StoredAnswer(once.key, once.body_digest, new.beat)
        if deliberation is not None:
            summary = replace(deliberation.summary, status=DeliberationStatus.COMMITTED, committed_beat=new.beat)
            rows.deliberations[summary.deliberation_id] = replace(deliberation, summary=summary)
        rows.move(new)
        self._fail(AFTER_COMMIT)
        return Appended.DONE

    async def spend_tokens(self, session_id: str, tokens: int) -> bool:
        """See `ports.sessions.Sessions.spend_tokens`."""
        rows = self._sessions().get(session_id)
        if rows is None:
            return False
        rows.head = replace(rows.head, tokens_spent=rows.head.tokens_spent + tokens)
        return True

    def _segments(self, session_id: str) -> Iterator[Segment]:
        def find(wanted: str) -> Branch | None:
            rows = self._sessions().get(wanted)
            if rows is None:
                return None
            fork = rows.head.forked_from
            if fork is None:
                return Branch(wanted, rows.head.beat, None, None)
            return Branch(wanted, rows.head.beat, fork.session_id, fork.beat)

        return segments(find, session_id)

    async def beats(self, session_id: str, first: int, last: int) -> Sequence[StoredBeat]:
        """See `ports.sessions.Sessions.beats`."""
        found: list[StoredBeat] = []
        for segment in reversed(list(self._segments(session_id))):
            stored = self._sessions()[segment.session_id].beats
            found += [beat for beat in stored if max(first, segment.first) <= beat.beat <= min(last, segment.last)]
        return found

    async def remembered(self, session_id: str, role_ids: Sequence[str], limit: int) -> Mapping[str, Sequence[bytes]]:
        """See `ports.sessions.Sessions.remembered`."""
        return {role_id: self._remembered(session_id, role_id, limit) for role_id in role_ids}

    def _remembered(self, session_id: str, role_id: str, limit: int) -> list[bytes]:
        newest_first: list[bytes] = []
        for segment in self._segments(session_id):
            rows = self._sessions()[segment.session_id]
            seated = [beat for beat in rows.seats.get(role_id, []) if beat <= segment.last]
            newest_first += [rows.beats[beat - segment.first].record for beat in reversed(seated)]
        return newest_first[:limit][::-1]

    def _event(self, session_id: str, event_id: str) -> StoredAnswer | None:
        for segment in self._segments(session_id):
            found = self._sessions()[segment.session_id].events.get(event_id)
            if found is not None and found.beat <= segment.last:
                return found
        return None

    def _runs(self, session_id: str) -> list[StoredRun]:
        rows = self._sessions().get(session_id)
        return [] if rows is None else rows.runs

    async def run(self, session_id: str, run_id: str) -> StoredRun | None:
        """See `ports.sessions.Sessions.run`."""
        return next((run for run in self._runs(session_id) if run.run_id == run_id), None)

    async def runs(self, session_id: str, *, limit: int, after: int | None = None) -> Sequence[StoredRun]:
        """See `ports.sessions.Sessions.runs`."""
        return [run for run in self._runs(session_id) if run.number > (after or 0)][:limit]

    async def put_deliberation(self, session_id: str, new: NewDeliberation) -> bool:
        """See `ports.deliberations.Deliberations.put_deliberation`."""
        rows = self._sessions().get(session_id)
        if rows is None or new.deliberation_id in rows.deliberations:
            return False
        summary = Deliberation(
            deliberation_id=new.deliberation_id,
            after_beat=new.after_beat,
            after_hash=new.after_hash,
            status=DeliberationStatus.OPEN,
            committed_beat=None,
            created_at=new.created_at,
        )
        rows.deliberations[new.deliberation_id] = StoredDeliberation(summary, new.request, dict(new.outcomes))
        return await self.spend_tokens(session_id, new.tokens)

    async def deliberation(self, session_id: str, deliberation_id: str) -> StoredDeliberation | None:
        """See `ports.deliberations.Deliberations.deliberation`."""
        rows = self._sessions().get(session_id)
        stored = None if rows is None else rows.deliberations.get(deliberation_id)
        return None if rows is None or stored is None else rows.told(stored)

    async def deliberations(self, session_id: str, *, limit: int, after: str | None = None) -> Sequence[Deliberation]:
        """See `ports.deliberations.Deliberations.deliberations`."""
        rows = self._sessions().get(session_id)
        if rows is None:
            return []
        found = sorted(one for one in rows.deliberations if one > (after or ""))
        return [rows.told(rows.deliberations[one]).summary for one in found[:limit]]


def _inherited(runs: Sequence[StoredRun], fork: ForkPoint) -> list[StoredRun]:
    """What a fork has of the runs of its parent. One that ended later goes on in the fork."""
    return [
        run if run.last_beat is not None and run.last_beat <= fork.beat else replace(run, last_beat=None)
        for run in runs
        if run.first_beat <= fork.beat
    ]


def _open_deliberation(rows: SessionRows, deliberation_id: str) -> StoredDeliberation:
    deliberation = rows.deliberations.get(deliberation_id)
    if deliberation is None or deliberation.summary.after_hash != rows.head.hash:
        raise AssertionError("a deliberation is committed at the head that it was made for")
    return deliberation
