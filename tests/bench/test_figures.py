"""Every figure can be measured, and those that are counted are what they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.figure import Figure, Setting
from bench.figures import FIGURES

# What is counted here is the same on every machine; all other gates are judged where they are measured.
COUNTED = frozenset({"storage", "prompts"})


@pytest.mark.parametrize("figure", FIGURES, ids=[figure.name for figure in FIGURES])
def test_a_figure_can_be_measured(figure: Figure, tmp_path: Path) -> None:
    rows = list(figure.measure(Setting(tmp_path, quick=True, times_max=1)))
    assert all(row.found.low <= row.found.median <= row.found.high for row in rows)
    assert any(row.gate is not None for row in rows)
    if figure.name in COUNTED:
        assert [row.title for row in rows if row.verdict == "missed"] == []


def test_no_two_figures_are_called_the_same() -> None:
    names = [figure.name for figure in FIGURES]
    assert len(set(names)) == len(names)


def test_a_quick_answer_rests_on_fewer_measurements(tmp_path: Path) -> None:
    assert Setting(tmp_path).many(100, 10) == 100
    assert Setting(tmp_path, quick=True).many(100, 10) == 10
    assert Setting(tmp_path, quick=True, times_max=3).many(100, 10) == 3
