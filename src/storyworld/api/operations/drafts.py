"""Script drafts: committed beats as screenplays, and their files."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final
from urllib.parse import quote

from storyworld.api.operation import Access, Answer, Answered, Asked, Operation, Parameter, body
from storyworld.api.operations.sessions import SESSION_ID, STORY_REFUSALS, session_missing
from storyworld.api.shapes import sessions as shapes
from storyworld.api.shapes.parts import TEXT
from storyworld.application.draft import DraftRequest, draft_again, draft_session
from storyworld.core import limits
from storyworld.core.errors import Refusal
from storyworld.core.schema.parts import integer, resource_id
from storyworld.formats.screenplays import write_screenplay

_MEDIA_TYPES: Final = {
    "fountain": "text/plain; charset=utf-8",
    "fdx": "application/xml",
    "md": "text/markdown; charset=utf-8",
    "pdf": "application/pdf",
}
_UNSAFE: Final = re.compile(r'[\x00-\x1f\x7f"\\/:*?<>|]+')
_NAME_CHARS_MAX: Final = 80
_DRAFT_ID: Final = Parameter(
    "path", "draftId", resource_id("The draft: `b`, its first beat, `-`, its last."), "draft_unknown"
)
_BODY: Final = body(
    "ScriptDraftRequest",
    f"What to draft: beats, or an episode run; at most {limits.SCRIPT_DRAFT_MAX_BEATS.value} beats.",
    {
        "fromBeat": integer(limits.INTEGER_MAX, "The first beat; absent: the opening.", minimum=0),
        "toBeat": integer(limits.INTEGER_MAX, "The last beat; absent: the last there is.", minimum=0),
        "episodeRunId": resource_id("The episode run, in place of beats."),
    },
    optional=("fromBeat", "toBeat", "episodeRunId"),
    required=False,
)
_PDF_REFUSALS: Final = ("pdf_unavailable", "pdf_characters_missing")


async def _draft(asked: Asked) -> Answer | Refusal:
    request = DraftRequest(asked.body.get("fromBeat"), asked.body.get("toBeat"), asked.body.get("episodeRunId"))
    drafted = await draft_session(asked.house, asked.project_id, asked.path["id"], request)
    return drafted if isinstance(drafted, Refusal) else Answer(201, shapes.script_draft(drafted))


async def _read(asked: Asked) -> Answer | Refusal:
    drafted = await draft_again(asked.house, asked.project_id, asked.path["id"], asked.path["draftId"])
    return drafted if isinstance(drafted, Refusal) else Answer(200, shapes.script_draft(drafted))


async def _file(asked: Asked, *, written_as: str) -> Answer | Refusal:
    drafted = await draft_again(asked.house, asked.project_id, asked.path["id"], asked.path["draftId"])
    if isinstance(drafted, Refusal):
        return drafted
    # Typesetting takes a good part of a second, in which the loop would serve nobody else.
    written = await asyncio.to_thread(write_screenplay, drafted.screenplay, written_as)
    if isinstance(written, Refusal):
        return written
    name = _UNSAFE.sub(" ", drafted.screenplay.title).strip(" .")[:_NAME_CHARS_MAX] or "script"
    # RFC 6266: the plain name is for clients that know no other, and a title may be in any script.
    disposition = (
        f"attachment; filename=\"script.{written_as}\"; filename*=UTF-8''{quote(f'{name}.{written_as}', safe='')}"
    )
    headers = {"Content-Disposition": disposition}
    return Answer(200, content=written, media_type=_MEDIA_TYPES[written_as], headers=headers)


def _as(written_as: str) -> Callable[[Asked], Awaitable[Answer | Refusal]]:
    return partial(_file, written_as=written_as)


_DRAFTS: Final = "/v1/sessions/{id}/script-drafts"
_FILES: Final = tuple(
    Operation(
        method="GET",
        path=f"{_DRAFTS}/{{draftId}}.{written_as}",
        operation_id=f"getScriptDraft{written_as.title()}",
        tag="Sessions",
        summary=f"The draft as a file: .{written_as}.",
        access=Access.READ,
        handler=_as(written_as),
        answers={
            200: Answered(
                "The file.",
                other={media_type.partition(";")[0]: TEXT},
                headers={"Content-Disposition": "The name of the file, by RFC 6266."},
            )
        },
        refusals=(*STORY_REFUSALS, *(_PDF_REFUSALS if written_as == "pdf" else ())),
        parameters=(SESSION_ID, _DRAFT_ID),
    )
    for written_as, media_type in _MEDIA_TYPES.items()
)
OPERATIONS: Final = (
    *_FILES,
    Operation(
        method="POST",
        path=_DRAFTS,
        operation_id="draftScript",
        tag="Sessions",
        summary="Draft beats, or an episode run, as a screenplay.",
        access=Access.READ,
        handler=_draft,
        answers={201: Answered("The draft.", shapes.SCRIPT_DRAFT)},
        refusals=(
            *STORY_REFUSALS,
            "draft_range_and_run",
            "draft_range_unknown",
            "episode_run_unknown",
            "draft_too_long",
        ),
        parameters=(SESSION_ID,),
        body=_BODY,
        owner=session_missing,
    ),
    Operation(
        method="GET",
        path=f"{_DRAFTS}/{{draftId}}",
        operation_id="getScriptDraft",
        tag="Sessions",
        summary="The draft again: committed beats never change.",
        access=Access.READ,
        handler=_read,
        answers={200: Answered("The draft.", shapes.SCRIPT_DRAFT)},
        refusals=STORY_REFUSALS,
        parameters=(SESSION_ID, _DRAFT_ID),
    ),
)
