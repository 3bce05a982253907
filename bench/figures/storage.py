"""How many bytes a beat leaves behind, with the lines of the rehearsal.

What the database grows by has its indexes, its pages and the room left free in them; what stands in its rows has not.
"""

from __future__ import annotations

from asyncio import Runner
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from bench.figure import Gate, Row, Setting
from bench.houses import Played, begin, house_in
from bench.interval import estimate
from bench.story import CASTS, content
from storyworld.core.canonical import parse
from storyworld.models.rehearsal import PROVIDER
from storyworld.store.sqlite import FILE_NAME, library
from storyworld.stories import DEFAULT_STORY, read_story

_BYTES_MAX = 8_000
_BLOCK = 20
_WARM: Final = 40


def measure(setting: Setting) -> Iterator[Row]:
    """A Chinese story, and the English one that comes along without its endings, so that neither ends."""
    english = {**parse(read_story(DEFAULT_STORY)), "endings": [], "series": []}
    for language, value in (("Chinese", content(CASTS[0])), ("English", english)):
        folder = setting.folder / language
        with Runner() as runner:
            house = runner.run(house_in(folder))
            played = runner.run(begin(house, value, PROVIDER))
            runner.run(played.play_to(_WARM))
            yield from _rows(runner, played, folder, setting.many(15, 6), language)
            runner.run(house.close())


def _rows(runner: Runner, played: Played, folder: Path, blocks: int, language: str) -> Iterator[Row]:
    """Every block of beats gives a value: how much the file and its log have grown, and what was put into rows."""
    grown: list[float] = []
    stored: list[float] = []
    for _ in range(blocks):
        before = _database_bytes(folder)
        for _ in range(_BLOCK):
            runner.run(played.beat())
            stored.append(runner.run(played.stored_bytes()))
        grown.append((_database_bytes(folder) - before) / _BLOCK)
    yield Row(f"the database grows by, for each {language} beat", "B", estimate(grown), Gate(_BYTES_MAX))
    yield Row(f"record, replies and state of each {language} beat", "B", estimate(stored))


def _database_bytes(folder: Path) -> int:
    """The pages of the database, those that are still in its log included."""
    connection: Any = library().connect(str(folder / FILE_NAME), isolation_level=None)
    pages, page_bytes = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    connection.close()
    return int(pages * page_bytes)
