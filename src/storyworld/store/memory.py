"""A store in memory, for tests and for trying things out. It passes every test that the database passes.

It keeps the whole promise of the port but one: what it holds is gone with the process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from storyworld.application.ports import (
    Appended,
    FailPoint,
    NewBeat,
    NewSession,
    Once,
    ProjectStore,
    Standing,
    StoredAgent,
    StoredAnswer,
    StoredBeat,
    StoredRevision,
    StoredSession,
    Work,
    WorkKind,
)
from storyworld.store.caps import ACTIVE_MAX
from storyworld.store.lineage import Branch, Segment, segments
from storyworld.store.points import AFTER_COMMIT, BEFORE_COMMIT, pass_by


@dataclass
class _SessionRows:
    """A session with what is stored under it. The number of its first beat is that of `beats[0]`."""

    head: StoredSession
    beats: list[StoredBeat] = field(default_factory=list)
    seats: dict[str, list[int]] = field(default_factory=dict)
    answers: dict[str, StoredAnswer] = field(default_factory=dict)
    events: dict[str, StoredAnswer] = field(default_factory=dict)

    def add(self, new: NewBeat) -> None:
        """Store a beat and its seats."""
        self.beats.append(StoredBeat(self.head.session_id, new.beat, new.hash, new.record, new.replies))
        for role_id in new.seats:
            self.seats.setdefault(role_id, []).append(new.beat)


@dataclass
class _Rows:
    """All rows of one project."""

    agents: dict[str, StoredAgent] = field(default_factory=dict)
    works: dict[tuple[WorkKind, str], Work] = field(default_factory=dict)
    revisions: dict[tuple[WorkKind, str], list[StoredRevision]] = field(default_factory=dict)
    sessions: dict[str, _SessionRows] = field(default_factory=dict)


class MemoryStore:
    """The whole store. Its methods never wait in the middle, so each is one transaction by itself."""

    def __init__(self, fail: FailPoint = pass_by) -> None:
        """`fail` is called at the fail-points of an append, before and after it takes effect."""
        self._projects: dict[str, _Rows] = {}
        self._fail = fail

    def for_project(self, project_id: str) -> ProjectStore:
        """The rows of one project. It need not exist: then every row is absent."""
        return _MemoryProject(self._projects, project_id, self._fail)

    async def create_project(self, project_id: str, name: str, created_at: str) -> bool:
        """Create a project. False, and nothing changed, if its id is taken. Its name is not kept: nothing reads it."""
        if project_id in self._projects:
            return False
        self._projects[project_id] = _Rows()
        return True

    async def project_ids(self) -> Sequence[str]:
        """Every project's id, in order."""
        return sorted(self._projects)

    async def close(self) -> None:
        """Nothing is open."""


