"""What is around the engine besides a store: performers, the time, chance, and whoever follows along."""

from __future__ import annotations

from typing import Protocol

from storyworld.core.call import Call, Failure, Performance
from storyworld.core.candidate import Candidate
from storyworld.core.errors import Refusal


class Performer(Protocol):
    """Whoever voices a role: a model, a script, the rehearsal."""

    async def perform(self, call: Call) -> Performance | Failure:
        """Give one reply. Faults of the provider come back as a `Failure`; an exception is a bug."""
        ...


class Assistant(Protocol):
    """A model that reads scripts for authors."""

    async def candidate_of(self, project_id: str, script: str) -> Candidate | Refusal:
        """A candidate with the source lines of every item. What it says is judged like anything else that is sent."""
        ...


class Clock(Protocol):
    """The time of day."""

    def now(self) -> str:
        """UTC as `2026-11-30T21:00:00.000Z`."""
        ...


class Identity(Protocol):
    """New ids and seeds."""

    def new_id(self, prefix: str) -> str:
        """`prefix` and 128 random bits, in characters that an id may have."""
        ...

    def new_seed(self) -> int:
        """An integer from 0 to 2^53 - 1."""
        ...

    def new_secret(self) -> str:
        """256 random bits as 43 characters of the URL-safe Base64 alphabet."""
        ...


class Watchers(Protocol):
    """Whoever follows sessions. They are told after the commit, and what they do cannot undo it."""

    def committed(self, project_id: str, session_id: str, beat: int) -> None:
        """A beat was committed."""
        ...
