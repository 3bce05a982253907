"""What is around the engine besides a store: performers, the time, chance, and whoever follows along."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from storyworld.core.call import Call, Failure, Performance
from storyworld.core.candidate import Candidate
from storyworld.core.errors import Refusal

Hear = Callable[[str], None]
"""Takes the next piece of a raw reply as it comes."""


class Performer(Protocol):
    """Whoever voices a role: a model, a script, the rehearsal."""

    async def perform(self, call: Call, hear: Hear) -> Performance | Failure:
        """Give one reply, and let it be heard piece by piece where it comes so. Faults of the provider come back as a
        `Failure`; an exception is a bug.
        """
        ...


class Audience(Protocol):
    """Whoever follows one beat while it is made. What is told is provisional until the beat is committed.

    It is told at once and must neither raise nor wait.
    """

    def began(self, beat: int, seats: Sequence[str], skipped: Sequence[Mapping[str, str]]) -> None:
        """The seats are filled. `skipped` has `roleId`, `code` and `detail` of every other role."""
        ...

    def line_grew(self, role_id: str, text: str) -> None:
        """So much more of a line is certain, unless the reply turns out to be unusable."""
        ...

    def line_completed(self, role_id: str, text: str, action: str | None) -> None:
        """The line as the beat will have it."""
        ...

    def line_discarded(self, role_id: str, code: str) -> None:
        """The role does not speak in this beat after all."""
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
