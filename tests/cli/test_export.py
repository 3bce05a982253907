"""`export` writes a session as a screenplay and a story as its package or outline, and overwrites nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from storyworld.cli import main
from storyworld.core.content import judge_package_bytes
from storyworld.formats.screenplays import FORMATS
from storyworld.stories import DEFAULT_STORY, read_story
from tests.cli.processes import Terminal, storyworld


def exported(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["export", *arguments])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A data folder in which the default story was played for some beats, and the session's id."""
    data = str(tmp_path_factory.mktemp("played"))
    answer = CliRunner().invoke(main, ["play", "--auto", "--beats", "6", "--seed", "3", "--data", data])
    assert answer.exit_code == 0
    verified = CliRunner().invoke(main, ["verify", "--all", "--json", "--data", data])
    return data, json.loads(verified.stdout)["sessionId"]


@pytest.mark.parametrize("written_as", FORMATS)
def test_a_session_is_written_in_every_format(played: tuple[str, str], written_as: str, tmp_path: Path) -> None:
    data, session = played
    target = tmp_path / f"play.{written_as}"
    answer = exported(session, "--format", written_as, "--data", data, "-o", str(target))
    assert (answer.exit_code, answer.stdout) == (0, "")
    assert answer.stderr == f"written: {target}, {target.stat().st_size} bytes\n"
    assert target.stat().st_size > 1_000


def test_every_element_cites_its_beat(played: tuple[str, str]) -> None:
    data, session = played
    screenplay = json.loads(exported(session, "-f", "json", "--data", data).stdout)
    assert {element["beat"] for element in screenplay["elements"]} == set(range(7))
    assert screenplay["source"] == f"session {session}, beats 0 to 6"
    speaking = {element["roleId"] for element in screenplay["elements"] if element["kind"] == "character"}
    assert {member["roleId"] for member in screenplay["cast"]} == speaking


def test_a_refusal_says_what_to_do_in_a_sentence_of_its_own(played: tuple[str, str]) -> None:
    data, session = played
    answer = exported(session, "-f", "md", "--from", "3", "--episode-run", "run-1", "--data", data)
    assert answer.stderr.endswith("it takes one or the other. Leave one of them out.\n")


def test_a_folder_of_fonts_that_is_not_there_is_a_fault_of_usage(tmp_path: Path) -> None:
    answer = exported(DEFAULT_STORY, "-f", "pdf", "--fonts", str(tmp_path / "none"), "-o", str(tmp_path / "a.pdf"))
    assert answer.exit_code == 2
    assert "none: there is no such folder of fonts" in answer.stderr


def test_beats_may_be_chosen(played: tuple[str, str]) -> None:
    data, session = played
    screenplay = json.loads(exported(session, "-f", "json", "--from", "2", "--to", "3", "--data", data).stdout)
    assert {element["beat"] for element in screenplay["elements"]} == {2, 3}


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--from", "3", "--to", "2"), "draft_range_unknown"),
        (("--to", "700"), "draft_range_unknown"),
        (("--episode-run", "run-1"), "episode_run_unknown"),
        (("--episode-run", "run-1", "--to", "2"), "draft_range_and_run"),
    ],
)
def test_beats_that_cannot_be_drafted_are_refused(played: tuple[str, str], options: tuple[str, ...], code: str) -> None:
    data, session = played
    answer = exported(session, "-f", "md", "--data", data, *options)
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert answer.stderr.startswith(f"{code}  ")


def test_a_session_that_is_not_there_is_refused(played: tuple[str, str], tmp_path: Path) -> None:
    unknown = exported("ses_none", "-f", "md", "--data", played[0])
    assert (unknown.exit_code, unknown.stderr.split("  ")[0]) == (1, "session_unknown")
    nowhere = exported("ses_none", "-f", "md", "--data", str(tmp_path))
    assert nowhere.exit_code == 2
    assert "no such file or story, and no session was played" in nowhere.stderr


def test_a_story_is_written_as_its_package_or_its_outline(tmp_path: Path) -> None:
    whole = exported(DEFAULT_STORY, "-f", "json")
    assert judge_package_bytes(whole.stdout.encode()).digest == judge_package_bytes(read_story(DEFAULT_STORY)).digest
    file = tmp_path / "story.json"
    file.write_bytes(read_story(DEFAULT_STORY))
    outline = exported(str(file), "-f", "fountain")
    assert outline.exit_code == 0
    assert ".The weighbridge office - What the bridge says" in outline.stdout
    assert "beat" not in {line.split()[0].strip("[") for line in outline.stdout.splitlines() if line.startswith("[[")}


def test_a_story_has_no_beats(tmp_path: Path) -> None:
    answer = exported(DEFAULT_STORY, "-f", "json", "--from", "1")
    assert answer.exit_code == 2
    assert "a package has no beats" in answer.stderr


def test_a_package_with_problems_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "story.json"
    file.write_text("{}", "utf-8")
    answer = exported(str(file), "-f", "json")
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert "title is missing" in answer.stderr


def test_a_file_that_exists_is_replaced_only_when_that_is_asked_for(tmp_path: Path) -> None:
    target = tmp_path / "outline.md"
    target.write_text("mine", "utf-8")
    assert exported(DEFAULT_STORY, "-f", "md", "-o", str(target)).exit_code == 2
    assert target.read_text("utf-8") == "mine"
    assert exported(DEFAULT_STORY, "-f", "md", "-o", str(target), "--force").exit_code == 0
    assert target.read_text("utf-8").startswith("# ")


def test_a_device_is_written_to_as_it_is() -> None:
    device = Path("/dev/null")
    assert exported(DEFAULT_STORY, "-f", "md", "-o", str(device), "--force").exit_code == 0
    assert device.is_char_device()


def test_a_terminal_is_not_shown_a_pdf(tmp_path: Path) -> None:
    terminal = Terminal("export", DEFAULT_STORY, "-f", "pdf", folder=tmp_path)
    assert terminal.end() == 2
    assert "a PDF is not for a terminal" in terminal.text


def test_a_pipe_gets_the_bytes_and_nothing_else(tmp_path: Path) -> None:
    answer = storyworld("export", DEFAULT_STORY, "-f", "fountain", folder=tmp_path)
    assert (answer.exit_code, answer.err) == (0, "")
    assert answer.out.startswith("Title: Eleven Tons\n")
