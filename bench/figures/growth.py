"""Whether a beat costs the same however much there is: roles, beats before it, sessions beside it.

Each is told twice. The time on the clock is what a player waits, and has the disk's moods in it; the processor time has
none, and shows a smaller change.
"""

from __future__ import annotations

import time
from asyncio import Runner
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from bench.figure import Row, Setting, ratio_row
from bench.houses import Played, begin, house_in
from bench.pairs import interleave
from bench.stopwatch import Clock, awaiting
from bench.story import CASTS, content
from storyworld.core import limits
from storyworld.core.playtest.draws import Draws
from storyworld.core.playtest.maximal import SEATED, cast_of, maximal_content
from storyworld.store.sqlite import FILE_NAME, library

_CLOCKS: Final[tuple[tuple[str, Clock], ...]] = (
    ("on the clock", time.perf_counter_ns),
    ("processor", time.process_time_ns),
)
_CAST_MAX = 1.2
_HISTORY_MAX = 1.1
_SESSIONS_MAX = 1.1
_FEW, _MANY = CASTS[0], CASTS[-1]
_WARM = 30
_EARLY, _LATE = 60, 500
_SESSIONS = 1_000
_SESSION_BEATS = 12


def measure_cast(setting: Setting) -> Iterator[Row]:
    """24 roles against 3, the same three of them seated: in an ordinary story, and in the largest that there may be."""
    largest = maximal_content(limits.STORY_PACKAGE_MAX_BYTES.value)
    with Runner() as runner:
        house = runner.run(house_in(setting.folder))
        many, few = (runner.run(begin(house, content(roles))) for roles in (_MANY, _FEW))
        yield from _compared(runner, (many, few), setting.many(120, 40), ("24 roles, against 3", _CAST_MAX))
        many, few = (runner.run(begin(house, cast)) for cast in (largest, cast_of(largest, SEATED)))
        title = "24 roles, against 3, in the largest package"
        yield from _compared(runner, (many, few), setting.many(30, 9), (title, _CAST_MAX))
        runner.run(house.close())


def measure_history(setting: Setting) -> Iterator[Row]:
    """Beat 500 against beat 60: as many beats before each of them are measured as after it."""
    pairs = setting.many(60, 20)
    with Runner() as runner:
        house = runner.run(house_in(setting.folder))
        late, early = (runner.run(begin(house, content(_FEW))) for _ in range(2))
        for played, middle in ((late, _LATE), (early, _EARLY)):
            # Each clock measures its own pairs, and each begins with a pair that is not counted.
            runner.run(played.play_to(middle - (pairs + 1)))
        yield from _compared(
            runner, (late, early), pairs, (f"beat {_LATE}, against beat {_EARLY}", _HISTORY_MAX), warm=False
        )
        runner.run(house.close())


def measure_sessions(setting: Setting) -> Iterator[Row]:
    """A beat in a database of 1,000 sessions of 12 beats each, against one in a database of one session."""
    with Runner() as runner:
        many, one = (runner.run(_begun_in(setting.folder / name)) for name in ("many", "one"))
        _store_copies(setting.folder / "many", many.session_id)
        title = f"{_SESSIONS:,} stored sessions, against 1"
        yield from _compared(runner, (many, one), setting.many(120, 40), (title, _SESSIONS_MAX))
        runner.run(many.house.close())
        runner.run(one.house.close())


def _compared(
    runner: Runner, sessions: tuple[Played, Played], pairs: int, row: tuple[str, float], *, warm: bool = True
) -> Iterator[Row]:
    """A row for each clock: a beat of the one session against a beat of the other."""
    for played in sessions if warm else ():
        runner.run(played.play_to(_WARM))
    for name, clock in _CLOCKS:
        load, yardstick = (awaiting(runner, played.beat, clock) for played in sessions)
        measured = interleave(load, yardstick, pairs)
        yield ratio_row(f"{row[0]}: {name}", measured, ("beat", "against"), row[1])


async def _begun_in(folder: Path) -> Played:
    played = await begin(await house_in(folder), content(_FEW))
    await played.play_to(_SESSION_BEATS)
    return played


def _store_copies(folder: Path, session_id: str) -> None:
    """Store the session again and again under other ids, row for row, until there are 1,000 in all."""
    connection: Any = library().connect(str(folder / FILE_NAME), isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    draws = Draws(_SESSIONS)
    others = [f"ses_{draws.bits():016x}{draws.bits():016x}" for _ in range(1, _SESSIONS)]
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    for table in tables:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        if "session_id" not in columns:
            continue
        chosen = ", ".join("?" if column == "session_id" else column for column in columns)
        copy = f"INSERT INTO {table} ({', '.join(columns)}) SELECT {chosen} FROM {table} WHERE session_id = ?"
        connection.executemany(copy, [(other, session_id) for other in others])
    connection.execute("COMMIT")
    (sessions,) = connection.execute("SELECT count(*) FROM sessions").fetchone()
    assert sessions == _SESSIONS
    connection.close()
