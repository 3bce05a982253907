"""What many measurements say: their median, and the interval in which the true median lies.

It owns the arithmetic. It must not know what was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from statistics import median

CONFIDENCE_PERCENT = 95
"""How sure the interval is. With fewer than 6 values there is no such interval, and the whole range stands for it."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A median, the bounds of its interval, and how many values they rest on."""

    median: float
    low: float
    high: float
    samples: int

    def scaled(self, factor: float) -> Estimate:
        """The same in another unit."""
        return Estimate(self.median * factor, self.low * factor, self.high * factor, self.samples)


def estimate(values: Sequence[float]) -> Estimate:
    """The median of at least one value, with the exact interval of the sign test.

    Whatever the values are distributed like, each lies above the true median as often as below. So how many lie above
    is binomial, and of the ordered values only the outermost may be left out. Nothing is drawn at random.
    """
    ordered = sorted(values)
    outside = _left_out(len(ordered))
    return Estimate(median(ordered), ordered[outside], ordered[-1 - outside], len(ordered))


def exactly(value: float, samples: int) -> Estimate:
    """A value that was counted, not measured: it has no width."""
    return Estimate(value, value, value, samples)


def _left_out(count: int) -> int:
    """How many of the ordered values lie outside the interval at each end."""
    left_out, ways = 0, 1
    # 2.5 % at each end is a fortieth. `ways` counts in how many of the 2^count cases so few lie on one side.
    while ways * 2 * 100 <= (100 - CONFIDENCE_PERCENT) * 2**count:
        left_out += 1
        ways += comb(count, left_out)
    return max(0, left_out - 1)
