"""Deliberations: candidate beats that were worked out for a head and not committed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class DeliberationStatus(StrEnum):
    """What may still become of a deliberation. It is worked out when it is read."""

    OPEN = "open"
    COMMITTED = "committed"
    STALE = "stale"  # another beat has moved the head on


@dataclass(frozen=True, slots=True)
class Deliberation:
    """A deliberation without what was asked and what came of it. `after_hash` is the head that it was made for;
    `committed_beat` is the beat that it became, None for none.
    """

    deliberation_id: str
    after_beat: int
    after_hash: str
    status: DeliberationStatus
    committed_beat: int | None
    created_at: str


@dataclass(frozen=True, slots=True)
class NewDeliberation:
    """A deliberation to be stored: what was asked, and what came of each candidate, as canonical bytes.

    `tokens` are added to what the session has spent.
    """

    deliberation_id: str
    after_beat: int
    after_hash: str
    request: bytes
    outcomes: Mapping[int, bytes]
    created_at: str
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class StoredDeliberation:
    """A deliberation, whole; `outcomes` by the number of the candidate."""

    summary: Deliberation
    request: bytes
    outcomes: Mapping[int, bytes]


class Deliberations(Protocol):
    """The deliberations in the sessions of one project. Forks do not inherit them."""

    async def put_deliberation(self, session_id: str, new: NewDeliberation) -> bool:
        """Store a deliberation and count its tokens, in one transaction; one whose head has moved meanwhile is stale at
        once. False, and nothing changed, if the session is unknown or has a deliberation of that id.
        """
        ...

    async def deliberation(self, session_id: str, deliberation_id: str) -> StoredDeliberation | None:
        """One deliberation, whole."""
        ...

    async def deliberations(self, session_id: str, *, limit: int, after: str | None = None) -> Sequence[Deliberation]:
        """Up to `limit` deliberations in the order of their ids, after the id `after`."""
        ...
