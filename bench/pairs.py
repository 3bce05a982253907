"""Two loads, measured in turn, so that what disturbs the machine disturbs both.

A speed by itself says more of the machine and its hour than of the program. So every figure of speed is a ratio: each
pair of measurements gives one, taken within moments, and the figure is the median of them. It must not know the loads.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass

from bench.interval import Estimate, estimate

Load = Callable[[], float]
"""Does its work once and says what it cost (seconds, bytes); what it prepares for itself it does not count."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """What the load and the yardstick cost, pair by pair."""

    load: tuple[float, ...]
    yardstick: tuple[float, ...]

    def ratio(self) -> Estimate:
        """How many times the yardstick the load costs."""
        return estimate([one / other for one, other in zip(self.load, self.yardstick, strict=True)])

    def difference(self, parts: int = 1) -> Estimate:
        """What the load costs more than the yardstick, for each of so many parts."""
        return estimate([(one - other) / parts for one, other in zip(self.load, self.yardstick, strict=True)])


def interleave(load: Load, yardstick: Load, pairs: int) -> Pairs:
    """Measure both so many times, once each beforehand: load, yardstick, yardstick, load, load, yardstick, …

    Neither is always the first, so what the one leaves behind falls on both alike. The garbage collector stays on,
    since its time is the load's time; but what stood there before is no garbage of theirs, and is taken out of its
    sight.
    """
    load(), yardstick()
    gc.collect()
    gc.freeze()
    costs: list[tuple[float, float]] = []
    try:
        for place in range(pairs):
            if place % 2 == 0:
                first = load()
                costs.append((first, yardstick()))
            else:
                first = yardstick()
                costs.append((load(), first))
    finally:
        gc.unfreeze()
    return Pairs(tuple(one for one, _ in costs), tuple(other for _, other in costs))


def repeat(load: Load, times: int) -> tuple[float, ...]:
    """Measure one load so many times, once more beforehand: for what is absolute, as a speed or a size."""
    load()
    return tuple(load() for _ in range(times))
