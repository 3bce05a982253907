"""Where the parts are put together: the only place that knows the real clock, chance, store and performers."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from storyworld.application.house import House
from storyworld.application.ports import Performer
from storyworld.core import limits
from storyworld.models.rehearsal import Rehearsal
from storyworld.store.sqlite import FILE_NAME, open_sqlite

LOCAL_PROJECT = "local"
"""The project of the command line."""


class SystemClock:
    """The time of day of this machine, in UTC with milliseconds."""

    def now(self) -> str:
        """UTC as `2026-11-30T21:00:00.000Z`."""
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class RandomIdentity:
    """Ids of 128 random bits, and seeds."""

    def new_id(self, prefix: str) -> str:
        """`prefix`, an underscore and 32 hexadecimal digits."""
        return f"{prefix}_{secrets.token_hex(16)}"

    def new_seed(self) -> int:
        """An integer from 0 to 2^53 - 1."""
        return secrets.randbelow(limits.SEED_MAX.value + 1)

    def new_secret(self) -> str:
        """256 random bits as 43 characters."""
        return secrets.token_urlsafe(32)


def has_data(data: Path) -> bool:
    """Whether there is something in the place of the data folder to be opened: a database, or what is no folder."""
    return (data / FILE_NAME).exists() or (data.exists() and not data.is_dir())


async def open_house(data: Path, performers: Mapping[str, Performer] | None = None) -> House:
    """The whole engine on an embedded database in the folder `data`, which is created where it is new.

    `performers` are added to the built-in rehearsal, by provider name. Raises StoreError as the store does.
    """
    store = await open_sqlite(data)
    house = House(
        store=store,
        performers={"rehearsal": Rehearsal(), **(performers or {})},
        clock=SystemClock(),
        identity=RandomIdentity(),
    )
    await store.create_project(LOCAL_PROJECT, "Local", house.clock.now())
    return house
