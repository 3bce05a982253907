"""What a beat costs besides the model: the whole use case, against one bare durable commit of the same bytes.

No beat can be cheaper than that: it has to be on the disk before it is acknowledged.
"""

from __future__ import annotations

import time
from asyncio import Runner
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.figure import Row, Setting, ratio_row
from bench.houses import Played, begin, house_in
from bench.interval import estimate
from bench.pairs import Load, interleave, repeat
from bench.stopwatch import awaiting, waiting
from bench.story import CASTS, answer, content, next_trigger
from storyworld.application.play import new_beat
from storyworld.application.ports import Appended, NewBeat
from storyworld.core.playtest.run import Run
from storyworld.core.trigger import read_turn
from storyworld.core.turn import Settled
from storyworld.store.sqlite import library
from storyworld.wiring import LOCAL_PROJECT

_BEAT_MAX = 3.0
_CAST = CASTS[0]
_HISTORY = 30


class BareCommits:
    """A database of one table. Each commit inserts one row of as many bytes as are wanted, and is durable."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._connection: Any = library().connect(str(folder / "bare.db"), isolation_level=None)
        for setting in ("journal_mode=WAL", "synchronous=FULL"):
            self._connection.execute(f"PRAGMA {setting}")
        self._connection.execute("CREATE TABLE beats (content BLOB NOT NULL) STRICT")

    def commit(self, data: bytes) -> None:
        """One transaction that is on the disk when this returns."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("INSERT INTO beats VALUES (?)", (data,))
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Give the file back."""
        self._connection.close()


def measure(setting: Setting) -> Iterator[Row]:
    """A whole beat of three seats, without an idempotency key and with one, and the store's part of it alone."""
    bare = BareCommits(setting.folder / "bare")
    with Runner() as runner:
        house = runner.run(house_in(setting.folder / "house"))
        played = runner.run(begin(house, content(_CAST)))
        runner.run(played.play_to(_HISTORY))
        data = bytes(runner.run(played.stored_bytes()))  # as many as a beat leaves; nothing looks at which
        committed = waiting(lambda: bare.commit(data))
        pairs = setting.many(300, 60)
        whole = interleave(awaiting(runner, played.beat), committed, pairs)
        yield ratio_row("a whole beat, against one bare commit", whole, ("beat", "commit"), _BEAT_MAX)
        yield Row("a whole beat, less one bare commit", "ms", whole.difference().scaled(1000))
        computed = repeat(awaiting(runner, played.beat, time.process_time_ns), pairs)
        yield Row("a whole beat, processor", "ms", estimate(computed).scaled(1000))
        keyed = interleave(awaiting(runner, lambda: played.beat(with_key=True)), committed, pairs)
        yield ratio_row("the same with an idempotency key", keyed, ("beat", "commit"))
        appended = interleave(_appending(runner, played, pairs + 1), committed, pairs)
        yield ratio_row("the store's append alone, against one bare commit", appended, ("append", "commit"))
        runner.run(house.close())
    bare.close()


def _appending(runner: Runner, played: Played, beats: int) -> Load:
    """Appends beats to the session that lie ready. They are made beforehand, in memory, and need not follow from it."""
    run = Run(runner.run(_story_of(played)), 7, answer, session_id=played.session_id)
    ready = iter(_made(run, beats, played.record["beat"] + 1))
    project = played.house.project(LOCAL_PROJECT)
    last_hash: str = played.record["hash"]

    async def append(new: NewBeat, expected: str) -> None:
        assert await project.append(played.session_id, expected_hash=expected, new=new) is Appended.DONE

    def load() -> float:
        nonlocal last_hash
        new, expected = next(ready), last_hash
        last_hash = new.hash
        return awaiting(runner, lambda: append(new, expected))()

    return load


async def _story_of(played: Played) -> Any:
    session = await played.house.project(LOCAL_PROJECT).session(played.session_id)
    assert session is not None, "it is being played"
    return await played.house.story_of(LOCAL_PROJECT, session)


def _made(run: Run, beats: int, first: int) -> list[NewBeat]:
    """As many beats as wanted, in the form in which the store takes them, numbered from `first` on."""
    made: list[NewBeat] = []
    for place in range(_HISTORY + beats):
        settled = run.move(read_turn(next_trigger(run.record)))
        assert isinstance(settled, Settled), settled
        if place >= _HISTORY:
            new = new_beat(settled)
            made.append(
                NewBeat(
                    first + place - _HISTORY,
                    new.hash,
                    new.record,
                    new.replies,
                    new.seats,
                    new.state,
                    new.status,
                    new.created_at,
                )
            )
    return made
