"""The adapters that one suite is run over, and a loop to run them in."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest

from storyworld.application.ports import FailPoint, ProjectStore, Store
from storyworld.store.memory import MemoryStore
from storyworld.store.points import pass_by
from storyworld.store.sqlite import open_sqlite
from tests.store.stored import NOW

T = TypeVar("T")


class Run(Protocol):
    """Run a coroutine to its end."""

    def __call__(self, waiting: Coroutine[Any, Any, T], /) -> T: ...


Open = Callable[[FailPoint], Coroutine[Any, Any, Store]]


async def together(*waiting: Awaitable[T]) -> list[T]:
    """All at once; what each returned, in the order of the arguments."""
    return await asyncio.gather(*waiting)


@pytest.fixture
def run() -> Iterator[Run]:
    """Run a coroutine to its end, in the one loop of the test."""
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture(params=["memory", "sqlite", "sqlite of the standard library"])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Open a store, the same one each time where it has a file."""

    async def open_memory(fail: FailPoint) -> Store:
        return MemoryStore(fail)

    async def open_file(fail: FailPoint) -> Store:
        module = sqlite3 if request.param == "sqlite of the standard library" else None
        return await open_sqlite(tmp_path / "data", fail=fail, module=module)

    return open_memory if request.param == "memory" else open_file


async def _opened(opening: Open, fail: FailPoint) -> Store:
    store = await opening(fail)
    await store.create_project("salt", "Salt", NOW)
    return store


@pytest.fixture
def store(run: Run, opening: Open) -> Iterator[Store]:
    """A store with the project `salt`."""
    opened = run(_opened(opening, pass_by))
    yield opened
    run(opened.close())


@pytest.fixture
def project(store: Store) -> ProjectStore:
    """The rows of `salt`."""
    return store.for_project("salt")
