"""Packages and worlds between editing and publishing: drafts, revisions, archive.

A draft is whatever an author has saved, with all its problems; nothing but an author reads it. The etag of a draft is
the digest of its bytes, and a draft is replaced only by somebody who says which one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from storyworld.application.faults import faults_refused
from storyworld.application.house import House, reading_rows
from storyworld.application.ports import (
    DraftPut,
    NewDraft,
    ProjectStore,
    RevisionSummary,
    StoredDraft,
    StoredRevision,
    Work,
    WorkKind,
)
from storyworld.application.publish import Published, cap_refusal, judge_for_publishing, publish, unknown
from storyworld.core.canonical import canonical_bytes, digest, read_stored
from storyworld.core.errors import Problem, Refusal, refusal


@dataclass(frozen=True, slots=True)
class Judgement:
    """What publishing would say of content: its problems (at most 1,000 are told) or, without any, its warnings.

    `size_bytes` and `digest` are those of what would be stored; of a world with problems they are 0 and empty.
    """

    problems: tuple[Problem, ...]
    more_problems: int
    warnings: tuple[Problem, ...]
    size_bytes: int
    digest: str


@dataclass(frozen=True, slots=True)
class DraftView:
    """A saved draft, its etag, and what publishing it would say."""

    work_id: str
    etag: str
    content: dict[str, Any]
    updated_at: str
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Created:
    """A new package or world: its draft and, where content was published with it, its first revision."""

    work_id: str
    etag: str
    judgement: Judgement
    published: Published | None


async def judge_content(house: House, project_id: str, kind: WorkKind, content: object) -> Judgement:
    """What publishing the content would say. Raises StoreError where a world's package or agents cannot be read."""
    judged = await judge_for_publishing(house.project(project_id), kind, content)
    return Judgement(judged.problems, judged.more_problems, judged.warnings, judged.size_bytes, judged.digest)


@faults_refused
async def validate(house: House, project_id: str, kind: WorkKind, content: object) -> Judgement | Refusal:
    """The judgement of content that may be published, or the very refusal that publishing it gives."""
    judged = await judge_for_publishing(house.project(project_id), kind, content)
    if judged.refused is not None:
        return judged.refused
    return Judgement((), 0, judged.warnings, judged.size_bytes, judged.digest)


@faults_refused
async def create_published(house: House, project_id: str, kind: WorkKind, content: object) -> Created | Refusal:
    """Create a package or world with its first revision, and with the same content as its draft. Refusals as
    `publish.publish`, and nothing is stored.
    """
    draft = new_draft(content)
    published = await publish(house, project_id, kind, content, draft=draft)
    if isinstance(published, Refusal):
        return published
    judgement = Judgement((), 0, published.warnings, published.size_bytes, published.digest)
    return Created(published.work_id, draft.etag, judgement, published)


@faults_refused
async def create_draft(house: House, project_id: str, kind: WorkKind, content: dict[str, Any]) -> Created | Refusal:
    """Create a package or world that has a draft only, whatever its problems. Refusal: that of the cap."""
    draft = new_draft(content)
    work_id = house.identity.new_id(_PREFIXES[kind])
    if not await house.project(project_id).create_work(kind, work_id, house.clock.now(), draft):
        return cap_refusal(kind)
    return Created(work_id, draft.etag, await judge_content(house, project_id, kind, content), None)


_PREFIXES = {WorkKind.PACKAGE: "pkg", WorkKind.WORLD: "wld"}


def new_draft(content: object) -> NewDraft:
    """A draft as it is stored."""
    written = canonical_bytes(content)
    return NewDraft(written, digest(written))


@faults_refused
async def read_work(house: House, project_id: str, kind: WorkKind, work_id: str) -> Work | Refusal:
    """One package or world. Refusal: `package_unknown`, `world_unknown`."""
    return await house.project(project_id).work(kind, work_id) or unknown(kind)


@faults_refused
async def list_works(
    house: House, project_id: str, kind: WorkKind, limit: int, after: str | None
) -> Sequence[Work] | Refusal:
    """Up to `limit` packages or worlds in the order of their ids, after the id `after`."""
    return await house.project(project_id).works(kind, limit=limit, after=after)


