"""`import` makes a package of a script, says what became of every line, and overwrites nothing."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from storyworld.cli import main
from storyworld.core import limits
from storyworld.core.content import judge_package_bytes
from tests.cli.processes import storyworld

FERRY = """\
Title: The Ferry
Author: Nobody

EXT. QUAY - NIGHT

= Ada will not cross.

Fog. ADA coils a rope.

ADA
No.

INT. BOAT - NIGHT

BEN
Row. [[Too short?]]
"""


def imported(*arguments: str, given: str | bytes = FERRY) -> Result:
    return CliRunner().invoke(main, ["import", *arguments], input=given)


def test_without_an_output_the_candidate_is_printed_and_told_beside_it() -> None:
    answer = imported("-", "--rules")
    candidate = json.loads(answer.stdout)
    assert answer.exit_code == 0
    assert set(candidate) == {"content", "sources", "leftOut"}
    assert [role["name"] for role in candidate["content"]["roles"]] == ["ADA", "BEN"]
    told = answer.stderr.splitlines()
    assert told[0] == "The Ferry (fountain, utf-8, en): 2 roles, 2 scenes, 2 nodes, 1 branch."
    assert told[1:3] == ["script_title_field_left_out  A field of the title page was left out.", "    line 2"]
    assert told[3:5] == ["script_note_left_out  A note was left out.", "    line 16"]


def test_with_an_output_the_package_can_be_published_and_its_sources_stand_beside_it(tmp_path: Path) -> None:
    script, package = tmp_path / "ferry.fountain", tmp_path / "ferry.json"
    script.write_text(FERRY, "utf-8")
    answer = imported(str(script), "--rules", "-o", str(package))
    assert (answer.exit_code, answer.stdout) == (0, "")
    assert judge_package_bytes(package.read_bytes()).problems == ()
    beside = json.loads((tmp_path / "ferry.sources.json").read_text("utf-8"))
    assert beside["sources"]["/roles/1"] == [[15, 16]]
    assert [entry["lines"] for entry in beside["leftOut"]] == [[2, 2], [16, 16]]
    assert answer.stderr.splitlines()[-1] == f"written: {package} and {tmp_path / 'ferry.sources.json'}"


@pytest.mark.parametrize("there", ["ferry.json", "ferry.sources.json"])
def test_a_file_that_exists_is_replaced_only_when_that_is_asked_for(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("mine", "utf-8")
    arguments = ("-", "-o", str(tmp_path / "ferry.json"))
    answer = imported(*arguments)
    assert answer.exit_code == 2
    assert f"{there}: there is such a file; --force replaces it" in answer.stderr
    assert [file.name for file in tmp_path.iterdir()] == [there]
    assert imported(*arguments, "--force").exit_code == 0
    assert "mine" not in (tmp_path / there).read_text("utf-8")


def test_a_replaced_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("old", "utf-8")
    target.chmod(0o640)
    link.symlink_to(target)
    assert imported("-", "-o", str(link), "--force").exit_code == 0
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert json.loads(target.read_text("utf-8"))["title"] == "The Ferry"


def test_a_folder_that_is_not_there_is_a_fault_of_usage(tmp_path: Path) -> None:
    answer = imported("-", "-o", str(tmp_path / "none" / "ferry.json"))
    assert answer.exit_code == 2
    assert "No such file or directory" in answer.stderr


def test_a_folder_is_no_place_for_a_package(tmp_path: Path) -> None:
    for place in (".", "/", "", str(tmp_path)):
        answer = imported("-", "-o", place)
        assert answer.exit_code == 2
        assert "Is a directory" in answer.stderr


def test_a_device_is_no_place_for_a_package_and_what_comes_beside_it() -> None:
    answer = imported("-", "-o", "/dev/null")
    assert answer.exit_code == 2
    assert "/dev/null: no place for two files; without -o the candidate is printed" in answer.stderr


def test_a_name_that_is_too_long_for_a_file_is_a_fault_of_usage(tmp_path: Path) -> None:
    for name in ("n" * 250, "n" * 300):
        answer = imported("-", "-o", str(tmp_path / name))
        assert answer.exit_code == 2
        assert "File name too long" in answer.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_hyphen_as_output_prints_the_candidate() -> None:
    assert imported("-", "-o", "-").stdout == imported("-").stdout


@pytest.mark.parametrize("output", ["play.sources.json", "play"])
def test_the_script_itself_is_never_written_over(tmp_path: Path, output: str) -> None:
    script = tmp_path / "play.sources.json"
    script.write_text(FERRY, "utf-8")
    answer = imported(str(script), "-o", str(tmp_path / output), "--force")
    assert answer.exit_code == 2
    assert "play.sources.json: that is the script itself; -o names another file" in answer.stderr
    assert script.read_text("utf-8") == FERRY


def test_a_package_with_problems_is_written_and_told() -> None:
    answer = imported("-", given="INT. A\n\nSilence.\n")
    assert answer.exit_code == 1
    assert json.loads(answer.stdout)["content"]["roles"] == []
    assert "roles is empty; at least 1 is needed" in answer.stderr


def test_a_script_of_30_speakers_has_30_roles_and_is_told_that_24_is_the_limit() -> None:
    speeches = "".join(f"GUARD {number}\nHalt.\n\n" for number in range(30))
    answer = imported("-", given=f"INT. GATE\n\n{speeches}")
    assert answer.exit_code == 1
    assert len(json.loads(answer.stdout)["content"]["roles"]) == 30
    assert "roles exceeds 24" in answer.stderr


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (b"", "script_empty"),
        (b" \n\t\n", "script_empty"),
        (b"%PDF-1.7\n\x00\x01\x02", "script_not_text"),
        (b"<FinalDraft><Content>", "script_fdx_malformed"),
        (b"<!DOCTYPE FinalDraft [<!ENTITY a 'b'>]><FinalDraft/>", "script_fdx_declarations"),
        (b"<?xml version='1.0'?><html/>", "script_fdx_foreign"),
    ],
)
def test_what_is_no_script_is_refused_in_words(given: bytes, code: str) -> None:
    answer = imported("-", given=given)
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert answer.stderr.startswith(f"{code}  ")


def test_a_script_of_500000_characters_is_taken_and_one_more_is_refused_by_name() -> None:
    limit = limits.SCRIPT_IMPORT_BY_RULES_MAX_CHARS.value
    script = f"INT. A\n\nANN\n{'字' * (limit - 12)}"
    assert imported("-", given=script).exit_code == 0
    answer = imported("-", given=f"{script}字")
    assert answer.exit_code == 1
    code, _, message = answer.stderr.partition("  ")
    assert code == "script_too_long"
    assert message.startswith(f"script exceeds {limit} characters: it has {limit + 1}")


def test_a_script_of_10000_lines_is_taken_and_one_more_is_refused_by_name() -> None:
    limit = limits.SCRIPT_IMPORT_BY_RULES_MAX_LINES.value
    script = "A Talk\n\nANN: Oh.\n\n" + "BEN: Ah.\n" * (limit - 2)
    assert imported("-", given=script).exit_code == 0
    answer = imported("-", given=f"{script}\n\nANN: Well.")
    assert answer.exit_code == 1
    code, _, message = answer.stderr.partition("  ")
    assert code == "script_has_too_many_lines"
    assert message.startswith(f"script exceeds {limit} lines that are not blank: it has {limit + 1}")


def test_who_finds_nobody_that_speaks_says_how_a_speech_is_written() -> None:
    answer = imported("-", given="It rained.\n\nNobody came, and nobody went.\n")
    assert answer.exit_code == 1
    told = dict(line.split("  ", 1) for line in answer.stderr.splitlines()[1:] if not line.startswith(" "))
    assert told["script_without_speakers"] == "the rules found nobody who speaks in the script, and so no roles"
    assert "Write NAME: and the speech behind it" in answer.stderr


def test_lines_that_became_nothing_are_told_in_runs_and_the_first_20_of_many() -> None:
    apart = "".join(f"[[{number}]]\n\nANN\nOh.\n\n" for number in range(30))
    answer = imported("-", given=f"INT. A\n\n{apart}[[a]]\n[[b]]\n")
    told = answer.stderr.splitlines()
    assert told[1] == "script_note_left_out  A note was left out."
    assert told[2].startswith("    lines 3, 8, 13,")
    assert told[2].endswith(", 98 and 11 more places")
    assert len(json.loads(answer.stdout)["leftOut"]) == 32
    together = imported("-", given="INT. A\n\nANN\nOh.\n\n[[a]]\n[[b]]\n").stderr.splitlines()
    assert together[2] == "    lines 6-7"


def test_the_encoding_may_be_named() -> None:
    play = "人物\n甲\n乙\n\n第一幕\n\n甲：你来了。\n乙：来了。\n甲：坐吧。\n乙：好。\n"
    answer = imported("-", "--encoding", "gb18030", given=play.encode("gb18030"))
    assert answer.exit_code == 0
    assert [role["name"] for role in json.loads(answer.stdout)["content"]["roles"]] == ["甲", "乙"]
    wrong = imported("-", "--encoding", "utf-8", given=play.encode("gb18030"))
    assert (wrong.exit_code, wrong.stderr.split("  ")[0]) == (1, "script_encoding_wrong")


def test_the_command_runs_as_a_process_and_names_an_untitled_script_after_its_file(tmp_path: Path) -> None:
    (tmp_path / "quay.fountain").write_text("INT. A\n\nANN\nOh.\n", "utf-8")
    answer = storyworld("import", "quay.fountain", "--rules", "-o", "quay.json", folder=tmp_path)
    assert answer.exit_code == 0
    assert json.loads((tmp_path / "quay.json").read_text("utf-8"))["title"] == "quay"
    assert storyworld("check", "quay.json", folder=tmp_path).exit_code == 0
