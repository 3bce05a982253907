"""The parts that use cases work with, and the stories they have read. Only `wiring` builds one."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from storyworld.application.ports import (
    Assistant,
    Clock,
    FailPoint,
    Identity,
    IntegrityFailed,
    Performer,
    ProjectStore,
    Store,
    StoredBeat,
    StoredRevision,
    StoredSession,
    Watchers,
    WorkKind,
)
from storyworld.application.recall import Recall
from storyworld.application.reservations import Reservations
from storyworld.application.watching import Watching
from storyworld.core.beat import Record
from storyworld.core.canonical import digest, read_stored
from storyworld.core.errors import Refusal, refusal
from storyworld.core.replay import Replies
from storyworld.core.session import Head, Story, read_head
from storyworld.core.state import read_state
from storyworld.core.story import read_package
from storyworld.core.world import read_world

T = TypeVar("T")

STORIES_KEPT_MAX = 64
"""Stories that stay read; the one that was needed longest ago goes first."""
_RECORDS_KEPT_MAX = 1024


def _pass_by(point: str) -> None:
    """A fail-point in a process that nobody means to stop."""


@dataclass
class House:
    """Ports, and what is shared between requests: reservations, the beats that are being made, and a bounded number of
    sessions and stories that are known.

    Once `stopping` is set no new beat is taken; those that are being made come to their end.
    """

    store: Store
    performers: Mapping[str, Performer]
    clock: Clock
    identity: Identity
    watchers: tuple[Watchers, ...] = ()
    fail: FailPoint = _pass_by
    reservations: Reservations = field(default_factory=Reservations)
    recall: Recall = field(default_factory=Recall)
    beats: set[asyncio.Task[Any]] = field(default_factory=set)
    committing: set[asyncio.Task[Any]] = field(default_factory=set)
    watching: Watching = field(default_factory=Watching)
    stopping: bool = False
    assistant: Assistant | None = None
    _stories: OrderedDict[tuple[str, str, int], Story] = field(default_factory=OrderedDict)

    def project(self, project_id: str) -> ProjectStore:
        """The rows of one project."""
        return self.store.for_project(project_id)

    def stop(self) -> None:
        """Take no new beats, and tell whoever follows sessions. Beats that are being made go on."""
        self.stopping = True
        self.watching.wake_all()

    async def finish(self, grace_seconds: float | None = None) -> None:
        """Take no new beats, and let those that are being made come to their end.

        After `grace_seconds` (None: as long as they take) a beat that has not reached its commit is dropped whole, and
        its key is free again; one that is being committed is always waited for.
        """
        self.stop()
        if self.beats:
            await asyncio.wait(self.beats, timeout=grace_seconds)
        for beat in self.beats - self.committing:
            beat.cancel()
        if self.beats:
            await asyncio.wait(self.beats)

    async def close(self, grace_seconds: float | None = None) -> None:
        """Finish, then give the store back."""
        await self.finish(grace_seconds)
        await self.store.close()

    async def apart(self, work: Coroutine[Any, Any, T | Refusal]) -> T | Refusal:
        """Do the work in a task of its own, which goes on though whoever waits for it leaves.

        Refusal: `stopping`, where the house closed before the work had reached its commit.
        """
        task = asyncio.create_task(work)
        # The loop itself does not keep a task alive that nobody waits for any more.
        self.beats.add(task)
        task.add_done_callback(self.beats.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                return refusal("stopping")
            raise

    @contextmanager
    def commits(self) -> Iterator[None]:
        """What is done within is not cancelled any more when the house closes."""
        task = asyncio.current_task()
        assert task is not None, "a beat is made in a task"
        self.committing.add(task)
        try:
            yield
        finally:
            self.committing.discard(task)

    async def story(self, project_id: str, world_id: str, revision: int) -> Story | Refusal:
        """A pinned story, ready to run. Revisions never change, so one that was read is kept for the next beat.

        Refusals: `world_unknown`, `package_unknown`. Content is not judged again by today's limits, but bytes that are
        not those of its digest raise IntegrityFailed.
        """
        place = (project_id, world_id, revision)
        if place in self._stories:
            self._stories.move_to_end(place)
            return self._stories[place]
        project = self.project(project_id)
        stored_world = await project.revision(WorkKind.WORLD, world_id, revision)
        if stored_world is None:
            return refusal("world_unknown")
        with reading_rows():
            world = read_world(_content(stored_world))
        stored_package = await project.revision(WorkKind.PACKAGE, world.package_id, world.package_revision)
        if stored_package is None:
            return refusal("package_unknown")
        if stored_package.digest != world.package_digest:
            raise IntegrityFailed("the package is not the one that the world was published with")
        with reading_rows():
            story = Story(read_package(_content(stored_package)), world, stored_world.digest)
        self._stories[place] = story
        if len(self._stories) > STORIES_KEPT_MAX:
            self._stories.popitem(last=False)
        return story

    async def story_of(self, project_id: str, session: StoredSession) -> Story | Refusal:
        """The story that a session is pinned to."""
        return await self.story(project_id, session.world_id, session.world_revision)


@contextmanager
def reading_rows() -> Iterator[None]:
    """What goes wrong in reading bytes that were written well is damage: it raises IntegrityFailed."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise IntegrityFailed("a stored row cannot be read") from error


def _content(revision: StoredRevision) -> Any:
    if digest(revision.content) != revision.digest:
        raise IntegrityFailed("the content of a revision is not that of its digest")
    return read_stored(revision.content)


def head_of(session: StoredSession) -> Head:
    """The head of a stored session; IntegrityFailed where it cannot be read."""
    with reading_rows():
        return read_head(
            record_of(session.record),
            read_state(read_stored(session.state)),
            session.status,
            seed=session.seed,
            episode_runs=session.episode_runs,
        )


@lru_cache(maxsize=_RECORDS_KEPT_MAX)
def record_of(data: bytes) -> Record:
    """A stored beat record; IntegrityFailed where the bytes are no JSON.

    The same bytes are the same record, so memory costs one reading a beat; it is never changed.
    """
    with reading_rows():
        record: Record = read_stored(data)
    return record


def replies_of(beat: StoredBeat) -> Replies:
    """The raw replies that were stored with a beat; IntegrityFailed where they cannot be read."""
    with reading_rows():
        replies: Replies = read_stored(beat.replies)["replies"]
    return replies
