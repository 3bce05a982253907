"""Chance from a seed: the same everywhere, and even enough to explore with."""

from __future__ import annotations

from collections import Counter

from storyworld.core.playtest.draws import Draws


def test_the_same_seed_draws_the_same_on_every_machine() -> None:
    # The first outputs of splitmix64 for this seed, as its authors' reference gives them.
    draws = Draws(1234567)
    assert [draws.bits() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert Draws(-1).bits() == Draws(2**64 - 1).bits()


def test_every_value_of_a_range_is_drawn_about_equally_often() -> None:
    draws = Draws(1)
    counts = Counter(draws.between(-2, 2) for _ in range(5000))
    assert set(counts) == {-2, -1, 0, 1, 2}
    assert all(850 < count < 1150 for count in counts.values())


def test_some_of_the_choices_are_drawn_each_at_most_once() -> None:
    draws = Draws(2)
    sizes = set()
    for _ in range(200):
        found = draws.some("abcde", 3)
        assert len(set(found)) == len(found)
        sizes.add(len(found))
    assert sizes == {0, 1, 2, 3}
    assert draws.some((), 3) == []


def test_a_row_apart_changes_nothing_in_the_row_it_came_from() -> None:
    one, other = Draws(3), Draws(3)
    one.apart().bits()
    inner = other.apart()
    assert [inner.once_in(2) for _ in range(9)].count(True) < 9
    assert one.pick(range(1000)) == other.pick(range(1000))
