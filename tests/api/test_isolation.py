"""Nobody reaches what is not theirs: every operation of the document, with an id of another project in each place.

The rows are made of the OpenAPI document. An operation that takes a body, or an id of a new kind, has to be given a row
here: without one the test fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from storyworld.api.openapi import openapi_document
from storyworld.api.operations import TABLE
from storyworld.core.schema.parts import RESOURCE_ID_PATTERN
from tests.api.asking import OPERATOR_KEY, Server, serve
from tests.api.tenants import ADVANCE, Tenant, new_tenant, world_content
from tests.application.playhouse import content

DOCUMENT = openapi_document(TABLE)
WORDS = ("vermilion", "heliotrope", "琥珀")
AGENT = {"name": "New", "persona": "New.", "model": {"provider": "test"}}

# What an id in a path is an id of, by the words before it.
KINDS: Mapping[str, str] = {
    "/v1/keys/{id}": "key",
    "/v1/agents/{id}": "agent",
    "/v1/story-packages/{id}": "package",
    "/v1/worlds/{id}": "world",
    "/v1/sessions/{id}": "session",
    "{deliberationId}": "deliberation",
    "{runId}": "run",
    "{draftId}": "draft",
}
# Parameters that are no ids of anything that is stored by itself.
OTHERS: Mapping[str, str] = {"{n}": "1", "{roleId}": "ada"}

# A body that each operation takes, from what a project has.
BODIES: Mapping[str, Callable[[Tenant], Any]] = {
    "createProject": lambda tenant: {"name": "Another"},
    "createKey": lambda tenant: {"scope": "read"},
    "createAgent": lambda tenant: AGENT,
    "replaceAgent": lambda tenant: AGENT,
    "importCandidate": lambda tenant: {"script": "ADA\nAye.\n"},
    "validateCandidate": lambda tenant: {"content": content()},
    "validateStoryPackage": lambda tenant: {"content": content()},
    "createStoryPackage": lambda tenant: {"content": content()},
    "saveStoryPackageDraft": lambda tenant: {"content": {}},
    "publishStoryPackage": lambda tenant: {"content": content()},
    "validateWorld": lambda tenant: {"content": world_content(tenant)},
    "createWorld": lambda tenant: {"content": world_content(tenant)},
    "saveWorldDraft": lambda tenant: {"content": world_content(tenant)},
    "publishWorld": lambda tenant: {"content": world_content(tenant)},
    "startSession": lambda tenant: {},
    "takeTurn": lambda tenant: {"deliberationId": tenant.ids["deliberation"], "candidate": 1},
    "sendEvent": lambda tenant: {"eventId": "e", "type": "bell"},
    "startEpisodeRun": lambda tenant: {"episodeId": "one"},
    "endSession": lambda tenant: {},
    "deliberate": lambda tenant: ADVANCE,
    "forkSession": lambda tenant: {"beat": 1},
    "verifySession": lambda tenant: {},
    "draftScript": lambda tenant: {"episodeRunId": "run-1"},
}
# Ids in bodies: the fields of the document that have the form of one, and what each is an id of.
BODY_IDS: Mapping[str, str] = {
    "packageId": "package",
    "agentId": "ada",
    "deliberationId": "deliberation",
    "episodeRunId": "run",
}
# The same text in every project, because ids of this kind are counted within a session.
COUNTED = frozenset({"run", "draft"})
# What an operation needs beside its body.
HEADERS: Mapping[str, Callable[[Tenant], dict[str, str]]] = {
    "saveStoryPackageDraft": lambda tenant: {"If-None-Match": "*"},
    "saveWorldDraft": lambda tenant: {"If-Match": f'"{tenant.etag}"'},
}
# Good requests of a project's own that are refused all the same, for what the project has.
REFUSED_TO_ITS_OWNER = {"saveStoryPackageDraft": 412, "startEpisodeRun": 409}


@dataclass(frozen=True)
class Row:
    """One operation as it is asked for."""

    operation_id: str
    method: str
    path: str
    has_body: bool
    access: str

    def kinds(self) -> list[tuple[str, str]]:
        """The ids in the path: each with what it is an id of."""
        found = [(place, kind) for place, kind in KINDS.items() if place in self.path]
        known = sum(place.count("{") for place, _ in found) + sum(self.path.count(place) for place in OTHERS)
        assert known == self.path.count("{"), f"an id in {self.path} has no row in KINDS"
        return found

    def filled(self, ids: Mapping[str, str]) -> str:
        """The path with these ids."""
        path = self.path
        for place, kind in self.kinds():
            name = place[place.index("{") :]
            path = path.replace(name, ids[kind], 1)
        for place, value in OTHERS.items():
            path = path.replace(place, value)
        return path

    def body(self, tenant: Tenant) -> Any:
        """A body that it takes, None for an operation without one."""
        if not self.has_body:
            return None
        assert self.operation_id in BODIES, f"{self.operation_id} has no row in BODIES"
        return BODIES[self.operation_id](tenant)

    def headers(self, tenant: Tenant) -> dict[str, str]:
        """What it needs beside its body."""
        needed = HEADERS.get(self.operation_id)
        return {} if needed is None else needed(tenant)


def rows() -> Iterator[Row]:
    """Every operation of the document."""
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            access = "open"
            if operation["security"]:
                access = next(iter(operation["security"][0]))
            yield Row(operation["operationId"], method.upper(), path, "requestBody" in operation, access)


ROWS = [row for row in rows() if row.access == "projectKey"]


def without_request_id(answer: Any) -> tuple[int, Any]:
    value = answer.json() if answer.content and "json" in answer.headers["content-type"] else answer.text
    if isinstance(value, dict):
        value.pop("requestId", None)
    return answer.status_code, value


def replaced(value: Any, field: str, new: str) -> Any:
    """The value with another id in this field, at any depth."""
    if isinstance(value, dict):
        return {name: new if name == field else replaced(part, field, new) for name, part in value.items()}
    return [replaced(part, field, new) for part in value] if isinstance(value, list) else value


def holds(value: Any, field: str) -> bool:
    if isinstance(value, dict):
        return field in value or any(holds(part, field) for part in value.values())
    return isinstance(value, list) and any(holds(part, field) for part in value)


def test_every_id_in_a_body_of_the_document_has_a_row() -> None:
    def fields(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            for name, below in part.get("properties", {}).items():
                if isinstance(below, dict) and below.get("pattern") == RESOURCE_ID_PATTERN:
                    yield name
            for below in part.values():
                yield from fields(below)
        elif isinstance(part, list):
            for below in part:
                yield from fields(below)

    bodies = [operation.body.schema for operation in TABLE if operation.body is not None]
    assert set(fields(bodies)) == set(BODY_IDS)


def test_an_id_of_another_project_is_answered_as_one_that_never_was() -> None:
    async def work(server: Server) -> None:
        tenants = [await new_tenant(server, word) for word in WORDS]
        gone = {kind: f"{kind[:3]}_{'0' * 32}" for kind in (*KINDS.values(), "ada", "ben")}
        gone |= {"run": "run-9", "draft": "b0-9"}
        cells = 0
        for row in ROWS:
            for own in tenants:
                for key in (own.write_key, own.read_key):
                    for at, kind in row.kinds():
                        if kind in COUNTED:
                            continue
                        ids = {**own.ids, kind: gone[kind]}
                        never = await server.ask(
                            row.method, row.filled(ids), row.body(own), key=key, headers=row.headers(own)
                        )
                        assert never.status_code in (403, 404), (row, never.text)
                        for other in tenants:
                            if other is own:
                                continue
                            foreign = await server.ask(
                                row.method,
                                row.filled({**own.ids, kind: other.ids[kind]}),
                                row.body(own),
                                key=key,
                                headers=row.headers(own),
                            )
                            assert without_request_id(foreign) == without_request_id(never), (row, at, foreign.text)
                            assert other.word not in foreign.text
                            cells += 1
                        for malformed in ("-", "a" * 65, "%00", "..%2f", "é", "'%20or%201=1"):
                            answer = await server.ask(
                                row.method, row.filled({**own.ids, kind: malformed}), row.body(own), key=key
                            )
                            assert answer.status_code in (403, 404), (row, malformed, answer.text)
                            cells += 1
        assert cells >= 1_500

    serve(work)


def test_an_id_of_another_project_in_a_body_is_answered_as_one_that_never_was() -> None:
    async def work(server: Server) -> None:
        tenants = [await new_tenant(server, word) for word in WORDS]
        cells = 0
        for row in (row for row in ROWS if row.has_body):
            for own in tenants:
                for field, kind in BODY_IDS.items():
                    body = row.body(own)
                    if not holds(body, field) or kind in COUNTED:
                        continue
                    path, headers = row.filled(own.ids), row.headers(own)
                    never = await server.ask(
                        row.method, path, replaced(body, field, "x" * 36), key=own.write_key, headers=headers
                    )
                    for other in tenants:
                        if other is not own:
                            foreign = await server.ask(
                                row.method,
                                path,
                                replaced(body, field, other.ids[kind]),
                                key=own.write_key,
                                headers=row.headers(own) if never.status_code != 200 else await current(server, own),
                            )
                            assert unnamed(foreign, other.ids[kind]) == unnamed(never, "x" * 36), (row, foreign.text)
                            assert other.word not in foreign.text
                            cells += 1
        assert cells >= 40

    async def current(server: Server, own: Tenant) -> dict[str, str]:
        """The draft as it is now: to save one is to change its etag."""
        draft = await server.ask("GET", f"/v1/worlds/{own.ids['world']}/draft", key=own.write_key)
        return {"If-Match": draft.headers["etag"]}

    def unnamed(answer: Any, sent: str) -> Any:
        """The answer without what differs because another id was sent: the id itself, and what was made of it."""
        status, value = without_request_id(answer)
        if isinstance(value, dict):
            value.pop("etag", None)
        return status, str(value).replace(sent, "…")

    serve(work)


def test_a_projects_own_key_opens_what_is_its_own() -> None:
    async def work(server: Server) -> None:
        for number, row in enumerate(ROWS):
            own = await new_tenant(server, f"word{number}")
            answer = await server.ask(
                row.method,
                row.filled(own.ids),
                row.body(own),
                key=own.write_key,
                headers={**row.headers(own), "Accept": "application/json"},
            ) if row.operation_id != "streamSession" else None  # fmt: skip
            if answer is None:
                continue
            expected = REFUSED_TO_ITS_OWNER.get(row.operation_id)
            fine = answer.status_code == expected if expected else answer.status_code < 400
            assert fine, (row, answer.status_code, answer.text)

    serve(work)


def test_what_was_taken_away_is_answered_as_what_never_was() -> None:
    async def work(server: Server) -> None:
        own = await new_tenant(server, WORDS[0])
        for path, never in (
            (f"/v1/agents/{own.ids['agent']}", f"/v1/agents/agt_{'0' * 32}"),
            (f"/v1/keys/{own.ids['key']}", f"/v1/keys/key_{'0' * 32}"),
        ):
            assert (await server.ask("DELETE", path, key=own.write_key)).status_code == 204
            again = await server.ask("DELETE", path, key=own.write_key)
            unknown = await server.ask("DELETE", never, key=own.write_key)
            assert without_request_id(again) == without_request_id(unknown)

    serve(work)


def test_a_key_opens_nothing_of_the_operators_and_the_operators_nothing_of_a_projects() -> None:
    async def work(server: Server) -> None:
        own = await new_tenant(server, WORDS[0])
        for row in rows():
            if row.access == "open":
                continue
            key = own.write_key if row.access == "operatorKey" else OPERATOR_KEY
            for wrong in (key, None, "sw_a.b.c"):
                answer = await server.ask(row.method, row.filled(own.ids), row.body(own), key=wrong)
                assert (answer.status_code, answer.json()["code"]) == (401, "key_unknown"), row

    serve(work)
