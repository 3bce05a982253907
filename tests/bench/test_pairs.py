"""Loads measured in turn: their ratio is found through noise that falls on both, and none of them is always first."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from itertools import count

import pytest

from bench.pairs import Load, Pairs, interleave, repeat
from storyworld.core.playtest.draws import Draws

PAIRS = 101


def noisy(draws: Draws, seconds: float) -> Load:
    """A load of so many seconds, half as much again at most, and ten times as many now and then."""
    return lambda: seconds * (1 + draws.below(1000) / 2000) * (10 if draws.once_in(15) else 1)


@pytest.mark.parametrize("seed", range(5))
def test_two_equal_loads_give_an_interval_that_holds_one(seed: int) -> None:
    draws = Draws(seed)
    found = interleave(noisy(draws, 0.2), noisy(draws, 0.2), PAIRS).ratio()
    assert found.low < 1 < found.high


@pytest.mark.parametrize("seed", range(5))
def test_a_doubled_load_gives_about_two(seed: int) -> None:
    draws = Draws(seed)
    found = interleave(noisy(draws, 0.4), noisy(draws, 0.2), PAIRS).ratio()
    assert 1.8 < found.low < 2 < found.high < 2.2


def test_a_machine_that_grows_slower_slows_both_and_the_ratio_stays() -> None:
    slowness = count(1)
    pairs = interleave(lambda: 3.0 * next(slowness), lambda: 1.0 * next(slowness), PAIRS)
    found = pairs.ratio()
    assert found.low < 3 < found.high
    assert pairs.load[-1] > 50 * pairs.load[0]


def test_the_loads_take_turns_in_being_first_after_each_has_run_once() -> None:
    ran: list[str] = []

    def load(name: str) -> Load:
        def run() -> float:
            ran.append(name)
            return 1.0

        return run

    interleave(load("A"), load("B"), 4)
    assert "".join(ran) == "AB" + "ABBAABBA"


def test_what_a_load_costs_more_is_told_for_each_of_its_parts() -> None:
    pairs = Pairs(load=(5.0, 6.0, 7.0), yardstick=(1.0, 2.0, 3.0))
    assert pairs.difference(8).median == 0.5
    assert pairs.ratio().median == 3.0


def test_the_garbage_collector_is_left_as_it_was_even_where_a_load_fails() -> None:
    costs: Iterator[float] = iter([1.0, 1.0])
    with pytest.raises(StopIteration):
        interleave(lambda: next(costs), lambda: 1.0, 5)
    assert gc.get_freeze_count() == 0
    assert gc.isenabled()


def test_a_single_load_is_measured_as_often_as_wanted_and_once_beforehand() -> None:
    numbers = count()
    assert repeat(lambda: float(next(numbers)), 3) == (1.0, 2.0, 3.0)
