"""A small house for tests: a store in memory, performers that do as they are told, a clock that counts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from storyworld.application.begin import Begun, begin_session
from storyworld.application.house import House
from storyworld.application.play import Request
from storyworld.application.ports import FailPoint, Hear, Performer, Project, ProjectStore, Store, StoreError, WorkKind
from storyworld.application.publish import Published, publish, put_agent
from storyworld.core.call import Call, Failure, Performance, Usage
from storyworld.core.canonical import canonical_bytes
from storyworld.core.errors import Refusal
from storyworld.store.memory import MemoryStore

T = TypeVar("T")
PROJECT = "salt"
PACKAGE = WorkKind.PACKAGE
WORLD = WorkKind.WORLD


class CountingClock:
    """Each time it is asked, a millisecond has passed."""

    def __init__(self) -> None:
        self._asked = 0

    def now(self) -> str:
        self._asked += 1
        return f"2026-11-30T21:00:{self._asked // 1000:02}.{self._asked % 1000:03}Z"


class CountingIdentity:
    """Ids and secrets are numbered, and every drawn seed is 11."""

    def __init__(self) -> None:
        self._given = 0

    def new_id(self, prefix: str) -> str:
        self._given += 1
        return f"{prefix}_{self._given}"

    def new_seed(self) -> int:
        return 11

    def new_secret(self) -> str:
        self._given += 1
        return f"{self._given:0>43}"


class Speaking:
    """Every role says the same; `before` is awaited in every call, and calls are counted."""

    def __init__(
        self, reply: str = '{"line": "Aye."}', before: Callable[[Call], Awaitable[None]] | None = None
    ) -> None:
        self._reply = reply
        self._before = before
        self.calls: list[Call] = []

    async def perform(self, call: Call, hear: Hear) -> Performance:
        self.calls.append(call)
        if self._before is not None:
            await self._before(call)
        hear(self._reply)
        return Performance(self._reply, Usage("test", "test", 1, 1, attempts=1, ms=0))


class Failing:
    """A provider that is down, or that does not answer in time."""

    def __init__(self, *, timed_out: bool = False) -> None:
        self._timed_out = timed_out

    async def perform(self, call: Call, hear: Hear) -> Failure:
        return Failure("down", Usage("test", "test", 0, 0, attempts=3, ms=9), self._timed_out)


class Troubled:
    """A store that something happens to before each method on a project's rows: `trouble` is told the method's name."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.trouble: Callable[[str], Awaitable[None]] | None = None

    def fail_with(self, error: StoreError, *, only: str | None = None) -> None:
        """Raise the error in every method, or in one of them."""

        async def fail(method: str) -> None:
            if only in (None, method):
                raise error

        self.trouble = fail

    def for_project(self, project_id: str) -> ProjectStore:
        project: Any = _TroubledProject(self, self._store.for_project(project_id))
        return cast("ProjectStore", project)

    async def create_project(self, project_id: str, name: str, created_at: str) -> bool:
        return await self._store.create_project(project_id, name, created_at)

    async def project(self, project_id: str) -> Project | None:
        return await self._store.project(project_id)

    async def projects(self, *, limit: int, after: str | None = None) -> Sequence[Project]:
        return await self._store.projects(limit=limit, after=after)

    async def close(self) -> None:
        await self._store.close()


class _TroubledProject:
    def __init__(self, store: Troubled, project: ProjectStore) -> None:
        self._store = store
        self._project = project

    def __getattr__(self, name: str) -> Any:
        async def troubled(*args: Any, **kwargs: Any) -> Any:
            if self._store.trouble is not None:
                await self._store.trouble(name)
            return await getattr(self._project, name)(*args, **kwargs)

        return troubled


@dataclass
class Told:
    """A watcher that writes down what it is told."""

    beats: list[tuple[str, str, int]] = field(default_factory=list)

    def committed(self, project_id: str, session_id: str, beat: int) -> None:
        self.beats.append((project_id, session_id, beat))


