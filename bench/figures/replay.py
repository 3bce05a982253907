"""What it costs to verify a session by replay, against reading its beats and hashing them.

The yardstick reads the same rows, parses the records with the same strict parser and hashes each one anew. That is what
a chain of hashes alone would cost; the rest is the price of playing every beat again.
"""

from __future__ import annotations

from asyncio import Runner
from collections.abc import Iterator

from bench.figure import Row, Setting, ratio_row
from bench.houses import Played, begin, house_in, well
from bench.pairs import Load, interleave
from bench.stopwatch import awaiting
from bench.story import CASTS, PROVIDER, Instant, content
from storyworld.application.house import House, record_of
from storyworld.application.verify import BEATS_PER_READ, verify_session
from storyworld.core.beat import record_hash
from storyworld.core.canonical import read_stored
from storyworld.wiring import LOCAL_PROJECT

_BEATS = 500
_REPLAY_MAX = 20.0
_CAST = CASTS[0]


def measure(setting: Setting) -> Iterator[Row]:
    """A session of 500 beats with three seats each."""
    with Runner() as runner:
        house = runner.run(house_in(setting.folder))
        played = runner.run(begin(house, content(_CAST)))
        runner.run(played.play_to(_BEATS))
        pairs = interleave(
            _verifying(runner, played), awaiting(runner, lambda: _read_and_hash(played)), setting.many(21, 6)
        )
        yield ratio_row(
            "500 beats are verified, against reading and hashing them", pairs, ("verified", "read"), _REPLAY_MAX
        )
        runner.run(house.close())


def _verifying(runner: Runner, played: Played) -> Load:
    """Verifies the session as a process does that has never seen it: nothing that was read or worded is remembered."""

    async def fresh() -> House:
        house = played.house
        other = House(house.store, {PROVIDER: Instant()}, house.clock, house.identity)
        session = await other.project(LOCAL_PROJECT).session(played.session_id)
        assert session is not None, "it was played"
        well(await other.story_of(LOCAL_PROJECT, session))
        return other

    async def verify(house: House) -> None:
        verification = well(await verify_session(house, LOCAL_PROJECT, played.session_id))
        assert (verification.ok, verification.beats) == (True, _BEATS + 1), verification

    def load() -> float:
        house = runner.run(fresh())
        record_of.cache_clear()
        return awaiting(runner, lambda: verify(house))()

    return load


async def _read_and_hash(played: Played) -> None:
    project = played.house.project(LOCAL_PROJECT)
    for first in range(0, _BEATS + 1, BEATS_PER_READ):
        for beat in await project.beats(played.session_id, first, first + BEATS_PER_READ - 1):
            assert record_hash(read_stored(beat.record)) == beat.hash
