"""Whoever follows sessions, woken when a beat was committed.

Nothing is kept for a follower but that it was woken: it reads what is new from the store, in its own time. So a slow
one costs nothing, and one that comes back misses nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Watching:
    """The followers of the sessions of this process."""

    def __init__(self) -> None:
        self._followers: dict[tuple[str, str], set[asyncio.Event]] = {}

    @contextmanager
    def following(self, project_id: str, session_id: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever a beat of the session was committed here; the follower clears it."""
        place = (project_id, session_id)
        woken = asyncio.Event()
        followers = self._followers.setdefault(place, set())
        followers.add(woken)
        try:
            yield woken
        finally:
            followers.discard(woken)
            if not followers and self._followers.get(place) is followers:
                del self._followers[place]

    def committed(self, project_id: str, session_id: str, beat: int) -> None:
        """A beat was committed."""
        for woken in self._followers.get((project_id, session_id), ()):
            woken.set()

    def wake_all(self) -> None:
        """Wake every follower: the server is stopping, or something else changed for all of them."""
        for followers in self._followers.values():
            for woken in followers:
                woken.set()

    @property
    def count(self) -> int:
        """How many follow just now."""
        return sum(map(len, self._followers.values()))
