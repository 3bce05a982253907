"""The door for scripts: which format a script is in, and real files through the whole way to a package."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from storyworld.core.content import judge_package
from storyworld.core.errors import Refusal
from storyworld.core.script import ScriptFormat
from storyworld.formats.scripts import Imported, format_of, import_by_rules, import_text_by_rules

PLAY = "A PLAY\n\nANN. Oh.\n\nBEN. Ah.\n\nANN. Well.\n\nBEN. Quite.\n"


@pytest.mark.parametrize(
    ("text", "file_name", "told"),
    [
        ("<?xml version='1.0'?><FinalDraft/>", "play.txt", "fdx"),
        ("\n <FinalDraft DocumentType='Script'>", None, "fdx"),
        ("<!doctype html>", None, "fdx"),
        (PLAY, "play.fountain", "fountain"),
        (PLAY, "PLAY.SPMD", "fountain"),
        (PLAY, "play.fdx", "fdx"),
        (PLAY, "play.txt", "plain"),
        (PLAY, None, "plain"),
        ("Title: A Play\n\nANN\nOh.\n", None, "fountain"),
        ("标题：电影\n作者：匿名\n\n甲：来了。\n", None, "plain"),
        ("int. house - day\n\nANN\nOh.\n", None, "fountain"),
        ("ANN\nOh.\n\n.QUAY\n\nANN\nNo.\n", None, "fountain"),
        ("@小白\n来了。\n", None, "fountain"),
        ("# Act 1\n\nANN\nOh.\n", None, "fountain"),
        ("# Act 1\n\n**Ann**: Oh.\n", "play.md", "plain"),
        ("ANN\nOh. [[louder?]]\n", None, "fountain"),
    ],
)
def test_a_format_is_told_by_what_only_that_format_has(text: str, file_name: str | None, told: ScriptFormat) -> None:
    assert format_of(text, file_name) == told


def test_a_format_that_is_asked_for_is_taken() -> None:
    read = import_text_by_rules(PLAY, asked="fountain")
    assert isinstance(read, Imported)
    assert (read.format, read.encoding) == ("fountain", None)


CHAT = "# Night\n\n**Iris**: Are you there?\n\n**Milo**: Where else?\n\n**Iris:** Good.\n"


def test_what_has_marks_of_fountain_and_speakers_of_a_plain_text_is_a_plain_text() -> None:
    read = import_text_by_rules(CHAT)
    assert isinstance(read, Imported)
    assert [role["name"] for role in read.candidate.content["roles"]] == ["Iris", "Milo"]


def test_a_file_that_is_named_as_fountain_is_read_as_fountain_though_nobody_speaks() -> None:
    read = import_text_by_rules(CHAT, file_name="chat.fountain")
    assert isinstance(read, Imported)
    assert (read.format, read.candidate.content["roles"]) == ("fountain", [])


def test_a_script_is_called_by_the_stem_of_its_file() -> None:
    read = import_by_rules(b"INT. A\n\nANN\nOh.\n", file_name="first.draft.fountain")
    assert isinstance(read, Imported)
    assert read.candidate.content["title"] == "first.draft"


@pytest.mark.parametrize("folder", ["fountain", "fdx", "plays"])
def test_every_real_script_is_imported_or_refused_with_reasons(cases: Callable[[str], Path], folder: str) -> None:
    for file in sorted(cases(folder).iterdir()):
        imported = import_by_rules(file.read_bytes(), file_name=file.name)
        assert not isinstance(imported, Refusal), (file.name, imported)
        problems = judge_package(imported.candidate.content).problems
        speaks = bool(imported.candidate.content["roles"])
        # What an author meets: too long a text of the script's own, or nobody who speaks.
        codes = {problem.code for problem in problems}
        assert codes <= ({"text_too_long", "array_too_long"} if speaks else {"array_empty", "field_missing"}), (
            file.name,
            [problem.message for problem in problems],
        )


@pytest.mark.parametrize("folder", ["fountain", "fdx", "plays"])
def test_every_line_of_a_real_script_is_cited_or_left_out(cases: Callable[[str], Path], folder: str) -> None:
    for file in sorted(cases(folder).iterdir()):
        imported = import_by_rules(file.read_bytes(), file_name=file.name)
        assert isinstance(imported, Imported)
        told = [*(lines for ranges in imported.candidate.sources.values() for lines in ranges)]
        told += [[entry.lines.first, entry.lines.last] for entry in imported.candidate.left_out]
        covered = {line for first, last in told for line in range(first, last + 1)}
        text = file.read_bytes().decode("cp932" if "sjis" in file.name else "utf-8-sig")
        lines = text.replace("\r\n", "\n").split("\n")
        missed = [number for number, line in enumerate(lines, start=1) if line.strip() and number not in covered]
        assert missed == [], file.name
