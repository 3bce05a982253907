"""Measure, print a table, write JSON.

python -m bench [--quick] [--only NAME]… [--json FILE] [--dir FOLDER] [--strict]
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.figure import Figure, Row, Setting
from bench.figures import FIGURES
from bench.machine import facts
from bench.report import document, summary, table


def main(arguments: Sequence[str] | None = None, figures: Sequence[Figure] = FIGURES) -> int:
    """Measure what is asked for. 0, or, with --strict, 1 where a gate was missed; 2 for what cannot be asked."""
    asked = _asked(arguments, figures)
    machine, started = facts(), time.monotonic()
    chosen = [figure for figure in figures if asked.only is None or figure.name in asked.only]
    rows = {figure.name: _measured(figure, asked) for figure in chosen}
    seconds = time.monotonic() - started
    every = [row for found in rows.values() for row in found]
    print(table(every))
    print(f"\n{summary(machine, seconds)}")
    if asked.json is not None:
        asked.json.write_text(document(rows, machine, quick=asked.quick, seconds=seconds), "utf-8")
    return 1 if asked.strict and any(row.verdict == "missed" for row in every) else 0


def _asked(arguments: Sequence[str] | None, figures: Sequence[Figure]) -> Namespace:
    names = [figure.name for figure in figures]
    parser = ArgumentParser(prog="python -m bench", description="Measure how fast storyworld is on this machine.")
    parser.add_argument("--quick", action="store_true", help="fewer measurements, wider intervals")
    parser.add_argument(
        "--only",
        action="append",
        choices=names,
        metavar="NAME",
        help=f"one figure; may be said again. One of {', '.join(names)}",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--dir", type=Path, metavar="FOLDER", help="a folder on the disk to measure, for databases")
    parser.add_argument("--strict", action="store_true", help="exit with 1 where a gate was missed")
    return parser.parse_args(arguments)


def _measured(figure: Figure, asked: Namespace) -> list[Row]:
    """The rows of a figure, measured in a folder of its own that is gone afterwards."""
    started = time.monotonic()
    with TemporaryDirectory(prefix="storyworld-bench-", dir=asked.dir) as folder:
        rows = list(figure.measure(Setting(Path(folder), asked.quick)))
    print(f"{figure.name}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    return rows


if __name__ == "__main__":
    sys.exit(main())
