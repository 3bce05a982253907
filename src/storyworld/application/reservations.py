"""One beat at a time: who is making a beat of which session, in this process.

With SQLite one process serves, so a reservation lives in its memory and a kill frees it. The commit compares heads
whatever this says; a reservation only spares the second request its model calls.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Reservations:
    """The sessions that are making a beat, with the idempotency key that each is for."""

    _running: dict[tuple[str, str], str | None] = field(default_factory=dict)

    def reserve(self, project_id: str, session_id: str, key: str | None) -> str | None:
        """Reserve the session; returns None, or the code that says why not: `in_progress` or `session_busy`."""
        place = (project_id, session_id)
        if place not in self._running:
            self._running[place] = key
            return None
        same = key is not None and self._running[place] == key
        return "in_progress" if same else "session_busy"

    def is_running(self, project_id: str, session_id: str, key: str) -> bool:
        """Whether a request with this key is making a beat of the session now."""
        return self._running.get((project_id, session_id)) == key

    def release(self, project_id: str, session_id: str) -> None:
        """Give the session free again."""
        del self._running[(project_id, session_id)]
