"""The command that measures: what it prints, writes and exits with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.__main__ import main
from bench.figure import Figure, Gate, Row, Setting
from bench.interval import exactly


def one_of(name: str, value: float) -> Figure:
    def measure(setting: Setting) -> Iterator[Row]:
        (setting.folder / "left.db").touch()
        yield Row(name, "calls", exactly(value, setting.many(9, 4)), Gate(3))

    return Figure(name, measure)


HELD, MISSED = one_of("held-one", 2), one_of("missed-one", 5)


def test_a_missed_gate_is_told_and_fails_nothing_unless_asked_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], [HELD, MISSED]) == 0
    assert "5 calls  5 to 5         ≤ 3   missed" in capsys.readouterr().out
    assert main(["--strict"], [HELD, MISSED]) == 1
    assert main(["--strict"], [HELD]) == 0


def test_only_the_named_figures_are_measured_in_their_own_order(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--only", "missed-one", "--only", "held-one"], [HELD, one_of("other", 1), MISSED])
    told = capsys.readouterr()
    assert [line.split()[0] for line in told.out.splitlines()[1:3]] == ["held-one", "missed-one"]
    assert [line.split(":")[0] for line in told.err.splitlines()] == ["held-one", "missed-one"]


def test_a_figure_that_is_not_there_is_refused_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["--only", "speed"], [HELD, MISSED])
    assert refused.value.code == 2
    assert "'held-one', 'missed-one'" in capsys.readouterr().err


def test_the_json_says_whether_the_answer_is_a_rough_one(tmp_path: Path) -> None:
    for option, samples in (("--strict", 9), ("--quick", 4)):
        main([option, "--json", str(tmp_path / "told.json")], [HELD])
        told = json.loads((tmp_path / "told.json").read_text("utf-8"))
        (row,) = told["figures"]["held-one"]
        assert (told["quick"], row["samples"], row["verdict"]) == (option == "--quick", samples, "held")
        assert told["machine"]["cpus"] >= 1


def test_nothing_is_left_in_the_folder_that_was_measured_in(tmp_path: Path) -> None:
    main(["--dir", str(tmp_path)], [HELD, MISSED])
    assert list(tmp_path.iterdir()) == []
