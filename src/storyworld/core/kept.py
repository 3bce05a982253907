"""What was worked out of a value is kept, so that it is not worked out again while the value is in use.

A value is known again by being the very same object, which costs nothing to ask. So it has to be one that nobody
changes once it is made. This file owns the keeping; it must not know what is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

Source = TypeVar("Source")
Made = TypeVar("Made")

KEPT_MAX: Final = 1024
"""How many values one `Kept` remembers. The largest beat looks back on 150 records: 3 seats with 50 beats of memory."""


class Kept(Generic[Made]):
    """What follows from each of the last values that were asked about; at most `KEPT_MAX` of them."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, Made]] = {}

    def of(self, source: Source, make: Callable[[Source], Made]) -> Made:
        """What `make` makes of the value: made now, or kept from the last time. `make` is the same every time."""
        known = self._kept.get(id(source))
        if known is None:
            if len(self._kept) >= KEPT_MAX:
                self._kept.clear()
            # The source is kept as well: while it is, no other value can have its id.
            known = self._kept[id(source)] = (source, make(source))
        return known[1]
