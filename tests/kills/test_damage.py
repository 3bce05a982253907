"""A disk that gives back something else than was written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from storyworld.core.errors import Refusal
from storyworld.store.sqlite import FILE_NAME
from tests.kills.harbour import Berth
from tests.kills.voyage import make_beat, open_house

PAGE_BYTES = 4096


def damage(path: Path) -> None:
    """Write over the head of every page but the first, by which the file is known as a database."""
    with path.open("r+b") as file:
        for page in range(PAGE_BYTES, path.stat().st_size, PAGE_BYTES):
            file.seek(page)
            file.write(b"\xff" * 16)


def test_damage_is_told_as_such_and_no_beat_is_made_on_it(berth: Callable[[], Berth]) -> None:
    here = berth()

    async def whole() -> object:
        house = await open_house(here.folder)
        damage(here.folder / FILE_NAME)
        made = await make_beat(house, here.session_id, 1)
        await house.store.close()
        return made

    made = asyncio.run(whole())
    assert isinstance(made, Refusal)
    assert made.code == "integrity_failed"
