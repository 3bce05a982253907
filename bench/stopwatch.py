"""Loads from pieces of work: what is timed, and by which clock.

What computes by itself is timed by the processor time of this process, all its threads included, which another program
that runs meanwhile hardly lengthens. What waits for a disk is timed by the clock on the wall. What a piece of work
returns is let go after the clock has stopped.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from asyncio import Runner
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from bench.pairs import Load

Clock = Callable[[], int]
"""Nanoseconds since some moment."""

_NS = 1e9


def computing(work: Callable[[], object]) -> Load:
    """A load that costs the processor seconds of the work."""
    return _timed(work, time.process_time_ns)


def waiting(work: Callable[[], object]) -> Load:
    """A load that costs the seconds until the work is done, whoever did it."""
    return _timed(work, time.perf_counter_ns)


def _timed(work: Callable[[], object], clock: Clock) -> Load:
    def load() -> float:
        started = clock()
        kept = work()
        seconds = (clock() - started) / _NS
        del kept
        return seconds

    return load


def awaiting(runner: Runner, work: Callable[[], Awaitable[object]], clock: Clock = time.perf_counter_ns) -> Load:
    """The same for work that is awaited in the loop of the runner, whose own start and end are not counted."""

    async def timed() -> float:
        started = clock()
        kept = await work()
        seconds = (clock() - started) / _NS
        del kept
        return seconds

    return lambda: runner.run(timed())


def starting(folder: Path, arguments: Sequence[str]) -> Load:
    """A load that costs the processor seconds of a real Python process with these arguments, run in the folder.

    The system counts them, for this process alone. What it writes is thrown away; it has to end well.
    """

    def load() -> float:
        command = [sys.executable, *arguments]
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, command
        return used.ru_utime + used.ru_stime

    return load
