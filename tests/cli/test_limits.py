"""`limits` prints every limit, in both languages, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from storyworld.cli import main
from storyworld.core.limits import ALL
from tests.cli.processes import Terminal, storyworld


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


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_terminal_is_shown_a_list_that_fits_it(tmp_path: Path, lang: str) -> None:
    terminal = Terminal("limits", "--lang", lang, folder=tmp_path, columns=60)
    assert terminal.end() == 0
    lines = terminal.text.splitlines()
    assert max(cell_len(line) for line in lines) <= 60
    assert "|" not in terminal.text
    told = terminal.text.replace("\n", "").replace(" ", "")
    for limit in ALL:
        assert any(line.startswith(f"{limit.name}  ") for line in lines)
        assert (limit.reason if lang == "en" else limit.reason_zh).replace(" ", "") in told


def test_a_language_that_there_is_not_is_a_fault_of_usage() -> None:
    assert CliRunner().invoke(main, ["limits", "--lang", "fr"]).exit_code == 2


def test_the_page_can_be_read_from_a_pipe(tmp_path: Path) -> None:
    answer = storyworld("limits", folder=tmp_path)
    assert (answer.exit_code, answer.err) == (0, "")
    assert "STORY_MAX_ROLES" in answer.out
