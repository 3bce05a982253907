"""What it costs to start: the help of the command line, and the import of its parts in a new process.

The yardstick is Python itself, which starts and does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bench.figure import Gate, Row, Setting, milliseconds, ratio_row
from bench.interval import estimate
from bench.pairs import interleave
from bench.stopwatch import starting

_HELP_SECONDS_MAX = 0.3
_IMPORTS: Final = (("the command line", "storyworld.cli"), ("the engine", "storyworld.wiring"))


def measure(setting: Setting) -> Iterator[Row]:
    """Processor time of real processes, as the system counts it."""
    pairs = setting.many(31, 7)
    nothing = starting(setting.folder, ["-c", "pass"])
    helped = interleave(starting(setting.folder, ["-m", "storyworld", "--help"]), nothing, pairs)
    costs = {"help": milliseconds(helped.load), "bare Python": milliseconds(helped.yardstick)}
    yield Row("storyworld --help, processor", "s", estimate(helped.load), Gate(_HELP_SECONDS_MAX), costs)
    for name, module in _IMPORTS:
        imported = interleave(starting(setting.folder, ["-c", f"import {module}"]), nothing, pairs)
        yield ratio_row(f"{name} is imported, against bare Python", imported, ("import", "bare Python"))
