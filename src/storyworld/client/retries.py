"""When a request is sent again, and after how long."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

RETRIED_STATUSES: Final = frozenset({429, 503})
"""The server does not take the request just now. What it answers otherwise is meant."""
IN_PROGRESS: Final = "in_progress"
"""The request with this key is running already: its answer comes when it is asked for again."""


@dataclass(frozen=True, slots=True)
class Retries:
    """How patient a client is. Only what cannot happen twice is sent again: what reads, what replaces, and what bears
    an idempotency key or an event id.

    `most` is how often a request is sent again; waits are seconds, doubled each time up to `wait_max`, with some
    chance in them; where the server says how long to wait, that is waited, if it is no longer than `patience`.
    """

    most: int = 5
    wait_first: float = 0.2
    wait_max: float = 8.0
    patience: float = 60.0
    chance: random.Random = field(default_factory=random.Random, compare=False, repr=False)

    def wait(self, attempt: int, asked: float | None) -> float | None:
        """How long to wait before the request is sent for the `attempt`-th time again (from 1); None to give up."""
        if attempt > self.most or (asked is not None and asked > self.patience):
            return None
        backoff = min(self.wait_max, self.wait_first * 2.0 ** (attempt - 1)) * self.chance.uniform(0.5, 1.0)
        return max(backoff, asked or 0.0)


def retry_after(header: str | None, now: datetime | None = None) -> float | None:
    """The seconds that a `Retry-After` header asks for, as a number or a date; None where it says nothing usable."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header.strip())
    try:
        until = parsedate_to_datetime(header)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - (now or datetime.now(UTC))).total_seconds())
