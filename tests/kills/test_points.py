"""Killed at each named point in the life of a beat, in the first beat of the process and in a later one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.kills.harbour import KILLED, Berth, send, survey
from tests.kills.voyage import Voyage

# Each point with whether the beat is committed when the process passes it.
POINTS = {
    "K0": False,
    "K1": False,
    "K2.before": False,
    "K2.after": False,
    "K3.before": False,
    "K3.after": False,
    "K4.before": False,
    "K4.after": False,
    "K5": False,
    "K6.head": False,
    "K6.beat": False,
    "K6.seats": False,
    "K6.runs": False,
    "K6.once": False,
    "K6.deliberation": False,
    "K7.before": False,
    "K7.after": True,
    "K8": True,
    "K9": True,
}


@pytest.mark.parametrize("beat", [1, 3])
@pytest.mark.parametrize(("point", "committed"), POINTS.items())
def test_a_process_killed_at_a_point_of_a_beat_loses_nothing_it_acknowledged(
    berth: Callable[[], Berth], point: str, committed: bool, beat: int
) -> None:
    here = berth()
    logbook = send(Voyage(here.folder, here.session_id, beats=4, point=point, nth=beat))
    assert logbook.exit_code == KILLED
    assert list(logbook.acknowledged) == list(range(1, beat))
    assert survey(here, logbook) == (beat if committed else beat - 1)


def test_a_process_that_is_not_killed_comes_home(berth: Callable[[], Berth]) -> None:
    here = berth()
    logbook = send(Voyage(here.folder, here.session_id, beats=2, point="K9", nth=3))
    assert (logbook.exit_code, list(logbook.acknowledged), logbook.refused) == (0, [1, 2], [])
    assert survey(here, logbook) == 2
