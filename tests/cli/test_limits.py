"""`limits` prints every limit, in both languages, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from storyworld.cli import main
from storyworld.core.limits import ALL
from tests.cli.processes import storyworld


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_limit_stands_on_the_page_with_its_reason(lang: str) -> None:
    answer = CliRunner().invoke(main, ["limits", "--lang", lang])
    assert answer.exit_code == 0
    for limit in ALL:
        assert f"`{limit.name}`" in answer.stdout
        assert (limit.reason if lang == "en" else limit.reason_zh) in answer.stdout


def test_a_program_is_given_the_numbers() -> None:
    answer = CliRunner().invoke(main, ["limits", "--json"])
    told = json.dumps(json.loads(answer.stdout))
    for limit in ALL:
        assert f'"{limit.name}"' in told


def test_a_language_that_there_is_not_is_a_fault_of_usage() -> None:
    assert CliRunner().invoke(main, ["limits", "--lang", "fr"]).exit_code == 2


def test_the_page_can_be_read_from_a_pipe(tmp_path: Path) -> None:
    answer = storyworld("limits", folder=tmp_path)
    assert (answer.exit_code, answer.err) == (0, "")
    assert "STORY_MAX_ROLES" in answer.out