class _MemoryProject:
    """The rows of one project; see `ports.ProjectStore`."""

    def __init__(self, projects: dict[str, _Rows], project_id: str, fail: FailPoint) -> None:
        self._projects = projects
        self._project_id = project_id
        self._fail = fail

    @property
    def _rows(self) -> _Rows:
        """What there is to read: nothing where the project does not exist."""
        return self._projects.get(self._project_id) or _Rows()

    def _rows_to_write(self) -> _Rows:
        assert self._project_id in self._projects, "rows are written into a project that exists"
        return self._projects[self._project_id]

    async def put_agent(self, agent_id: str, content: bytes, created_at: str) -> int:
        agents = self._rows_to_write().agents
        before = agents.get(agent_id) or StoredAgent(agent_id, 0, content, created_at)
        agents[agent_id] = replace(before, revision=before.revision + 1, content=content)
        return agents[agent_id].revision

    async def agent(self, agent_id: str) -> StoredAgent | None:
        return self._rows.agents.get(agent_id)

    def _has_place(self, kind: WorkKind) -> bool:
        active = sum(work.kind is kind and not work.archived for work in self._rows.works.values())
        return active < ACTIVE_MAX[kind]

    async def create_work(self, kind: WorkKind, work_id: str, created_at: str) -> bool:
        works = self._rows_to_write().works
        if (kind, work_id) in works:
            return True
        if not self._has_place(kind):
            return False
        works[kind, work_id] = Work(work_id, kind, None, archived=False, created_at=created_at)
        return True

    async def work(self, kind: WorkKind, work_id: str) -> Work | None:
        return self._rows.works.get((kind, work_id))

    async def set_archived(self, kind: WorkKind, work_id: str, archived: bool) -> bool:
        work = self._rows.works.get((kind, work_id))
        if work is None:
            return False
        if work.archived and not archived and not self._has_place(kind):
            return False
        self._rows.works[kind, work_id] = replace(work, archived=archived)
        return True

    async def add_revision(
        self, kind: WorkKind, work_id: str, content: bytes, digest: str, created_at: str
    ) -> int | None:
        work = self._rows.works.get((kind, work_id))
        if work is None:
            return None
        number = (work.latest_revision or 0) + 1
        revisions = self._rows.revisions.setdefault((kind, work_id), [])
        revisions.append(StoredRevision(work_id, number, content, digest, created_at))
        self._rows.works[kind, work_id] = replace(work, latest_revision=number)
        return number

    async def revision(self, kind: WorkKind, work_id: str, revision: int) -> StoredRevision | None:
        revisions = self._rows.revisions.get((kind, work_id), [])
        return revisions[revision - 1] if 1 <= revision <= len(revisions) else None

    async def works(self, kind: WorkKind, *, limit: int, after: str | None = None) -> Sequence[Work]:
        found = sorted(work_id for of, work_id in self._rows.works if of is kind and work_id > (after or ""))
        return [self._rows.works[kind, work_id] for work_id in found[:limit]]

    async def create_session(self, new: NewSession) -> bool:
        sessions = self._rows_to_write().sessions
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
            created_at=opening.created_at,
        )
        rows = _SessionRows(head)
        rows.add(opening)
        sessions[new.session_id] = rows
        return True

    async def session(self, session_id: str) -> StoredSession | None:
        rows = self._rows.sessions.get(session_id)
        return None if rows is None else rows.head

    async def standing(
        self, session_id: str, *, key: str | None = None, event_id: str | None = None
    ) -> Standing | None:
        rows = self._rows.sessions.get(session_id)
        if rows is None:
            return None
        answer = None if key is None else rows.answers.get(key)
        event = None if event_id is None else self._event(session_id, event_id)
        return Standing(rows.head, answer, event)

    async def sessions(self, *, limit: int, after: str | None = None) -> Sequence[StoredSession]:
        found = sorted(session_id for session_id in self._rows.sessions if session_id > (after or ""))
        return [self._rows.sessions[session_id].head for session_id in found[:limit]]

    async def append(
        self,
        session_id: str,
        *,
        expected_hash: str,
        new: NewBeat,
        answer: Once | None = None,
        event: Once | None = None,
        starts_run: bool = False,
    ) -> Appended:
        rows = self._rows.sessions.get(session_id)
        if rows is None:
            return Appended.STALE_HEAD
        if answer is not None and answer.key in rows.answers:
            return Appended.KEY_TAKEN
        if event is not None and self._event(session_id, event.key) is not None:
            return Appended.EVENT_TAKEN
        if rows.head.hash != expected_hash or rows.head.status != "active":
            return Appended.STALE_HEAD
        assert new.beat == rows.head.beat + 1, "a beat follows the head"
        self._fail(BEFORE_COMMIT)
        rows.add(new)
        for taken, once in ((rows.answers, answer), (rows.events, event)):
            if once is not None:
                taken[once.key] = StoredAnswer(once.key, once.body_digest, new.beat)
        rows.head = replace(
            rows.head,
            status=new.status,
            beat=new.beat,
            hash=new.hash,
            record=new.record,
            state=new.state,
            episode_runs=rows.head.episode_runs + starts_run,
        )
        self._fail(AFTER_COMMIT)
        return Appended.DONE

    def _segments(self, session_id: str) -> Iterator[Segment]:
        def find(wanted: str) -> Branch | None:
            rows = self._rows.sessions.get(wanted)
            if rows is None:
                return None
            fork = rows.head.forked_from
            if fork is None:
                return Branch(wanted, rows.head.beat, None, None)
            return Branch(wanted, rows.head.beat, fork.session_id, fork.beat)

        return segments(find, session_id)

    async def beats(self, session_id: str, first: int, last: int) -> Sequence[StoredBeat]:
        found: list[StoredBeat] = []
        for segment in reversed(list(self._segments(session_id))):
            stored = self._rows.sessions[segment.session_id].beats
            found += [beat for beat in stored if max(first, segment.first) <= beat.beat <= min(last, segment.last)]
        return found

    async def remembered(self, session_id: str, role_ids: Sequence[str], limit: int) -> Mapping[str, Sequence[bytes]]:
        return {role_id: self._remembered(session_id, role_id, limit) for role_id in role_ids}

    def _remembered(self, session_id: str, role_id: str, limit: int) -> list[bytes]:
        newest_first: list[bytes] = []
        for segment in self._segments(session_id):
            rows = self._rows.sessions[segment.session_id]
            seated = [beat for beat in rows.seats.get(role_id, []) if beat <= segment.last]
            newest_first += [rows.beats[beat - segment.first].record for beat in reversed(seated)]
        return newest_first[:limit][::-1]

    def _event(self, session_id: str, event_id: str) -> StoredAnswer | None:
        for segment in self._segments(session_id):
            found = self._rows.sessions[segment.session_id].events.get(event_id)
            if found is not None and found.beat <= segment.last:
                return found
        return None
