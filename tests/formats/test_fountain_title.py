"""What the title page of a Fountain text is read as."""

from __future__ import annotations

import pytest

from storyworld.core.script import CastEntry, LeftOut, Lines, Script, TitleField
from storyworld.formats.fountain_reader import read_fountain


def test_the_title_page_has_keys_and_values() -> None:
    script = read_fountain(
        "Title:\n\t_**BRICK**_\n    & STEEL\nAuthor: Stu\nDraft  date: 1/1/2012\nMy Key: x\ncontinued\n\nINT. X"
    )
    assert script.title_page == (
        TitleField("title", "BRICK\n& STEEL", Lines(1, 3)),
        TitleField("author", "Stu", Lines(4, 4)),
        TitleField("draft date", "1/1/2012", Lines(5, 5)),
        TitleField("my key", "x\ncontinued", Lines(6, 7)),
    )
    assert [element.text for element in script.elements] == ["INT. X"]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("标题：夜", "title"), ("題名：夜", "title"), ("제목: 밤", "title"), ("作者：夜", "author"),
        ("각본: 밤", "author"), ("日期：1", "date"), ("版权：无", "copyright"), ("連絡先：x", "contact"),
        ("原作: x", "source"), ("  Title : X", "title"), ("備考：x", "notes"), ("语言：zh", "language"),
        ("Authors: x", "author"), ("TITLE: x", "title"),
    ],
)  # fmt: skip
def test_keys_of_other_languages_are_known_by_their_english_ones(line: str, key: str) -> None:
    (field,) = read_fountain(line).title_page
    assert field.key == key


@pytest.mark.parametrize(
    "text", ["FADE IN:\n\nHi.", "CUT TO:", "Remember: all.", "他说：好。\n\n标题：x", "INT. X: NIGHT", "# A: b"]
)
def test_what_has_no_known_key_is_no_title_page(text: str) -> None:
    assert read_fountain(text).title_page == ()


def test_notes_boneyards_and_empty_lines_may_stand_before_and_in_a_title_page() -> None:
    script = read_fountain("[[n]]\n\n/* b */\n\nTitle: X [[m]]\n\n\nAuthor: Y\n\nNow: then.")
    assert [(field.key, field.value) for field in script.title_page] == [("title", "X"), ("author", "Y")]
    assert [element.text for element in script.elements] == ["n", "m", "Now: then."]
    assert script.left_out == (LeftOut("script_boneyard_left_out", Lines(3, 3)),)


@pytest.mark.parametrize("body", ["INT. X: Y", "FADE IN:", "# Act: one", "!Act: one", ".X: Y", "[[n]]\n\nTitle: Y"])
def test_a_title_page_ends_where_an_element_begins(body: str) -> None:
    script = read_fountain(f"Title: X\n{body}")
    assert script.title_page == (TitleField("title", "X", Lines(1, 1)),) or "[[" in body
    assert script.elements


def test_a_title_page_may_be_all_there_is() -> None:
    assert read_fountain("Title: X\nSource:\n\n\n").title_page == (
        TitleField("title", "X", Lines(1, 1)),
        TitleField("source", "", Lines(2, 2)),
    )
    assert read_fountain("") == Script("fountain", ())


def test_the_language_is_told_where_it_is_a_tag() -> None:
    assert read_fountain("Language: zh-Hans").language == "zh-Hans"
    assert read_fountain("Language: 中文").language is None


def test_the_cast_list_gives_ids_names_and_descriptions() -> None:
    assert read_fountain("Title: X\nLanguage: en\nCast:\n    ANNE (anne)\n    B\\: C (b-2)").cast == (
        CastEntry("ANNE", Lines(3, 4), role_id="anne"),
        CastEntry("B: C", Lines(5, 5), role_id="b-2"),
    )
    assert read_fountain("人物：\n  约翰（20）\n  玛丽：护士\n  甲、乙\n  ：丙").cast == (
        CastEntry("约翰", Lines(1, 2), description="20"),
        CastEntry("玛丽", Lines(3, 3), description="护士"),
        CastEntry("甲", Lines(4, 4)),
        CastEntry("乙", Lines(4, 4)),
        CastEntry("：丙", Lines(5, 5)),
    )


@pytest.mark.parametrize("head", ["Title: X", "Title: X\nLanguage: en"])
def test_what_stands_in_brackets_is_no_id_where_it_is_not_one_for_each(head: str) -> None:
    cast = read_fountain(f"{head}\nCast:\n  ANNE (20)\n  BEN (20)").cast
    assert [(entry.role_id, entry.description) for entry in cast] == [(None, "20"), (None, "20")]


def test_an_empty_cast_list_is_a_field() -> None:
    assert read_fountain("Title: X\nCast:").title_page[1] == TitleField("cast", "", Lines(2, 2))
