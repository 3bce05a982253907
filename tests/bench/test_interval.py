"""The median of many values, and the interval that holds the true one."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from bench.interval import Estimate, estimate, exactly
from storyworld.core.playtest.draws import Draws

DRAWN = 400


def coverage(count: int) -> Fraction:
    """How likely the interval of so many values holds the true median: the sign test, counted out."""
    found = estimate(range(count))
    within = range(int(found.low) + 1, int(found.high) + 1)
    return Fraction(sum(comb(count, below) for below in within), 2**count)


def test_the_median_stands_with_its_interval_and_how_many_values_it_rests_on() -> None:
    assert estimate([5, 1, 4, 2, 3, 9, 8, 7, 6, 10]) == Estimate(5.5, 2, 9, 10)


@pytest.mark.parametrize("count", [6, 9, 21, 60, 300])
def test_the_interval_is_the_narrowest_of_ordered_values_that_holds_95_percent(count: int) -> None:
    found = estimate(range(count))
    assert coverage(count) >= Fraction(95, 100)
    assert found.low + found.high == count - 1
    inner = range(int(found.low) + 2, int(found.high))
    assert Fraction(sum(comb(count, below) for below in inner), 2**count) < Fraction(95, 100)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_interval_of_too_few_values_is_their_whole_range(count: int) -> None:
    assert estimate(range(count)) == Estimate((count - 1) / 2, 0, count - 1, count)


def test_the_interval_holds_the_median_of_what_is_drawn_in_about_95_of_100_cases() -> None:
    draws = Draws(3)
    held = 0
    for _ in range(DRAWN):
        found = estimate([draws.below(1_000_001) for _ in range(25)])
        held += found.low <= 500_000 <= found.high
    assert 0.93 < held / DRAWN < 0.99


def test_one_wild_value_moves_the_interval_no_further_than_to_its_neighbour() -> None:
    calm = estimate(range(30))
    wild = estimate([*range(29), 10**9])
    assert (wild.median, wild.low, wild.high) == (calm.median, calm.low, calm.high)


def test_what_was_counted_has_no_width() -> None:
    assert exactly(3, 12) == Estimate(3, 3, 3, 12)
