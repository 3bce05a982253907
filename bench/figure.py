"""What a figure is: rows with an estimate, and the gate that each has to hold.

It must not know any figure, nor how one is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from bench.interval import Estimate, estimate
from bench.pairs import Pairs

Verdict = Literal["held", "missed", "—"]
Unit = Literal["x", "ms", "s", "B", "beats/s", "characters", "calls"]


@dataclass(frozen=True, slots=True)
class Gate:
    """A bound that was promised: an upper one, or a lower one where more is better."""

    value: float
    at_least: bool = False

    def verdict(self, found: Estimate) -> Verdict:
        """Missed only where the whole interval lies beyond the bound: then chance is no excuse any more."""
        missed = found.high < self.value if self.at_least else found.low > self.value
        return "missed" if missed else "held"

    def to_json(self) -> dict[str, Any]:
        """The gate as a JSON value."""
        return {"atLeast" if self.at_least else "atMost": self.value}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `costs` are the medians that a ratio was taken of, by what they are of, in words."""

    title: str
    unit: Unit
    found: Estimate
    gate: Gate | None = None
    costs: Mapping[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        """Whether the gate was held; a dash where there is none."""
        return "—" if self.gate is None else self.gate.verdict(self.found)

    def to_json(self) -> dict[str, Any]:
        """The row as a JSON value."""
        value: dict[str, Any] = {
            "title": self.title,
            "unit": self.unit,
            "median": self.found.median,
            "low": self.found.low,
            "high": self.found.high,
            "samples": self.found.samples,
            "verdict": self.verdict,
            "costs": dict(self.costs),
        }
        if self.gate is not None:
            value["gate"] = self.gate.to_json()
        return value


def ratio_row(title: str, pairs: Pairs, of: tuple[str, str], gate: float | None = None) -> Row:
    """A row for a ratio of times (seconds); `of` names the load and the yardstick."""
    costs = {name: milliseconds(values) for name, values in zip(of, (pairs.load, pairs.yardstick), strict=True)}
    return Row(title, "x", pairs.ratio(), None if gate is None else Gate(gate), costs)


def milliseconds(seconds: tuple[float, ...]) -> str:
    """The median of some times, in words."""
    return f"{estimate(seconds).median * 1000:.3g} ms"


@dataclass(frozen=True, slots=True)
class Setting:
    """How a figure is to be measured: where it may keep files, and whether a rough answer will do.

    `times_max` bounds how often anything is measured, for who wants to know only that it can be.
    """

    folder: Path
    quick: bool = False
    times_max: int | None = None

    def many(self, full: int, quick: int) -> int:
        """How many measurements to make."""
        wanted = quick if self.quick else full
        return wanted if self.times_max is None else min(wanted, self.times_max)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure by name; measuring it gives its rows."""

    name: str
    measure: Callable[[Setting], Iterator[Row]]
