"""The parts that use cases work with, and the stories they have read. Only `wiring` builds one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from storyworld.application.ports import (
    Clock,
    FailPoint,
    Identity,
    Performer,
    ProjectStore,
    Store,
    StoredBeat,
    StoredSession,
    Watchers,
    WorkKind,
)
from storyworld.application.reservations import Reservations
from storyworld.core.beat import Record
from storyworld.core.canonical import read_stored
from storyworld.core.errors import Refusal, refusal
from storyworld.core.replay import Replies
from storyworld.core.session import Head, Story, read_head
from storyworld.core.state import read_state
from storyworld.core.story import read_package
from storyworld.core.world import read_world

_STORIES_KEPT_MAX = 64
_RECORDS_KEPT_MAX = 1024


def _pass_by(point: str) -> None:
    """A fail-point in a process that nobody means to stop."""


@dataclass
class House:
    """Ports, and what is shared between requests: reservations and a bounded number of stories that were read."""

    store: Store
    performers: Mapping[str, Performer]
    clock: Clock
    identity: Identity
    watchers: tuple[Watchers, ...] = ()
    fail: FailPoint = _pass_by
    reservations: Reservations = field(default_factory=Reservations)
    _stories: OrderedDict[tuple[str, str, int], Story] = field(default_factory=OrderedDict)

    def project(self, project_id: str) -> ProjectStore:
        """The rows of one project."""
        return self.store.for_project(project_id)

    async def story(self, project_id: str, world_id: str, revision: int) -> Story | Refusal:
        """A pinned story, ready to run. Revisions never change, so one that was read is kept for the next beat.

        Refusals: `world_unknown`, `package_unknown`. Content is trusted: today's limits do not judge it again.
        """
        place = (project_id, world_id, revision)
        if place in self._stories:
            self._stories.move_to_end(place)
            return self._stories[place]
        project = self.project(project_id)
        stored_world = await project.revision(WorkKind.WORLD, world_id, revision)
        if stored_world is None:
            return refusal("world_unknown")
        world = read_world(read_stored(stored_world.content))
        stored_package = await project.revision(WorkKind.PACKAGE, world.package_id, world.package_revision)
        if stored_package is None:
            return refusal("package_unknown")
        story = Story(read_package(read_stored(stored_package.content)), world, stored_world.digest)
        self._stories[place] = story
        if len(self._stories) > _STORIES_KEPT_MAX:
            self._stories.popitem(last=False)
        return story

    async def story_of(self, project_id: str, session: StoredSession) -> Story | Refusal:
        """The story that a session is pinned to."""
        return await self.story(project_id, session.world_id, session.world_revision)


def head_of(session: StoredSession) -> Head:
    """The head of a stored session."""
    return read_head(
        record_of(session.record),
        read_state(read_stored(session.state)),
        session.status,
        seed=session.seed,
        episode_runs=session.episode_runs,
    )


@lru_cache(maxsize=_RECORDS_KEPT_MAX)
def record_of(data: bytes) -> Record:
    """A stored beat record. The same bytes are the same record, so memory costs one reading a beat; it is never
    changed.
    """
    record: Record = read_stored(data)
    return record


def replies_of(beat: StoredBeat) -> Replies:
    """The raw replies that were stored with a beat."""
    replies: Replies = read_stored(beat.replies)["replies"]
    return replies