@faults_refused
async def read_draft(house: House, project_id: str, kind: WorkKind, work_id: str) -> DraftView | Refusal:
    """The draft, and what publishing it would say. Refusals: the work is unknown; `draft_missing`."""
    stored = await _draft(house.project(project_id), kind, work_id)
    if isinstance(stored, Refusal):
        return stored
    with reading_rows():
        content = read_stored(stored.content)
    judgement = await judge_content(house, project_id, kind, content)
    return DraftView(work_id, stored.etag, content, stored.updated_at, judgement)


async def _draft(project: ProjectStore, kind: WorkKind, work_id: str) -> StoredDraft | Refusal:
    stored = await project.draft(kind, work_id)
    if stored is not None:
        return stored
    return unknown(kind) if await project.work(kind, work_id) is None else refusal("draft_missing")


@faults_refused
async def save_draft(
    house: House, project_id: str, kind: WorkKind, work_id: str, content: dict[str, Any], *, expected_etag: str | None
) -> DraftView | Refusal:
    """Save the draft in place of the one with `expected_etag`; None expects that there is none yet.

    Refusals: the work is unknown; `etag_differs`, with the etag of the draft that stands there.
    """
    draft = new_draft(content)
    now = house.clock.now()
    project = house.project(project_id)
    put = await project.put_draft(kind, work_id, draft, expected_etag=expected_etag, at=now)
    if put is DraftPut.UNKNOWN:
        return unknown(kind)
    if put is DraftPut.MISMATCH:
        return await _differs(project, kind, work_id)
    judgement = await judge_content(house, project_id, kind, content)
    return DraftView(work_id, draft.etag, content, now, judgement)


async def _differs(project: ProjectStore, kind: WorkKind, work_id: str) -> Refusal:
    stored = await project.draft(kind, work_id)
    return refusal("etag_differs", facts={"etag": None if stored is None else stored.etag})


@faults_refused
async def publish_draft(
    house: House, project_id: str, kind: WorkKind, work_id: str, *, expected_etag: str | None = None
) -> Published | Refusal:
    """Publish the draft as the next revision; where `expected_etag` is given, that very draft.

    Refusals: the work is unknown; `draft_missing`; `etag_differs`; those of `publish.publish`.
    """
    project = house.project(project_id)
    stored = await _draft(project, kind, work_id)
    if isinstance(stored, Refusal):
        return stored
    if expected_etag not in (None, stored.etag):
        return await _differs(project, kind, work_id)
    with reading_rows():
        content = read_stored(stored.content)
    return await publish(house, project_id, kind, content, work_id)


@faults_refused
async def set_archived(
    house: House, project_id: str, kind: WorkKind, work_id: str, *, archived: bool
) -> Work | Refusal:
    """Archive a package or world, or restore it. Refusals: it is unknown; the cap of active ones."""
    project = house.project(project_id)
    changed = await project.set_archived(kind, work_id, archived)
    work = await project.work(kind, work_id)
    if work is None:
        return unknown(kind)
    return work if changed else cap_refusal(kind)


@faults_refused
async def list_revisions(
    house: House, project_id: str, kind: WorkKind, work_id: str, limit: int, after: int | None
) -> Sequence[RevisionSummary] | Refusal:
    """Up to `limit` revisions in the order of their numbers, after the number `after`. Refusal: the work is unknown."""
    project = house.project(project_id)
    found = await project.revisions(kind, work_id, limit=limit, after=after)
    return found if found or await project.work(kind, work_id) is not None else unknown(kind)


@dataclass(frozen=True, slots=True)
class RevisionView:
    """One revision with its content as a JSON value."""

    stored: StoredRevision
    content: dict[str, Any]


@faults_refused
async def read_revision(
    house: House, project_id: str, kind: WorkKind, work_id: str, revision: int
) -> RevisionView | Refusal:
    """One revision, whole. Refusal: it is unknown."""
    stored = await house.project(project_id).revision(kind, work_id, revision)
    if stored is None:
        return unknown(kind)
    with reading_rows():
        return RevisionView(stored, read_stored(stored.content))
