"""A story played from the command line without a terminal: by itself, to be read or to be piped."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from storyworld.cli import main
from storyworld.core import limits
from storyworld.stories import DEFAULT_STORY, story_names
from tests.application.playhouse import package_bytes
from tests.cli.processes import WAIT_S, environment, storyworld


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    """A file with a small story."""
    path = tmp_path / "ferry.json"
    path.write_bytes(package_bytes())
    return path


def script(folder: Path, *lines: object) -> str:
    """A script in a file; gives the option that names it."""
    path = folder / "script.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return f"--model=scripted:{path}"


def test_the_story_that_comes_along_plays_itself_to_an_ending_and_holds(tmp_path: Path) -> None:
    answer = storyworld("play", "--seed", "7", folder=tmp_path)
    assert (answer.exit_code, answer.err) == (0, "")
    assert answer.out.startswith("Eleven Tons\n")
    assert "\nThe end: " in answer.out
    assert "not_in_focus" in answer.out
    last = answer.out.splitlines()[-1]
    assert " beats hold (level full: " in last
    assert "end not_proven" in last
    assert "\x1b" not in answer.out
    assert (tmp_path / "storyworld-data").is_dir()


def test_a_story_that_comes_along_is_played_by_its_name_and_a_file_of_that_name_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "borrowed-voice").write_bytes(package_bytes(title="The Ferry"))
    for package, title in (("borrowed-voice", "借声"), ("./borrowed-voice", "The Ferry")):
        answer = storyworld("play", package, "--beats", "1", "--seed", "7", folder=tmp_path)
        assert (answer.exit_code, answer.err) == (0, "")
        assert answer.out.startswith(f"{title}\n")


def test_the_help_names_every_story_that_comes_along() -> None:
    told = CliRunner().invoke(main, ["play", "--help"]).stdout.splitlines()
    for name in story_names():
        (line,) = (line for line in told if line.strip().startswith(f"{name} "))
        assert ("played where none is named" in line) == (name == DEFAULT_STORY)


def test_every_beat_is_a_line_of_json_for_a_program(tmp_path: Path, ferry: Path) -> None:
    answer = storyworld("play", str(ferry), "--json", "--beats", "3", "--seed", "7", folder=tmp_path)
    assert (answer.exit_code, answer.err) == (0, "")
    opening, *beats, verified = answer.json_lines()
    assert (opening["beat"], opening["seed"]) == (0, 7)
    assert [record["beat"] for record in beats] == [1, 2, 3]
    assert beats[0]["hash"] == beats[1]["previousHash"]
    assert verified == {
        "sessionId": opening["sessionId"],
        "ok": True,
        "level": "full",
        "end": "not_proven",
        "beats": 4,
    }


def test_the_same_seed_gives_the_same_lines(tmp_path: Path) -> None:
    told = []
    for _ in range(2):
        answer = storyworld("play", "--json", "--beats", "4", "--seed", "21", folder=tmp_path)
        told.append([[record["lines"], record["stateDigest"]] for record in answer.json_lines()[:-1]])
    assert told[0] == told[1]


def test_a_beat_shows_what_changed_what_was_refused_and_what_was_mended(tmp_path: Path, ferry: Path) -> None:
    light = {"op": "setFlag", "flagId": "lamp", "value": True}
    entity = {"op": "putEntity", "id": "rope", "kind": "thing", "name": "A rope", "attributes": {"ells": 9}}
    relation = {"op": "setRelation", "toRoleId": "ada", "kind": "trust", "value": 5, "note": "he rows"}
    fact = {"op": "establishFact", "id": "fog", "text": "The fog lifts.", "knownBy": ["ada"]}
    fenced = json.dumps({"line": "No.", "operations": [{"op": "addNote", "text": "Cold."}, relation]})
    options = script(
        tmp_path,
        {
            "beat": 1,
            "roleId": "ada",
            "reply": {"line": "Aye.", "action": "Nods.", "operations": [light, entity, fact]},
        },
        {"beat": 1, "roleId": "ben", "reply": f"```json\n{fenced}\n```"},
        {"beat": 2, "roleId": "ada", "reply": {"line": "Hm.", "operations": [{**light, "value": 3}]}},
        {"beat": 2, "roleId": "ben", "reply": "{}"},
        {
            "beat": 3,
            "reply": {
                "line": "So.",
                "operations": [
                    {"op": "removeEntity", "id": "rope"},
                    {"op": "removeRelation", "toRoleId": "ada", "kind": "trust"},
                    {"op": "takeBranch", "branchId": "board"},
                    {"op": "dance"},
                ],
            },
        },
        {"beat": 3, "reply": {"line": "Farewell.", "operations": [{"op": "removeNote", "id": "n1"}]}},
    )
    answer = storyworld("play", str(ferry), options, "--beats", "3", folder=tmp_path)
    assert (answer.exit_code, answer.err) == (0, "")
    for line in (
        "  Ada: Aye.  (Nods.)",
        "  changed: ada: lamp is true",
        "  changed: ada: A rope (thing rope); ells: 9",
        "  changed: ben: trust toward ada is 5 (he rows)",
        "  changed: ada: it is a fact, fog: The fog lifts. (known by ada)",
        "  changed: ben: notes: Cold.",
        "  mended: ben (fence_removed)",
        "  proposed: ada: lamp is 3",
        "  proposed: ada: rope is gone",
        "  proposed: ada: trust toward ada is gone",
        "  proposed: ada: goes the way of board",
        "  proposed: ada: an operation that cannot be read",
        "  proposed: ben: forgets note n1",
        "  1. Go on board  [board]",
    ):
        assert line in answer.out.splitlines(), answer.out
    assert "  skipped: ben (reply_unusable: " in answer.out
    assert "  refused, all of it: proposal 1, flag_type: " in answer.out
    assert "  refused, all of it: proposal 2, " in answer.out


def test_a_script_that_runs_out_ends_the_play_with_a_problem_and_keeps_what_was_played(
    tmp_path: Path, ferry: Path
) -> None:
    options = script(tmp_path, {"reply": {"line": "Aye."}})
    answer = storyworld("play", str(ferry), options, folder=tmp_path)
    assert answer.exit_code == 1
    assert "  skipped: ben (model_failed: " in answer.out
    assert "all 2 beats hold" in answer.out
    assert answer.err.startswith("model_failed  ")
    answer = storyworld("play", str(ferry), options, "--json", folder=tmp_path)
    assert (answer.exit_code, answer.err) == (1, "")
    assert answer.json_lines()[-1]["code"] == "model_failed"


def test_a_line_of_a_script_that_cannot_be_read_is_named(tmp_path: Path, ferry: Path) -> None:
    options = script(tmp_path, {"reply": {"line": "Aye."}}, {"beat": 0, "reply": "No."})
    answer = storyworld("play", str(ferry), options, folder=tmp_path)
    assert (answer.exit_code, answer.out) == (1, "")
    assert answer.err.startswith("script_refused  Line 2 ")
    assert not (tmp_path / "storyworld-data").exists()
    answer = storyworld("play", str(ferry), options, "--json", folder=tmp_path)
    assert answer.json_lines()[0]["code"] == "script_refused"


def test_a_package_with_problems_is_not_played(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(package_bytes(title="", startNodeId="nowhere"))
    answer = storyworld("play", str(path), folder=tmp_path)
    assert (answer.exit_code, answer.out) == (1, "")
    assert answer.err.startswith("package_refused  ")
    assert "    at /startNodeId. " in answer.err
    answer = storyworld("play", str(path), "--json", folder=tmp_path)
    assert answer.exit_code == 1
    assert [found["path"] for found in answer.json_lines()[0]["errors"]] == ["/startNodeId", "/title"]


USAGE_FAULTS: list[tuple[list[str], str]] = [
    (["--seed", "x"], "--seed"),
    (["--seed", "-1"], "--seed"),
    (["--seed", str(limits.SEED_MAX.value + 1)], "--seed"),
    (["--beats", "0"], "--beats"),
    (["--beats", "201"], "--beats"),
    (["--model", "oracle"], "there is no model 'oracle'; there are rehearsal and scripted:FILE"),
    (["--model", "scripted:none.jsonl"], "none.jsonl: No such file or directory"),
    (["none.json"], "none.json: No such file or directory"),
    (["."], ".: Is a directory"),
]


def test_what_was_typed_wrongly_is_a_fault_of_usage_and_makes_no_folder(tmp_path: Path) -> None:
    for arguments, said in USAGE_FAULTS:
        answer = CliRunner().invoke(main, ["play", "--data", str(tmp_path / "data"), *arguments])
        assert (answer.exit_code, answer.stdout) == (2, "")
        assert said in answer.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_data_folder_is_that_of_the_flag_else_of_the_environment_else_of_the_file(
    tmp_path: Path, ferry: Path
) -> None:
    (tmp_path / "storyworld.toml").write_text('data = "by-file"\n', "utf-8")
    told = {"STORYWORLD_DATA": "by-environment"}
    for arguments, environ, folder in (
        (["--data", "by-flag"], told, "by-flag"),
        ([], told, "by-environment"),
        ([], {}, "by-file"),
    ):
        before = {path.name for path in tmp_path.iterdir()}
        answer = storyworld("play", str(ferry), "--beats", "1", *arguments, folder=tmp_path, environ=environ)
        assert answer.exit_code == 0
        assert {path.name for path in tmp_path.iterdir()} - before == {folder}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"data = ", "storyworld.toml: "),
        (b"data = 5", "storyworld.toml: data is int; it must be a text"),
        (b'data = "\xff"', "storyworld.toml: "),
    ],
)
def test_a_settings_file_that_cannot_be_used_is_a_fault_of_usage(tmp_path: Path, text: bytes, said: str) -> None:
    (tmp_path / "storyworld.toml").write_bytes(text)
    answer = storyworld("play", folder=tmp_path)
    assert (answer.exit_code, answer.out) == (2, "")
    assert answer.err.startswith(said)
    assert len(answer.err.splitlines()) == 1


def test_a_data_folder_that_is_none_is_a_fault_of_the_storage(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", "utf-8")
    for place in ("file", "/proc/none/below"):
        answer = storyworld("play", "--data", place, folder=tmp_path)
        assert (answer.exit_code, answer.out) == (3, "")
        assert answer.err.startswith(f"storage_unavailable  the data folder {place} cannot be made: ")


def test_a_database_that_is_none_is_told_as_damage(tmp_path: Path) -> None:
    (tmp_path / "storyworld-data").mkdir()
    (tmp_path / "storyworld-data" / "storyworld.db").write_bytes(b"this is no database at all" * 200)
    answer = storyworld("play", folder=tmp_path)
    assert (answer.exit_code, answer.out) == (3, "")
    assert answer.err.startswith("integrity_failed  ")


def test_a_reader_that_leaves_ends_the_play_quietly_and_what_was_played_holds(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "storyworld", "play"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"Eleven Tons\n"
        process.stdout.close()
        said = process.stderr.read()
        assert (process.wait(WAIT_S), said) == (141, b"")
    assert storyworld("verify", "--all", folder=tmp_path).exit_code == 0


def test_an_interrupted_play_keeps_its_session(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "storyworld", "play", "--json"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        opening = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == 130
    assert err.decode() == f"\ninterrupted; session {opening['sessionId']} is kept\n"
    answer = storyworld("verify", "--json", opening["sessionId"], folder=tmp_path)
    assert answer.exit_code == 0
    assert answer.json_lines()[0]["beats"] >= 1 + len(out.splitlines())


def test_chinese_is_shown_as_it_is_and_by_number_where_the_output_has_no_chinese(tmp_path: Path) -> None:
    path = tmp_path / "渡口.json"
    path.write_bytes(package_bytes(title="渡口", language="zh-Hans"))
    answer = storyworld("play", str(path), "--beats", "2", folder=tmp_path)
    assert answer.exit_code == 0
    assert answer.out.startswith("渡口\n")
    answer = storyworld("play", str(path), "--beats", "2", folder=tmp_path, environ={"PYTHONIOENCODING": "ascii"})
    assert answer.exit_code == 0
    assert answer.out.startswith("\\u6e21\\u53e3\n")
