"""Chance for the rehearsal: numbers that follow from one draw, the same on every machine."""

from __future__ import annotations

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


class Draws:
    """A row of numbers made from one integer (SplitMix64: one multiplication chain a number, and no state to seed)."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def below(self, bound: int) -> int:
        """The next number, from 0 to `bound` - 1."""
        self._state = (self._state + _STEP) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return (mixed ^ (mixed >> 31)) % bound

    def one_in(self, bound: int) -> bool:
        """True once in `bound` times, on average."""
        return self.below(bound) == 0
