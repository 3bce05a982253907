"""What is answered of packages and worlds, and how it is written."""

from __future__ import annotations

from typing import Any, Final

from storyworld.api.shapes.parts import (
    ANY_OBJECT,
    BOOLEAN,
    COUNT,
    DIGEST,
    INTEGER,
    PROBLEM_ENTRY,
    RESOURCE_ID,
    TEXT,
    TIME,
    answer,
    listed,
    nullable,
    page,
    told,
)
from storyworld.application.ports import RevisionSummary, Work
from storyworld.application.publish import Published
from storyworld.application.works import Created, DraftView, Judgement, RevisionView

_ETAG: Final = told("What to send as `If-Match` when it is replaced.", TEXT)
_PROBLEMS: Final = listed(PROBLEM_ENTRY, "What keeps it from being published.")
_WARNINGS: Final = listed(PROBLEM_ENTRY, "Where it will disappoint.")
_MORE: Final = told("How many problems there are beyond those told.", COUNT)
_JUDGED: Final = {"problems": _PROBLEMS, "moreProblems": _MORE, "warnings": _WARNINGS}
WORK: Final = answer(
    "Work",
    "A story package or world: what is published of it and which draft it has.",
    {
        "id": RESOURCE_ID,
        "revision": told("The latest published revision; null before the first.", nullable(INTEGER)),
        "archived": BOOLEAN,
        "draftEtag": told("The etag of its draft; null where it has none.", nullable(TEXT)),
        "createdAt": TIME,
        "updatedAt": told("When the draft was last saved or a revision published.", TIME),
    },
)
WORK_PAGE: Final = page("WorkPage", WORK)
CREATED: Final = answer(
    "CreatedWork",
    "A new story package or world.",
    {
        "id": RESOURCE_ID,
        "draft": answer("CreatedDraft", "Its draft.", {"etag": _ETAG, **_JUDGED}, optional=("moreProblems",)),
        "revision": told("Its first revision; null where it has a draft only.", nullable(INTEGER)),
        "digest": told("That of the revision.", DIGEST),
        "bytes": told("The size of the revision.", COUNT),
    },
    optional=("digest", "bytes"),
)
DRAFT: Final = answer(
    "WorkDraft",
    "A draft, and what publishing it would say.",
    {"id": RESOURCE_ID, "content": ANY_OBJECT, "etag": _ETAG, "updatedAt": TIME, **_JUDGED, "bytes": COUNT},
    optional=("moreProblems",),
)
SAVED: Final = answer(
    "SavedDraft",
    "A draft that was saved, and what publishing it would say.",
    {"etag": _ETAG, **_JUDGED, "bytes": COUNT},
    optional=("moreProblems",),
)
PUBLISHED: Final = answer(
    "Published",
    "A new revision.",
    {"id": RESOURCE_ID, "revision": INTEGER, "digest": DIGEST, "bytes": COUNT, "warnings": _WARNINGS},
)
VALIDATED: Final = answer(
    "Validated",
    "Content that may be published.",
    {"problems": told("Empty.", _PROBLEMS), "warnings": _WARNINGS, "bytes": COUNT, "digest": DIGEST},
)
_REVISION: Final = {"id": RESOURCE_ID, "revision": INTEGER, "digest": DIGEST, "bytes": COUNT, "createdAt": TIME}
REVISION_PAGE: Final = page("RevisionPage", answer("RevisionSummary", "A revision without its content.", _REVISION))
REVISION: Final = answer("Revision", "A revision, whole.", {**_REVISION, "content": ANY_OBJECT})


def work(found: Work) -> dict[str, Any]:
    """A package or world."""
    return {
        "id": found.work_id,
        "revision": found.latest_revision,
        "archived": found.archived,
        "draftEtag": found.draft_etag,
        "createdAt": found.created_at,
        "updatedAt": found.updated_at,
    }


def created(made: Created) -> dict[str, Any]:
    """A new package or world."""
    value: dict[str, Any] = {"id": made.work_id, "draft": {"etag": made.etag, **_judged(made.judgement)}}
    if made.published is None:
        return {**value, "revision": None}
    published = made.published
    return {**value, "revision": published.revision, "digest": published.digest, "bytes": published.size_bytes}


def draft(found: DraftView) -> dict[str, Any]:
    """A draft, whole."""
    return {"id": found.work_id, "content": found.content, "updatedAt": found.updated_at, **saved(found)}


def saved(found: DraftView) -> dict[str, Any]:
    """A draft that was saved."""
    return {"etag": found.etag, **_judged(found.judgement), "bytes": found.judgement.size_bytes}


def published(made: Published) -> dict[str, Any]:
    """A new revision."""
    return {
        "id": made.work_id,
        "revision": made.revision,
        "digest": made.digest,
        "bytes": made.size_bytes,
        "warnings": [warning.to_json() for warning in made.warnings],
    }


def validated(judgement: Judgement) -> dict[str, Any]:
    """Content that may be published."""
    return {
        "problems": [],
        "warnings": [warning.to_json() for warning in judgement.warnings],
        "bytes": judgement.size_bytes,
        "digest": judgement.digest,
    }


def revision(found: RevisionView) -> dict[str, Any]:
    """A revision, whole."""
    stored = found.stored
    return {
        "id": stored.work_id,
        "revision": stored.revision,
        "digest": stored.digest,
        "bytes": len(stored.content),
        "createdAt": stored.created_at,
        "content": found.content,
    }


def revision_summary(found: RevisionSummary) -> dict[str, Any]:
    """A revision without its content."""
    return {
        "id": found.work_id,
        "revision": found.revision,
        "digest": found.digest,
        "bytes": found.size_bytes,
        "createdAt": found.created_at,
    }


def _judged(judgement: Judgement) -> dict[str, Any]:
    value: dict[str, Any] = {"problems": [problem.to_json() for problem in judgement.problems]}
    if judgement.more_problems:
        value["moreProblems"] = judgement.more_problems
    return {**value, "warnings": [warning.to_json() for warning in judgement.warnings]}
