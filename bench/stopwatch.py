"""Loads from pieces of work: what is timed, and by which clock.

What computes by itself is timed by the processor time of this process, which another program that runs meanwhile does
not lengthen. What waits for a disk is timed by the clock on the wall.
"""

from __future__ import annotations

import time
from asyncio import Runner
from collections.abc import Awaitable, Callable

from bench.pairs import Load


def computing(work: Callable[[], object]) -> Load:
    """A load that costs the processor seconds of the work. What it returns is let go after the clock has stopped."""

    def load() -> float:
        started = time.process_time_ns()
        kept = work()
        seconds = (time.process_time_ns() - started) / 1e9
        del kept
        return seconds

    return load


def waiting(work: Callable[[], object]) -> Load:
    """A load that costs the seconds until the work is done, whoever did it."""

    def load() -> float:
        started = time.perf_counter_ns()
        kept = work()
        seconds = (time.perf_counter_ns() - started) / 1e9
        del kept
        return seconds

    return load


def awaiting(runner: Runner, work: Callable[[], Awaitable[object]]) -> Load:
    """The same for work that is awaited: in the loop of the runner, whose own start and end are not counted."""

    async def timed() -> float:
        started = time.perf_counter_ns()
        kept = await work()
        seconds = (time.perf_counter_ns() - started) / 1e9
        del kept
        return seconds

    return lambda: runner.run(timed())
