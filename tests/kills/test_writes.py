"""Killed, or failed by the disk, at the n-th time that the process writes, for every n until it comes home unhit.

The process opens the database, makes its beats and closes it. Of `pwrite64`, by which pages are written, each test
takes every fourth, so that they can run beside each other.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kills.harbour import KILLED, WAIT_S, Berth, attach, send, survey
from tests.kills.voyage import Voyage

BEATS = 5
BEATS_WITH_FAULTS = 2
SHARDS = 4
# How pages and the log reach the disk; which of the two it is depends on how SQLite was built.
SYNC = "fsync,fdatasync"
# What a commit does, with the first n of a test and how far it steps.
IN_EVERY_COMMIT = [
    *(pytest.param("pwrite64", first, SHARDS, id=f"pwrite64-{first}") for first in range(1, SHARDS + 1)),
    pytest.param(SYNC, 1, 1, id="sync"),
]
# What else changes a file, or tells the parent.
BESIDES = [pytest.param(call, 1, 1, id=call) for call in ("ftruncate", "unlink", "write")]
_N_MAX = 500

Hit = Callable[[int], bool]


def until_unhit(first: int, step: int, hit: Hit) -> None:
    """Hit the process at its n-th call, for every n there is; there is one at least."""
    for n in range(first, _N_MAX, step):
        if not hit(n):
            assert n > first, "the process was never hit"
            return
    pytest.fail("the process writes without end")


@pytest.mark.timeout(10 * WAIT_S)
@pytest.mark.parametrize(("call", "first", "step"), [*IN_EVERY_COMMIT, *BESIDES])
def test_a_process_killed_at_any_write_loses_nothing_it_acknowledged(
    berth: Callable[[], Berth],
    require_tool: Callable[[str], str],
    tmp_path: Path,
    call: str,
    first: int,
    step: int,
) -> None:
    strace = require_tool("strace")

    def hit(n: int) -> bool:
        here = berth()
        expressions = [f"trace={call}", f"inject={call}:signal=SIGKILL:when={n}"]
        logbook = send(Voyage(here.folder, here.session_id, BEATS), attach(strace, expressions, tmp_path / "trace"))
        assert logbook.exit_code in (0, KILLED)
        survey(here, logbook)
        return logbook.exit_code == KILLED

    until_unhit(first, step, hit)


@pytest.mark.timeout(10 * WAIT_S)
@pytest.mark.parametrize("error", ["EIO", "ENOSPC"])
@pytest.mark.parametrize(("call", "first", "step"), IN_EVERY_COMMIT)
def test_a_write_that_fails_is_answered_and_the_next_beat_needs_no_restart(
    berth: Callable[[], Berth],
    require_tool: Callable[[str], str],
    tmp_path: Path,
    call: str,
    first: int,
    step: int,
    error: str,
) -> None:
    strace = require_tool("strace")
    answered: set[str] = set()

    def hit(n: int) -> bool:
        here = berth()
        trace = tmp_path / "trace"
        expressions = [f"trace={call}", f"inject={call}:error={error}:when={n}"]
        logbook = send(Voyage(here.folder, here.session_id, BEATS_WITH_FAULTS), attach(strace, expressions, trace))
        assert logbook.exit_code == 0
        assert list(logbook.acknowledged) == [1, 2], "one attempt more is enough"
        assert survey(here, logbook) == BEATS_WITH_FAULTS
        answered.update(logbook.refused)
        return "(INJECTED)" in trace.read_text("utf-8")

    until_unhit(first, step, hit)
    assert answered <= {"storage_full", "storage_unavailable"}
    assert answered, "the fault was seen"


def test_every_acknowledged_beat_was_on_the_disk_before_and_waited_for_it_once(
    berth: Callable[[], Berth], require_tool: Callable[[str], str], tmp_path: Path
) -> None:
    here, trace = berth(), tmp_path / "trace"
    watch = attach(require_tool("strace"), [f"trace={SYNC},write"], trace)
    logbook = send(Voyage(here.folder, here.session_id, 20), watch)
    assert len(logbook.acknowledged) == 20
    synced, syncs = 0, []
    for line in trace.read_text("utf-8").splitlines():
        if "sync(" in line and line.endswith("= 0"):
            synced += 1
        elif "write(" in line and "ack " in line:
            syncs.append(synced)
            synced = 0
    assert syncs[0] >= 1, "the first beat comes after the log was begun"
    assert syncs[1:] == [1] * 19
