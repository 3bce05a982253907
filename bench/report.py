"""How figures are told: as a table for people, as JSON for programs. It must not know how one was measured."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bench.figure import Gate, Row
from bench.interval import CONFIDENCE_PERCENT

FORMAT: Final = 1
"""The version of the JSON's form."""

_HEADER: Final = ("", "median", f"{CONFIDENCE_PERCENT} % interval", "gate", "", "medians of")
_DIGITS: Final = {"x": ".2f", "ms": ".3f", "s": ".3f"}


def table(rows: Sequence[Row]) -> str:
    """The rows as lines of text, a column under its heading."""
    lines = [_HEADER, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADER))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _cells(row: Row) -> tuple[str, ...]:
    def number(value: float) -> str:
        return format(value, _DIGITS.get(row.unit, ",.0f"))

    found = row.found
    return (
        row.title,
        f"{number(found.median)} {row.unit}",
        f"{number(found.low)} to {number(found.high)}",
        "" if row.gate is None else _gate(row.gate),
        row.verdict,
        ", ".join(f"{name} {cost}" for name, cost in row.costs.items()),
    )


def _gate(gate: Gate) -> str:
    return f"{'≥' if gate.at_least else '≤'} {gate.value:,g}"


def summary(machine: Mapping[str, Any], seconds: float) -> str:
    """What the table was measured on, in a line; and a warning where other programs had the processors."""
    told = "{storyworld}, {python}, SQLite {sqlite}, {cpus} processors, load average {loadAverage}".format(**machine)
    busy = machine["loadAverage"] > machine["cpus"] / 2
    warning = (
        "\nOther programs were running: what waits for a disk or a processor is not to be trusted." if busy else ""
    )
    return f"storyworld {told}; {seconds:.0f} s{warning}"


def document(
    rows_by_figure: Mapping[str, Sequence[Row]], machine: Mapping[str, Any], *, quick: bool, seconds: float
) -> str:
    """All of it as a JSON document; `seconds` is how long the measuring took."""
    value = {
        "format": FORMAT,
        "quick": quick,
        "seconds": round(seconds, 1),
        "confidencePercent": CONFIDENCE_PERCENT,
        "machine": dict(machine),
        "figures": {name: [row.to_json() for row in rows] for name, rows in rows_by_figure.items()},
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
