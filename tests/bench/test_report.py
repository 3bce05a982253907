"""Figures as a table and as JSON, and what their gates say of them."""

from __future__ import annotations

import json

import pytest

from bench.figure import Gate, Row, ratio_row
from bench.interval import Estimate
from bench.machine import facts
from bench.pairs import Pairs
from bench.report import document, summary, table


@pytest.mark.parametrize(
    ("low", "high", "verdict"), [(2.0, 2.9, "held"), (2.9, 3.5, "held"), (3.0, 4.0, "held"), (3.1, 4.0, "missed")]
)
def test_a_gate_is_missed_only_where_the_whole_interval_lies_above(low: float, high: float, verdict: str) -> None:
    assert Row("a beat", "x", Estimate(3.2, low, high, 9), Gate(3)).verdict == verdict


@pytest.mark.parametrize(("low", "high", "verdict"), [(900, 999, "missed"), (900, 1001, "held"), (1200, 1300, "held")])
def test_where_more_is_better_it_is_missed_only_where_the_whole_interval_lies_below(
    low: float, high: float, verdict: str
) -> None:
    assert Row("beats", "beats/s", Estimate(950, low, high, 9), Gate(1000, at_least=True)).verdict == verdict


def test_the_table_tells_each_row_with_its_interval_gate_verdict_and_medians() -> None:
    pairs = Pairs(load=(0.006, 0.006, 0.006), yardstick=(0.002, 0.002, 0.002))
    rows = [
        ratio_row("a beat", pairs, ("beat", "commit"), 2.5),
        Row("beats", "beats/s", Estimate(1234, 1200, 1300, 9), Gate(1000, at_least=True)),
        Row("bytes", "B", Estimate(5120, 5000, 5200, 9)),
    ]
    assert table(rows).splitlines() == [
        "        median         95 % interval   gate             medians of",
        "a beat  3.00 x         3.00 to 3.00    ≤ 2.5    missed  beat 6 ms, commit 2 ms",
        "beats   1,234 beats/s  1,200 to 1,300  ≥ 1,000  held",
        "bytes   5,120 B        5,000 to 5,200           —",
    ]


def test_the_json_holds_the_same_with_the_number_of_samples_and_the_machine() -> None:
    row = Row("a beat", "x", Estimate(3.2, 3.1, 4.0, 9), Gate(3), {"beat": "6 ms"})
    told = json.loads(document({"beat": [row]}, {"cpus": 2}, quick=True, seconds=1.25))
    assert told == {
        "format": 1,
        "quick": True,
        "seconds": 1.2,
        "confidencePercent": 95,
        "machine": {"cpus": 2},
        "figures": {
            "beat": [
                {
                    "title": "a beat",
                    "unit": "x",
                    "median": 3.2,
                    "low": 3.1,
                    "high": 4.0,
                    "samples": 9,
                    "verdict": "missed",
                    "costs": {"beat": "6 ms"},
                    "gate": {"atMost": 3},
                }
            ]
        },
    }


@pytest.mark.parametrize(("load", "warned"), [(0.4, False), (1.0, False), (1.1, True)])
def test_a_line_tells_the_machine_and_warns_where_it_was_busy_with_other_things(load: float, warned: bool) -> None:
    told = summary({**facts(), "cpus": 2, "loadAverage": load}, 61.4)
    assert f"2 processors, load average {load}; 61 s" in told
    assert ("Other programs were running" in told) is warned


def test_the_facts_of_the_machine_name_neither_host_nor_path() -> None:
    told = facts()
    assert told.keys() == {
        "storyworld", "rulesVersion", "python", "system", "cpus", "loadAverage", "sqlite", "engines", "libraries",
    }  # fmt: skip
    assert "/" not in json.dumps(told)
