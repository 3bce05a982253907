"""`check` says what publishing would say, of any file whatever."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from storyworld.cli import main
from storyworld.core import limits
from storyworld.core.content import judge_package_bytes
from storyworld.stories import DEFAULT_STORY, read_story
from tests.application.playhouse import content, package_bytes
from tests.cli.processes import storyworld


def check(data: bytes, *options: str) -> Result:
    return CliRunner().invoke(main, ["check", "-", *options], input=data)


def test_a_sound_package_is_counted_and_measured() -> None:
    answer = check(package_bytes())
    judged = judge_package_bytes(package_bytes())
    assert (answer.exit_code, answer.stderr) == (0, "")
    assert answer.stdout == (
        "The Ferry: can be published. 2 roles, 1 scene, 2 nodes, 1 branch, 1 ending, 1 episode; "
        f"{judged.size_bytes} of 900000 bytes.\n{judged.digest}\n"
    )


def test_warnings_stop_nothing() -> None:
    answer = check(
        package_bytes(endings=[{"id": "over", "title": "T", "description": "D", "conditions": []}], series=[])
    )
    assert answer.exit_code == 0
    assert "\nending_without_conditions  " in answer.stdout
    assert "    at /endings/0. " in answer.stdout


def test_every_problem_is_told_with_its_place_its_reason_and_its_remedy() -> None:
    roles = [{"id": f"r{n}", "name": "N", "description": "D"} for n in range(25)]
    answer = check(package_bytes(roles=roles, title=""))
    assert answer.exit_code == 1
    lines = answer.stdout.splitlines()
    assert lines[0] == "array_too_long  roles exceeds 24"
    assert lines[1].startswith("    at /roles. ")
    assert len(lines) == 4


def test_problems_beyond_those_that_are_told_are_counted() -> None:
    roles = [{"id": "Not An Id", "name": "", "description": ""} for _ in range(400)]
    answer = check(package_bytes(roles=roles))
    assert answer.exit_code == 1
    judged = judge_package_bytes(package_bytes(roles=roles))
    assert judged.more_problems > 0
    assert answer.stdout.splitlines()[-1] == f"and {judged.more_problems} more problems"


def test_a_program_is_told_the_same_as_json() -> None:
    for data in (package_bytes(), package_bytes(title=""), b""):
        answer = check(data, "--json")
        judged = judge_package_bytes(data)
        told = json.loads(answer.stdout)
        assert answer.exit_code == (1 if judged.problems else 0)
        assert told["problems"] == [found.to_json() for found in judged.problems]
        assert told["warnings"] == [found.to_json() for found in judged.warnings]
        assert (told["moreProblems"], told["bytes"], told["digest"]) == (0, judged.size_bytes, judged.digest)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "json_syntax"),
        (b"\xff\xfe\x00", "json_encoding"),
        (b"\x00" * 99, "json_syntax"),
        (b"[" * 99, "json_depth"),
    ],
    ids=["empty", "binary", "zeros", "deep"],
)
def test_what_is_no_json_is_a_problem_like_any_other(data: bytes, code: str) -> None:
    answer = check(data)
    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[0].startswith(f"{code}  ")


def test_what_would_move_a_terminal_never_reaches_it() -> None:
    hostile = json.dumps({**content(title="\x1b[2J"), "\x1b[31mkey": "\x9b", "id\u202e": 1}).encode()
    answer = check(hostile)
    assert answer.exit_code == 1
    assert not {"\x1b", "\x9b", "\u202e"} & set(answer.stdout)


def test_a_file_that_cannot_be_read_is_a_fault_of_usage(tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(limits.REQUEST_MAX_BYTES.value + 1)
    for path, said in (
        (tmp_path / "none.json", "No such file or directory"),
        (tmp_path, "Is a directory"),
        (Path("/proc/self/mem"), "Input/output error"),
        (large, "more than 8388608 bytes"),
    ):
        answer = CliRunner().invoke(main, ["check", str(path)])
        assert (answer.exit_code, answer.stdout) == (2, "")
        assert f"Error: {path}: {said}" in answer.stderr


def test_the_story_that_comes_along_has_neither_problems_nor_warnings(tmp_path: Path) -> None:
    answer = storyworld("check", "-", folder=tmp_path, given=read_story(DEFAULT_STORY))
    assert (answer.exit_code, answer.err) == (0, "")
    assert answer.out.startswith("Eleven Tons: can be published. 7 roles, ")
    assert list(tmp_path.iterdir()) == []