def run(waiting: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in a loop of its own."""
    return asyncio.run(waiting)


def pass_by(point: str) -> None:
    """A fail-point that nothing happens at."""


async def open_house(
    performer: Performer | None = None,
    *,
    store: Store | None = None,
    watchers: tuple[Told, ...] = (),
    fail: FailPoint = pass_by,
) -> House:
    """A house with the project `salt`; `performer` (else one that speaks) is the provider `test`."""
    house = House(
        store or MemoryStore(), {"test": performer or Speaking()}, CountingClock(), CountingIdentity(), watchers, fail
    )
    await house.store.create_project(PROJECT, "Salt", house.clock.now())
    return house


def content(**more: Any) -> dict[str, Any]:
    """A story of two roles in two nodes, which ends when both were visited and the lamp burns."""
    return {
        "title": "The Ferry",
        "language": "en",
        "startNodeId": "quay",
        "roles": [
            {"id": "ada", "name": "Ada", "description": "The ferrywoman."},
            {"id": "ben", "name": "Ben", "description": "A passenger."},
        ],
        "scenes": [{"id": "harbour", "title": "The harbour", "description": "Fog."}],
        "nodes": [
            {"id": "quay", "sceneId": "harbour", "title": "The quay", "objective": "Find the lamp."},
            {"id": "boat", "sceneId": "harbour", "title": "The boat", "objective": "Cross over."},
        ],
        "branches": [{"id": "board", "fromNodeId": "quay", "toNodeId": "boat", "label": "Go on board"}],
        "flags": [{"id": "lamp", "description": "The lamp burns.", "type": "boolean", "initial": False}],
        "endings": [
            {"id": "over", "title": "Over", "description": "Ashore.", "conditions": ["visited('boat')", "flags.lamp"]}
        ],
        "series": [
            {
                "id": "one",
                "title": "One",
                "objective": "Cross.",
                "startNodeId": "quay",
                "turnBudget": 2,
                "endingRules": [{"endingId": "over", "conditions": ["flags.lamp"]}],
            }
        ],
        **more,
    }


def package_bytes(**more: Any) -> bytes:
    """The same as bytes."""
    return canonical_bytes(content(**more))


def world_of(package_id: str, agents: Mapping[str, str], **more: Any) -> dict[str, Any]:
    """A world in which each role is bound to its agent; all of them wake when a bell rings."""
    roles = [
        {"roleId": role_id, "agentId": agent_id, "subscriptions": ["bell"]} for role_id, agent_id in agents.items()
    ]
    return {"name": "The Ferry", "packageId": package_id, "packageRevision": 1, "roles": roles, **more}


async def put_actor(house: House, *, provider: str = "test") -> str:
    """A new agent of the provider."""
    agent = {"name": "Player", "persona": "Speaks softly.", "model": {"provider": provider}}
    return well(await put_agent(house, PROJECT, agent))


async def published_world(house: House, *, providers: tuple[str, str] = ("test", "test"), **more: Any) -> Published:
    """Publish the story, an agent for each of its two roles, and a world."""
    package = well(await publish(house, PROJECT, PACKAGE, package_bytes(**more)))
    agents = {role: await put_actor(house, provider=name) for role, name in zip(("ada", "ben"), providers, strict=True)}
    return well(await publish(house, PROJECT, WORLD, world_of(package.work_id, agents)))


async def begun_session(house: House, **more: Any) -> Begun:
    """Begin a session of the story."""
    world = await published_world(house, **more)
    return well(await begin_session(house, PROJECT, world.work_id, world.revision))


def request_of(begun: Begun, **more: Any) -> Request:
    """A request to move a session on."""
    return Request(PROJECT, begun.session_id, **more)


def well(answer: T | Refusal) -> T:
    """The answer, which is no refusal."""
    assert not isinstance(answer, Refusal), (answer.code, answer.problems)
    return answer


def code_of(answer: object) -> str:
    """The code of the answer, which is a refusal."""
    assert isinstance(answer, Refusal), answer
    return answer.code
