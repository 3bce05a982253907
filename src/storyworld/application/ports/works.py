"""What authors write: agents, and packages and worlds with their drafts and revisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class WorkKind(StrEnum):
    """The two kinds of authored work that have a draft, numbered revisions and a cap of active ones per project."""

    PACKAGE = "package"
    WORLD = "world"


@dataclass(frozen=True, slots=True)
class StoredRevision:
    """One immutable revision: canonical bytes and their digest, as they were when published."""

    work_id: str
    revision: int
    content: bytes
    digest: str
    created_at: str


@dataclass(frozen=True, slots=True)
class RevisionSummary:
    """A revision without its content, of which only the size is told."""

    work_id: str
    revision: int
    digest: str
    size_bytes: int
    created_at: str


@dataclass(frozen=True, slots=True)
class Work:
    """A package or world: its latest revision (None before the first), whether it counts as active, and the etag of its
    draft (None where it has none). `updated_at` is when its draft was last saved or a revision was last published.
    """

    work_id: str
    kind: WorkKind
    latest_revision: int | None
    archived: bool
    draft_etag: str | None
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class NewDraft:
    """A draft to be saved: the canonical bytes of any JSON object, whatever its problems, and the digest of them."""

    content: bytes
    etag: str


@dataclass(frozen=True, slots=True)
class StoredDraft:
    """The one draft of a work, as it was last saved."""

    content: bytes
    etag: str
    updated_at: str


class DraftPut(StrEnum):
    """What came of saving a draft. Only `SAVED` changed anything."""

    SAVED = "saved"
    MISMATCH = "mismatch"  # another draft stands there than the one that was expected, or none
    UNKNOWN = "unknown"  # there is no such work


@dataclass(frozen=True, slots=True)
class StoredAgent:
    """An agent's current content (canonical bytes); each change adds one to its revision."""

    agent_id: str
    revision: int
    content: bytes
    created_at: str


class Works(Protocol):
    """The agents, packages and worlds of one project."""

    async def put_agent(self, agent_id: str, content: bytes, created_at: str) -> int:
        """Create the agent or replace its content; returns its revision, 1 for a new one."""
        ...

    async def agent(self, agent_id: str) -> StoredAgent | None:
        """The agent's current content."""
        ...

    async def agents(self, *, limit: int, after: str | None = None) -> Sequence[StoredAgent]:
        """Up to `limit` agents in the order of their ids, after the id `after`."""
        ...

    async def delete_agent(self, agent_id: str) -> bool:
        """Delete the agent; published worlds keep their copy of it. False when it is unknown."""
        ...

    async def create_work(self, kind: WorkKind, work_id: str, created_at: str, draft: NewDraft | None = None) -> bool:
        """Create a package or world without revisions, with its draft where one is given. False, and nothing changed,
        when the cap of active ones is met. A work of that id is left as it is.
        """
        ...

    async def work(self, kind: WorkKind, work_id: str) -> Work | None:
        """The package or world."""
        ...

    async def works(self, kind: WorkKind, *, limit: int, after: str | None = None) -> Sequence[Work]:
        """Up to `limit` packages or worlds in the order of their ids, after the id `after`."""
        ...

    async def set_archived(self, kind: WorkKind, work_id: str, archived: bool) -> bool:
        """Archive or restore. False, and nothing changed, when it is unknown or restoring would pass the cap."""
        ...

    async def draft(self, kind: WorkKind, work_id: str) -> StoredDraft | None:
        """The draft of a work; None where it has none."""
        ...

    async def put_draft(
        self, kind: WorkKind, work_id: str, draft: NewDraft, *, expected_etag: str | None, at: str
    ) -> DraftPut:
        """Save the draft in place of the one whose etag is `expected_etag`; None expects that there is none yet.

        Of writers that expect the same etag exactly one saves something else.
        """
        ...

    async def add_revision(
        self, kind: WorkKind, work_id: str, content: bytes, digest: str, created_at: str
    ) -> int | None:
        """Store the next immutable revision and return its number, from 1 without gaps; None for an unknown work."""
        ...

    async def revision(self, kind: WorkKind, work_id: str, revision: int) -> StoredRevision | None:
        """One revision, whole."""
        ...

    async def revisions(
        self, kind: WorkKind, work_id: str, *, limit: int, after: int | None = None
    ) -> Sequence[RevisionSummary]:
        """Up to `limit` revisions in the order of their numbers, after the number `after`; none for an unknown work."""
        ...
