"""What the options of the command line take, and what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from storyworld.cli import main
from storyworld.core import limits

GOOD, USAGE = 0, 2


def exit_code(*arguments: str) -> int:
    return CliRunner().invoke(main, arguments).exit_code


def test_a_seed_is_taken_up_to_its_bound_and_refused_one_over(tmp_path: Path) -> None:
    # SEED_MAX
    play = ("play", "--json", "--beats", "1", "--data", str(tmp_path), "--seed")
    assert exit_code(*play, str(limits.SEED_MAX.value)) == GOOD
    assert exit_code(*play, "0") == GOOD
    assert exit_code(*play, str(limits.SEED_MAX.value + 1)) == USAGE
    assert exit_code(*play, "-1") == USAGE


@pytest.mark.parametrize("arguments", [("fly",), ("play", "--model", "oracle"), ("verify",), ("check", "no-such-file")])
def test_what_is_asked_wrongly_is_a_usage_error(arguments: tuple[str, ...]) -> None:
    assert exit_code(*arguments) == USAGE
