"""A row of draws from one seed: chance for generated stories and walks, the same on every machine and for ever.

It owns the arithmetic. It must not know what is drawn for. A running session never draws from here: its chance follows
from (seed, beat, label) alone, in `chance`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

Drawn = TypeVar("Drawn")
_MASK: Final = 2**64 - 1


class Draws:
    """Draws one after the other from a seed (an integer, taken modulo 2^64), by splitmix64 of Steele, Lea and Flood."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def bits(self) -> int:
        """The next 64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, bound: int) -> int:
        """An integer from 0 up to, and without, a bound of at least 1."""
        return self.bits() * bound >> 64

    def between(self, least: int, most: int) -> int:
        """An integer from `least` to `most`, both included."""
        return least + self.below(most - least + 1)

    def once_in(self, times: int) -> bool:
        """True once in so many times."""
        return self.below(times) == 0

    def pick(self, choices: Sequence[Drawn]) -> Drawn:
        """One of the choices; there is at least one."""
        return choices[self.below(len(choices))]

    def some(self, choices: Sequence[Drawn], most: int) -> list[Drawn]:
        """Up to `most` of the choices, each at most once, in a drawn order; perhaps none."""
        left = list(choices)
        return [left.pop(self.below(len(left))) for _ in range(self.between(0, min(most, len(left))))]

    def apart(self) -> Draws:
        """A row of its own, so that more draws there change none here."""
        return Draws(self.bits())
