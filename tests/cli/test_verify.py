"""`verify` says of stored sessions that they hold, or what differs; its exit code says the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from storyworld.store.sqlite import FILE_NAME, library
from tests.application.playhouse import package_bytes
from tests.cli.processes import Answer, storyworld


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a story was played twice."""
    folder = tmp_path_factory.mktemp("harbour")
    (folder / "ferry.json").write_bytes(package_bytes())
    for _ in range(2):
        answer = storyworld("play", "ferry.json", "--json", "--beats", "2", folder=folder)
        assert answer.exit_code == 0, answer.err
    return folder


@pytest.fixture
def played(harbour: Path, tmp_path: Path) -> tuple[str, str]:
    """The ids of the two sessions, in order, in a folder of this test's own."""
    shutil.copytree(harbour, tmp_path, dirs_exist_ok=True)
    connection = library().connect(tmp_path / "storyworld-data" / FILE_NAME)
    ids = connection.execute("SELECT session_id FROM sessions ORDER BY session_id").fetchall()
    connection.close()
    first, second = (str(row[0]) for row in ids)
    return first, second


def change(folder: Path, statement: str) -> None:
    """Change the database behind the engine's back."""
    connection = library().connect(folder / "storyworld-data" / FILE_NAME)
    connection.execute(statement)
    connection.commit()
    connection.close()


def verify(folder: Path, *arguments: str) -> Answer:
    return storyworld("verify", *arguments, folder=folder)


def test_every_session_that_holds_is_said_to_hold(tmp_path: Path, played: tuple[str, str]) -> None:
    first, second = played
    answer = verify(tmp_path, "--all")
    assert (answer.exit_code, answer.err) == (0, "")
    assert [line.partition(":")[0] for line in answer.out.splitlines()] == [first, second]
    assert answer.out.count("all 3 beats hold (level full: every rule was checked; end not_proven: ") == 2
    answer = verify(tmp_path, second, "--json")
    assert answer.json_lines() == [{"sessionId": second, "ok": True, "level": "full", "end": "not_proven", "beats": 3}]


def test_the_first_beat_and_field_that_differ_are_named_and_the_other_sessions_verified(
    tmp_path: Path, played: tuple[str, str]
) -> None:
    first, second = played
    forged = "CAST(replace(CAST(record AS TEXT), '\"quay\"', '\"boat\"') AS BLOB)"
    change(tmp_path, f"UPDATE beats SET record = {forged} WHERE session_id = '{first}' AND beat = 1")
    answer = verify(tmp_path, "--all")
    assert (answer.exit_code, answer.err) == (1, "")
    told, held = answer.out.splitlines()
    assert told.startswith(f"{first}: beat 1 differs in ")
    assert told.endswith("Beats that hold before it: 1.")
    assert held.startswith(f"{second}: all 3 beats hold")
    answer = verify(tmp_path, "--all", "--json")
    assert [line["ok"] for line in answer.json_lines()] == [False, True]
    assert answer.json_lines()[0]["firstDifference"]["beat"] == 1


def test_a_damaged_world_is_a_fault_of_the_storage_and_the_other_sessions_are_told(
    tmp_path: Path, played: tuple[str, str]
) -> None:
    first, second = played
    change(tmp_path, "UPDATE revisions SET content = CAST('{}' AS BLOB)")
    answer = verify(tmp_path, "--all")
    assert (answer.exit_code, answer.out) == (3, "")
    for session_id in (first, second):
        assert f"{session_id}: integrity_failed  " in answer.err
    answer = verify(tmp_path, first, "--json")
    assert (answer.exit_code, answer.err) == (3, "")
    assert [(line["sessionId"], line["code"]) for line in answer.json_lines()] == [(first, "integrity_failed")]


def test_a_session_whose_last_beat_is_missing_is_not_passed_over(tmp_path: Path, played: tuple[str, str]) -> None:
    first, second = played
    change(tmp_path, f"DELETE FROM beats WHERE session_id = '{second}' AND beat = 2")
    change(tmp_path, f"UPDATE sessions SET beat = 9 WHERE session_id = '{first}'")
    answer = verify(tmp_path, "--all")
    assert (answer.exit_code, answer.err) == (1, "")
    assert [line.partition(". ")[0] for line in answer.out.splitlines()] == [
        f"{first}: beat 3 differs in beat",
        f"{second}: beat 2 differs in beat",
    ]


def test_seats_that_are_gone_are_told_before_a_beat_is_made_without_them(
    tmp_path: Path, played: tuple[str, str]
) -> None:
    change(tmp_path, "DELETE FROM seats WHERE role_id = 'ben'")
    answer = verify(tmp_path, played[0])
    assert (answer.exit_code, answer.err) == (1, "")
    assert answer.out.startswith(f"{played[0]}: beat 2 differs in memory of ben. Expected [1, 2], found [].")


def test_a_session_that_is_unknown_is_a_problem(tmp_path: Path, played: tuple[str, str]) -> None:
    for typed, told in (("ses_none", "ses_none"), ("ses_\udcff", "ses_?")):
        answer = verify(tmp_path, typed)
        assert (answer.exit_code, answer.out) == (1, "")
        assert answer.err.startswith(f"{told}: session_unknown  ")


def test_a_folder_where_no_story_was_played_stays_as_it_is(tmp_path: Path) -> None:
    answer = verify(tmp_path, "--all")
    assert (answer.exit_code, answer.out) == (2, "")
    assert answer.err.endswith("Error: storyworld-data: no story was played here\n")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("not a folder", "utf-8")
    assert verify(tmp_path, "--all", "--data", "file").exit_code == 3
