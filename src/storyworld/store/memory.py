"""A store in memory, for tests and for trying things out. It passes every test that the database passes.

It keeps the whole promise of the port but one: what it holds is gone with the process. Here are projects with their
keys, agents, packages and worlds; sessions are in `memory_sessions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from storyworld.application.ports import (
    DraftPut,
    FailPoint,
    NewDraft,
    Project,
    ProjectStore,
    RevisionSummary,
    StoredAgent,
    StoredDraft,
    StoredKey,
    StoredRevision,
    Work,
    WorkKind,
)
from storyworld.store.caps import ACTIVE_MAX
from storyworld.store.memory_sessions import MemorySessions, SessionRows
from storyworld.store.points import pass_by

T = TypeVar("T")


@dataclass
class _Rows:
    """All rows of one project, and the project itself. Its places are counted where it is told."""

    project: Project
    keys: dict[str, StoredKey] = field(default_factory=dict)
    agents: dict[str, StoredAgent] = field(default_factory=dict)
    works: dict[tuple[WorkKind, str], Work] = field(default_factory=dict)
    drafts: dict[tuple[WorkKind, str], StoredDraft] = field(default_factory=dict)
    revisions: dict[tuple[WorkKind, str], list[StoredRevision]] = field(default_factory=dict)
    sessions: dict[str, SessionRows] = field(default_factory=dict)

    def active(self, kind: WorkKind) -> int:
        """How many packages or worlds count."""
        return sum(work.kind is kind and not work.archived for work in self.works.values())

    def told(self) -> Project:
        """The project as it is now."""
        packages, worlds = self.active(WorkKind.PACKAGE), self.active(WorkKind.WORLD)
        return replace(self.project, active_packages=packages, active_worlds=worlds)


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
        """Create a project. False, and nothing changed, if its id is taken."""
        if project_id in self._projects:
            return False
        self._projects[project_id] = _Rows(Project(project_id, name, created_at, 0, 0))
        return True

    async def project(self, project_id: str) -> Project | None:
        """The project."""
        rows = self._projects.get(project_id)
        return None if rows is None else rows.told()

    async def projects(self, *, limit: int, after: str | None = None) -> Sequence[Project]:
        """Up to `limit` projects in the order of their ids, after the id `after`."""
        return [rows.told() for rows in _page(self._projects, limit, after)]

    async def close(self) -> None:
        """Nothing is open."""


def _page(rows: Mapping[str, T], limit: int, after: str | None) -> list[T]:
    return [rows[row_id] for row_id in sorted(row_id for row_id in rows if row_id > (after or ""))[:limit]]


class _MemoryProject(MemorySessions):
    """The rows of one project; see `ports.ProjectStore`."""

    def __init__(self, projects: dict[str, _Rows], project_id: str, fail: FailPoint) -> None:
        super().__init__(fail)
        self._projects = projects
        self._project_id = project_id

    @property
    def _rows(self) -> _Rows:
        """What there is to read: nothing where the project does not exist."""
        return self._projects.get(self._project_id) or _Rows(Project(self._project_id, "", "", 0, 0))

    def _rows_to_write(self) -> _Rows:
        assert self._project_id in self._projects, "rows are written into a project that exists"
        return self._projects[self._project_id]

    def _sessions(self) -> Mapping[str, SessionRows]:
        return self._rows.sessions

    def _sessions_to_write(self) -> dict[str, SessionRows]:
        return self._rows_to_write().sessions

    async def put_key(self, key: StoredKey) -> bool:
        keys = self._rows_to_write().keys
        return keys.setdefault(key.key_id, key) is key

    async def key(self, key_id: str) -> StoredKey | None:
        return self._rows.keys.get(key_id)

    async def keys(self, *, limit: int, after: str | None = None) -> Sequence[StoredKey]:
        return _page(self._rows.keys, limit, after)

    async def revoke_key(self, key_id: str, at: str) -> bool:
        key = self._rows.keys.get(key_id)
        if key is None or key.revoked_at is not None:
            return False
        self._rows.keys[key_id] = replace(key, revoked_at=at)
        return True

    async def put_agent(self, agent_id: str, content: bytes, created_at: str) -> int:
        agents = self._rows_to_write().agents
        before = agents.get(agent_id) or StoredAgent(agent_id, 0, content, created_at)
        agents[agent_id] = replace(before, revision=before.revision + 1, content=content)
        return agents[agent_id].revision

    async def agent(self, agent_id: str) -> StoredAgent | None:
        return self._rows.agents.get(agent_id)

    async def agents(self, *, limit: int, after: str | None = None) -> Sequence[StoredAgent]:
        return _page(self._rows.agents, limit, after)

    async def delete_agent(self, agent_id: str) -> bool:
        return self._rows.agents.pop(agent_id, None) is not None

    def _has_place(self, kind: WorkKind) -> bool:
        return self._rows.active(kind) < ACTIVE_MAX[kind]

    async def create_work(self, kind: WorkKind, work_id: str, created_at: str, draft: NewDraft | None = None) -> bool:
        rows = self._rows_to_write()
        if (kind, work_id) in rows.works:
            return True
        if not self._has_place(kind):
            return False
        rows.works[kind, work_id] = Work(work_id, kind, None, False, None, created_at, created_at)
        if draft is not None:
            self._save(kind, work_id, draft, created_at)
        return True

    async def work(self, kind: WorkKind, work_id: str) -> Work | None:
        return self._rows.works.get((kind, work_id))

    async def works(self, kind: WorkKind, *, limit: int, after: str | None = None) -> Sequence[Work]:
        of_kind = {work_id: work for (of, work_id), work in self._rows.works.items() if of is kind}
        return _page(of_kind, limit, after)

    async def set_archived(self, kind: WorkKind, work_id: str, archived: bool) -> bool:
        work = self._rows.works.get((kind, work_id))
        if work is None:
            return False
        if work.archived and not archived and not self._has_place(kind):
            return False
        self._rows.works[kind, work_id] = replace(work, archived=archived)
        return True

    async def draft(self, kind: WorkKind, work_id: str) -> StoredDraft | None:
        return self._rows.drafts.get((kind, work_id))

    async def put_draft(
        self, kind: WorkKind, work_id: str, draft: NewDraft, *, expected_etag: str | None, at: str
    ) -> DraftPut:
        work = self._rows.works.get((kind, work_id))
        if work is None:
            return DraftPut.UNKNOWN
        if work.draft_etag != expected_etag:
            return DraftPut.MISMATCH
        self._save(kind, work_id, draft, at)
        return DraftPut.SAVED

    def _save(self, kind: WorkKind, work_id: str, draft: NewDraft, at: str) -> None:
        rows = self._rows
        rows.drafts[kind, work_id] = StoredDraft(draft.content, draft.etag, at)
        rows.works[kind, work_id] = replace(rows.works[kind, work_id], draft_etag=draft.etag, updated_at=at)

    async def add_revision(
        self, kind: WorkKind, work_id: str, content: bytes, digest: str, created_at: str
    ) -> int | None:
        work = self._rows.works.get((kind, work_id))
        if work is None:
            return None
        number = (work.latest_revision or 0) + 1
        revisions = self._rows.revisions.setdefault((kind, work_id), [])
        revisions.append(StoredRevision(work_id, number, content, digest, created_at))
        self._rows.works[kind, work_id] = replace(work, latest_revision=number, updated_at=created_at)
        return number

    async def revision(self, kind: WorkKind, work_id: str, revision: int) -> StoredRevision | None:
        revisions = self._rows.revisions.get((kind, work_id), [])
        return revisions[revision - 1] if 1 <= revision <= len(revisions) else None

    async def revisions(
        self, kind: WorkKind, work_id: str, *, limit: int, after: int | None = None
    ) -> Sequence[RevisionSummary]:
        first = after or 0
        return _summaries(self._rows.revisions.get((kind, work_id), [])[first : first + limit])


def _summaries(revisions: Iterable[StoredRevision]) -> list[RevisionSummary]:
    return [
        RevisionSummary(stored.work_id, stored.revision, stored.digest, len(stored.content), stored.created_at)
        for stored in revisions
    ]
