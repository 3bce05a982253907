"""Story packages and worlds: drafts, publishing, revisions, archive. The two have the same operations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from storyworld.api.operation import (
    Access,
    Answer,
    Answered,
    Asked,
    Body,
    Operation,
    Parameter,
    Tag,
    body,
    choice,
)
from storyworld.api.pages import PAGED, PAGED_BY_NUMBER, page
from storyworld.api.shapes import works as shapes
from storyworld.application import works
from storyworld.application.ports import RevisionSummary, Work, WorkKind
from storyworld.application.publish import publish
from storyworld.core import limits, schema
from storyworld.core.errors import Refusal, refusal
from storyworld.core.schema.parts import Schema, integer, resource_id

_ETAG: Final = re.compile(r'"([^"]{1,200})"')
_ANY_OBJECT: Final[Schema] = {"type": "object", "description": "Any JSON object, whatever is wrong with it."}
_IF_MATCH: Final = Parameter(
    "header", "If-Match", {"type": "string", "description": 'The etag of the draft that is meant, in quotes: `"…"`.'}
)
_IF_NONE_MATCH: Final = Parameter(
    "header", "If-None-Match", {"type": "string", "description": "`*` where there is no draft yet."}
)


@dataclass(frozen=True, slots=True)
class _Words:
    """What one of the two kinds is called, where it stands, and what its content looks like."""

    kind: WorkKind
    path: str
    tag: Tag
    noun: str
    name: str
    unknown: str
    refused: str
    cap: str
    content: Schema


_PACKAGES: Final = _Words(
    WorkKind.PACKAGE,
    "/v1/story-packages",
    "Story packages",
    "story package",
    "StoryPackage",
    "package_unknown",
    "package_refused",
    "active_packages_cap",
    schema.STORY_PACKAGE_CONTENT,
)
_WORLDS: Final = _Words(
    WorkKind.WORLD,
    "/v1/worlds",
    "Worlds",
    "world",
    "World",
    "world_unknown",
    "world_refused",
    "active_worlds_cap",
    schema.WORLD_CONTENT,
)


class _Handlers:
    """The handlers of one kind."""

    def __init__(self, kind: WorkKind) -> None:
        self._kind = kind

    async def create(self, asked: Asked) -> Answer | Refusal:
        if "draft" in asked.body:
            made = await works.create_draft(asked.house, asked.project_id, self._kind, asked.body["draft"])
        else:
            made = await works.create_published(asked.house, asked.project_id, self._kind, asked.body["content"])
        if isinstance(made, Refusal):
            return made
        return Answer(201, shapes.created(made), headers=_etag(made.etag))

    async def list(self, asked: Asked) -> Answer | Refusal:
        async def fetch(limit: int, after: str | None) -> Sequence[Work] | Refusal:
            return await works.list_works(asked.house, asked.project_id, self._kind, limit, after)

        return await page(asked, fetch, shapes.work, lambda work: work.work_id)

    async def read(self, asked: Asked) -> Answer | Refusal:
        found = await works.read_work(asked.house, asked.project_id, self._kind, asked.path["id"])
        return found if isinstance(found, Refusal) else Answer(200, shapes.work(found))

    async def read_draft(self, asked: Asked) -> Answer | Refusal:
        found = await works.read_draft(asked.house, asked.project_id, self._kind, asked.path["id"])
        if isinstance(found, Refusal):
            return found
        return Answer(200, shapes.draft(found), headers=_etag(found.etag))

    async def save_draft(self, asked: Asked) -> Answer | Refusal:
        expected = _meant(asked)
        if asked.headers["If-None-Match"] != "*" and expected is None:
            missing = await self.is_missing(asked)
            return missing or refusal("etag_missing")
        place = (asked.project_id, self._kind, asked.path["id"])
        saved = await works.save_draft(asked.house, *place, asked.body["content"], expected_etag=expected)
        if isinstance(saved, Refusal):
            return saved
        return Answer(200, shapes.saved(saved), headers=_etag(saved.etag))

    async def publish(self, asked: Asked) -> Answer | Refusal:
        place = (asked.project_id, self._kind)
        if "content" in asked.body:
            made = await publish(asked.house, *place, asked.body["content"], asked.path["id"])
        else:
            meant = _meant(asked)
            made = await works.publish_draft(asked.house, *place, asked.path["id"], expected_etag=meant)
        return made if isinstance(made, Refusal) else Answer(201, shapes.published(made))

    async def archive(self, asked: Asked) -> Answer | Refusal:
        return await self._set_archived(asked, archived=True)

    async def restore(self, asked: Asked) -> Answer | Refusal:
        return await self._set_archived(asked, archived=False)

    async def _set_archived(self, asked: Asked, *, archived: bool) -> Answer | Refusal:
        place = (asked.project_id, self._kind, asked.path["id"])
        found = await works.set_archived(asked.house, *place, archived=archived)
        return found if isinstance(found, Refusal) else Answer(200, shapes.work(found))

    async def list_revisions(self, asked: Asked) -> Answer | Refusal:
        async def fetch(limit: int, after: int | None) -> Sequence[RevisionSummary] | Refusal:
            place = (asked.project_id, self._kind, asked.path["id"])
            return await works.list_revisions(asked.house, *place, limit, after)

        return await page(asked, fetch, shapes.revision_summary, lambda found: found.revision)

    async def read_revision(self, asked: Asked) -> Answer | Refusal:
        place = (asked.project_id, self._kind, asked.path["id"])
        found = await works.read_revision(asked.house, *place, asked.path["n"])
        return found if isinstance(found, Refusal) else Answer(200, shapes.revision(found))

    async def validate(self, asked: Asked) -> Answer | Refusal:
        judged = await works.validate(asked.house, asked.project_id, self._kind, asked.body["content"])
        return judged if isinstance(judged, Refusal) else Answer(200, shapes.validated(judged))

    async def is_missing(self, asked: Asked) -> Refusal | None:
        found = await works.read_work(asked.house, asked.project_id, self._kind, asked.path["id"])
        return found if isinstance(found, Refusal) else None


def _meant(asked: Asked) -> str | None:
    """The etag that the client names; None where it names none. `*` names none: it would overwrite anything."""
    sent = asked.headers["If-Match"]
    named = None if sent is None else _ETAG.fullmatch(sent.strip())
    return None if named is None else named[1]


def _etag(etag: str) -> dict[str, str]:
    return {"ETag": f'"{etag}"'}


def content_body(title: str, content: Schema) -> Body:
    """A body that holds content to be judged by the use case."""
    return body(title, "Content to be judged.", {"content": content}, judged_later=("content",))


def _bodies(words: _Words) -> tuple[Body, Body, Body]:
    """The bodies of creating, of saving a draft, and of publishing."""
    content = content_body(f"{words.name}ContentRequest", words.content)
    draft = body(f"{words.name}DraftRequest", "Work in progress.", {"draft": _ANY_OBJECT})
    create = choice(
        f"Create{words.name}Request",
        "Content that is published as the first revision, or a draft that is saved whatever is wrong with it.",
        {"content": content, "draft": draft},
    )
    save = body(f"Save{words.name}DraftRequest", "What takes the draft's place.", {"content": _ANY_OBJECT})
    publish_ = body(
        f"Publish{words.name}Request",
        "Content to publish; without it the draft is published.",
        {"content": words.content},
        optional=("content",),
        judged_later=("content",),
        required=False,
    )
    return create, save, publish_


def _operations(words: _Words) -> tuple[Operation, ...]:
    handlers = _Handlers(words.kind)
    create, save, publish_ = _bodies(words)
    known = Parameter("path", "id", resource_id(f"The {words.noun}."), words.unknown)
    revision = Parameter("path", "n", integer(limits.INTEGER_MAX, "The revision.", minimum=1), words.unknown)
    judged = (words.refused, "package_unknown")
    one, tag = f"{words.path}/{{id}}", words.tag
    read, write = Access.READ, Access.WRITE
    etag = {"ETag": "The etag of the draft, in quotes."}
    return (
        Operation(
            "POST", f"{words.path}/validate", f"validate{words.name}", tag,
            "Judge content as publishing would, and store nothing.", read, handlers.validate,
            {200: Answered("It may be published.", shapes.VALIDATED)}, judged,
            body=content_body(f"Validate{words.name}Request", words.content),
        ),
        Operation(
            "POST", words.path, f"create{words.name}", tag, f"Create a {words.noun}, published or as a draft.", write,
            handlers.create, {201: Answered("It is created.", shapes.CREATED, headers=etag)}, (*judged, words.cap),
            body=create,
        ),
        Operation(
            "GET", words.path, f"list{words.name}s", tag, f"The {words.noun}s of the project.", read, handlers.list,
            {200: Answered(f"A page of {words.noun}s.", shapes.WORK_PAGE)}, (), PAGED,
        ),
        Operation(
            "GET", one, f"get{words.name}", tag, f"One {words.noun}.", read, handlers.read,
            {200: Answered(f"The {words.noun}.", shapes.WORK)}, (), (known,),
        ),
        Operation(
            "GET", f"{one}/draft", f"get{words.name}Draft", tag, "The draft, and what publishing it would say.", read,
            handlers.read_draft, {200: Answered("The draft.", shapes.DRAFT, headers=etag)}, ("draft_missing",),
            (known,),
        ),
        Operation(
            "PUT", f"{one}/draft", f"save{words.name}Draft", tag, "Save the draft, whatever is wrong with it.", write,
            handlers.save_draft, {200: Answered("It is saved.", shapes.SAVED, headers=etag)},
            ("etag_missing", "etag_differs"), (known, _IF_MATCH, _IF_NONE_MATCH), save, handlers.is_missing,
        ),
        Operation(
            "POST", f"{one}/publish", f"publish{words.name}", tag, "Publish the draft, or content, as a revision.",
            write, handlers.publish, {201: Answered("The revision.", shapes.PUBLISHED)},
            (*judged, "draft_missing", "etag_differs"), (known, _IF_MATCH), publish_, handlers.is_missing,
        ),
        Operation(
            "POST", f"{one}/archive", f"archive{words.name}", tag,
            "Archive it: it counts no more, and a world starts no new sessions.", write, handlers.archive,
            {200: Answered("It is archived.", shapes.WORK)}, (), (known,),
        ),
        Operation(
            "POST", f"{one}/restore", f"restore{words.name}", tag, "Make it active again.", write, handlers.restore,
            {200: Answered("It is active.", shapes.WORK)}, (words.cap,), (known,),
        ),
        Operation(
            "GET", f"{one}/revisions", f"list{words.name}Revisions", tag, "Its revisions, without their content.", read,
            handlers.list_revisions, {200: Answered("A page of revisions.", shapes.REVISION_PAGE)}, (),
            (known, *PAGED_BY_NUMBER),
        ),
        Operation(
            "GET", f"{one}/revisions/{{n}}", f"get{words.name}Revision", tag, "One revision, whole.", read,
            handlers.read_revision, {200: Answered("The revision.", shapes.REVISION)}, (), (known, revision),
        ),
    )  # fmt: skip


OPERATIONS: Final = (*_operations(_PACKAGES), *_operations(_WORLDS))
