"""The whole engine on a disk, and sessions that are played in it as a client would play them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from bench.story import PROVIDER, Instant, next_trigger
from storyworld.application.advance import advance, once
from storyworld.application.begin import begin_session
from storyworld.application.house import House
from storyworld.application.play import Request
from storyworld.application.playable import make_playable
from storyworld.core.beat import Record
from storyworld.core.canonical import canonical_bytes
from storyworld.core.errors import Refusal
from storyworld.wiring import LOCAL_PROJECT, open_house

T = TypeVar("T")
_SEED = 7


def well(answer: T | Refusal) -> T:
    """The answer of a use case, which is no refusal: nothing is measured that did not happen."""
    assert not isinstance(answer, Refusal), (answer.code, answer.problems)
    return answer


async def house_in(folder: Path) -> House:
    """The engine on an embedded database in the folder, with the instant performer beside the rehearsal."""
    return await open_house(folder, {PROVIDER: Instant()})


@dataclass
class Played:
    """A session that is being played; `record` is that of its last beat."""

    house: House
    session_id: str
    record: Record

    async def beat(self, *, with_key: bool = False) -> Record:
        """Make the next beat by the use case that every client goes through; with an idempotency key, if wanted."""
        trigger = next_trigger(self.record)
        answer = once(f"key-{self.record['beat']}", trigger) if with_key else None
        committed = await advance(self.house, Request(LOCAL_PROJECT, self.session_id, answer), trigger)
        self.record = well(committed).record
        return self.record

    async def play_to(self, beat: int) -> None:
        """Play on until so many beats have been made."""
        while self.record["beat"] < beat:
            await self.beat()

    async def stored_bytes(self) -> int:
        """What the last beat has left: the bytes of its record, its raw replies and the state."""
        project = self.house.project(LOCAL_PROJECT)
        session = await project.session(self.session_id)
        assert session is not None, "it is being played"
        (beat,) = await project.beats(self.session_id, session.beat, session.beat)
        return len(beat.record) + len(beat.replies) + len(session.state)


async def begin(house: House, content: Mapping[str, Any], provider: str = PROVIDER) -> Played:
    """Publish a package in the house, each role with an agent of the provider, and begin a session of it."""
    playable = well(await make_playable(house, LOCAL_PROJECT, canonical_bytes(content), provider))
    begun = await begin_session(house, LOCAL_PROJECT, playable.world_id, playable.world_revision, seed=_SEED)
    return Played(house, well(begun).session_id, well(begun).opening)
