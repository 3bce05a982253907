"""Projects, which the operator creates, and their keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from storyworld.api.operation import Access, Answer, Answered, Asked, Operation, Parameter, body
from storyworld.api.pages import PAGED, page
from storyworld.api.shapes.parts import COUNT, RESOURCE_ID, TEXT, TIME, answer, nullable, told
from storyworld.api.shapes.parts import page as page_of
from storyworld.application.access import NewKey, create_key, create_project, list_keys, list_projects, revoke_key
from storyworld.application.ports import KeyScope, Project, StoredKey
from storyworld.core import limits
from storyworld.core.errors import Refusal
from storyworld.core.schema.parts import one_of, resource_id, text

_SCOPE: Final = one_of("What the key allows: to look, or to change as well.", *(scope.value for scope in KeyScope))
_SECRET: Final = told("The secret, shown once.", TEXT)
_CREATE_PROJECT: Final = body(
    "ProjectRequest", "A new project.", {"name": text(limits.PROJECT_MAX_NAME_CHARS, "What it is called.")}
)
_CREATE_KEY: Final = body("KeyRequest", "A new key of the project.", {"scope": _SCOPE})
_PROJECT: Final = answer(
    "Project",
    "A project.",
    {"id": RESOURCE_ID, "name": TEXT, "createdAt": TIME, "activeStoryPackages": COUNT, "activeWorlds": COUNT},
)
_NEW_PROJECT: Final = answer(
    "NewProject", "A project that was just created, with its first key, which may write.",
    {"id": RESOURCE_ID, "name": TEXT, "key": _SECRET},
)  # fmt: skip
_KEY: Final = answer(
    "Key", "A key of the project, without its secret.",
    {"id": RESOURCE_ID, "scope": _SCOPE, "createdAt": TIME, "revokedAt": nullable(TIME)},
)  # fmt: skip
_NEW_KEY: Final = answer("NewKey", "A key that was just made.", {"id": RESOURCE_ID, "scope": _SCOPE, "key": _SECRET})


async def _create_project(asked: Asked) -> Answer | Refusal:
    made = await create_project(asked.house, asked.body["name"])
    if isinstance(made, Refusal):
        return made
    return Answer(201, {"id": made.project_id, "name": asked.body["name"], "key": made.secret})


async def _list_projects(asked: Asked) -> Answer | Refusal:
    async def fetch(limit: int, after: str | None) -> Sequence[Project] | Refusal:
        return await list_projects(asked.house, limit, after)

    return await page(asked, fetch, _project, lambda project: project.project_id)


async def _create_key(asked: Asked) -> Answer | Refusal:
    made = await create_key(asked.house, asked.project_id, KeyScope(asked.body["scope"]))
    return made if isinstance(made, Refusal) else Answer(201, _new_key(made))


async def _list_keys(asked: Asked) -> Answer | Refusal:
    async def fetch(limit: int, after: str | None) -> Sequence[StoredKey] | Refusal:
        return await list_keys(asked.house, asked.project_id, limit, after)

    return await page(asked, fetch, _key, lambda key: key.key_id)


async def _revoke_key(asked: Asked) -> Answer | Refusal:
    return await revoke_key(asked.house, asked.project_id, asked.path["id"]) or Answer(204)


def _project(project: Project) -> dict[str, Any]:
    return {
        "id": project.project_id,
        "name": project.name,
        "createdAt": project.created_at,
        "activeStoryPackages": project.active_packages,
        "activeWorlds": project.active_worlds,
    }


def _key(key: StoredKey) -> dict[str, Any]:
    return {"id": key.key_id, "scope": key.scope.value, "createdAt": key.created_at, "revokedAt": key.revoked_at}


def _new_key(key: NewKey) -> dict[str, Any]:
    return {"id": key.key_id, "scope": key.scope.value, "key": key.secret}


OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/projects",
        operation_id="createProject",
        tag="Projects",
        summary="Create a project with its first key.",
        access=Access.OPERATOR,
        handler=_create_project,
        answers={201: Answered("The project, and the secret of its key, which is never shown again.", _NEW_PROJECT)},
        body=_CREATE_PROJECT,
    ),
    Operation(
        method="GET",
        path="/v1/projects",
        operation_id="listProjects",
        tag="Projects",
        summary="All projects.",
        access=Access.OPERATOR,
        handler=_list_projects,
        answers={200: Answered("A page of projects.", page_of("ProjectPage", _PROJECT))},
        parameters=PAGED,
    ),
    Operation(
        method="POST",
        path="/v1/keys",
        operation_id="createKey",
        tag="Projects",
        summary="Make another key of the project.",
        access=Access.WRITE,
        handler=_create_key,
        answers={201: Answered("The key and its secret, which is never shown again.", _NEW_KEY)},
        body=_CREATE_KEY,
    ),
    Operation(
        method="GET",
        path="/v1/keys",
        operation_id="listKeys",
        tag="Projects",
        summary="The keys of the project, revoked ones among them.",
        access=Access.WRITE,
        handler=_list_keys,
        answers={200: Answered("A page of keys.", page_of("KeyPage", _KEY))},
        parameters=PAGED,
    ),
    Operation(
        method="DELETE",
        path="/v1/keys/{id}",
        operation_id="revokeKey",
        tag="Projects",
        summary="Revoke a key: the next request with it is refused.",
        access=Access.WRITE,
        handler=_revoke_key,
        answers={204: Answered("It is revoked.")},
        parameters=(Parameter("path", "id", resource_id("The key."), "key_not_found"),),
    ),
)
