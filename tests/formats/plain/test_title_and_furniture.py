"""What the title page says, and what belongs to the book or to its typesetting."""

from __future__ import annotations

import pytest

from storyworld.formats.plain import read_plain
from tests.formats.plain.outlines import left_out, outline, speeches

SPOKEN = "甲：一。\n乙：二。\n甲：三。\n乙：四。\n"
AOZORA = """雨の家
一幕
山田一郎

-------------------------------------------------------
【テキスト中に現れる記号について】

《》：ルビ
（例）家《うち》
-------------------------------------------------------

［＃ここから４字下げ］
母　一。
父　二｜本立《ほんだて》の下。
［＃ここで字下げ終わり］
母　さあ※［＃二の字点、1-2-22］、教えてくな※［＃小書き平仮名ん、228-12］せ。
父　※［＃「口＋世」、U+546D、10-3］と※［＃「謎」］。
［＃地から２字上げ］――幕――


底本：「山田一郎集」
入力：だれか
"""


def title_page(text: str) -> list[tuple[str, str]]:
    """The fields of the title page."""
    return [(field.key, field.value) for field in read_plain(text).title_page]


@pytest.mark.parametrize(
    ("head", "fields"),
    [
        ("THE LAST TRAIN\nby Jane Doe", [("title", "THE LAST TRAIN"), ("author", "Jane Doe")]),
        ("THE LAST TRAIN\n\nby Jane Doe", [("title", "THE LAST TRAIN"), ("author", "Jane Doe")]),
        (
            "THE LAST TRAIN\nA Play in One Act\nWritten by Jane Doe",
            [("title", "THE LAST TRAIN"), ("subtitle", "A Play in One Act"), ("author", "Jane Doe")],
        ),
        ("THE LAST TRAIN\n\nby\n\nJane Doe", [("title", "THE LAST TRAIN"), ("credit", "by"), ("author", "Jane Doe")]),
        ("《雨夜》\n编剧：陈默", [("title", "雨夜"), ("author", "陈默")]),
        ("雨夜\n陈默 著", [("title", "雨夜"), ("author", "陈默")]),
        ("雨の家\n山田一郎作", [("title", "雨の家"), ("author", "山田一郎")]),
        ("봄밤\n김아무개 지음", [("title", "봄밤"), ("author", "김아무개")]),
        ("剧名：雨夜\n作者：陈默", [("title", "雨夜"), ("author", "陈默")]),
        ("Title: Rain\nAuthor: Jane Doe\nDraft of May", [("title", "Rain"), ("author", "Jane Doe")]),
        ("雨夜", [("title", "雨夜")]),
        ("# 雨夜", [("title", "雨夜")]),
        ("这一天夜里下着很大的雨，江上没有船。", []),
        ("It was late.\nNobody came to the station that night, and the lamp had gone out long ago.", []),
        ("雨夜\n" + "江边的小屋" * 20 + "\n老人", []),
        ("雨夜\n江边\n小屋\n渔船\n老人", []),
    ],
)
def test_the_first_lines_give_title_and_author(head: str, fields: list[tuple[str, str]]) -> None:
    assert title_page(f"{head}\n\n第一场\n\n{SPOKEN}") == fields


def test_a_script_that_begins_with_a_heading_or_a_direction_has_no_title() -> None:
    assert title_page(f"第一场\n\n{SPOKEN}") == []
    assert title_page(f"（雨声）\n\n{SPOKEN}") == []
    assert title_page(f"时间：夜\n\n{SPOKEN}") == []


def test_marks_of_aozora_bunko_are_no_part_of_the_text() -> None:
    assert title_page(AOZORA) == [("title", "雨の家"), ("subtitle", "一幕"), ("author", "山田一郎")]
    assert speeches(AOZORA) == [
        ("母", "一。"),
        ("父", "二本立の下。"),
        ("母", "さあ〻、教えてくなんせ。"),
        ("父", "呭と※。"),
    ]
    assert outline(AOZORA)[-1] == ("transition", "幕")


def test_legend_colophon_and_lines_of_marks_are_left_out() -> None:
    found = left_out(AOZORA)
    assert [(code, first) for code, first, _ in found if code == "script_markup_left_out"] == [
        ("script_markup_left_out", 12),
        ("script_markup_left_out", 15),
    ]
    furniture = {first for code, first, _ in found if code == "script_furniture_left_out"}
    assert furniture == {5, 6, 8, 9, 10, 21, 22}


@pytest.mark.parametrize(
    ("note", "meant"),
    [("1-2-22", "〻"), ("2-1-1", "𠂉"), ("1-99-1", "※"), ("U+D800", "※"), ("第3水準1-14-1", "俱")],
)
def test_a_character_that_the_file_could_not_hold_is_read_from_its_note(note: str, meant: str) -> None:
    assert speeches(f"母\u3000※［＃「字」、{note}］\n父\u3000二。\n母\u3000三。\n父\u3000四。\n")[0] == ("母", meant)


def test_marks_of_titles_of_books_in_chinese_stay() -> None:
    assert speeches("甲：读《雷雨》了吗？\n乙：读了。\n甲：好。\n乙：嗯。\n")[0] == ("甲", "读《雷雨》了吗？")


def test_emphasis_goes() -> None:
    assert speeches("ANNA: I _do_ know **it** and *that*.\nBEN: 2 * 3 * 4.\nANNA: a_b_c.\nBEN: No.\n")[:3] == [
        ("ANNA", "I do know it and that."),
        ("BEN", "2 * 3 * 4."),
        ("ANNA", "a_b_c."),
    ]


def test_licence_contents_and_page_numbers_are_left_out() -> None:
    text = (
        "Produced by Nobody\n\n*** START OF THE PROJECT GUTENBERG EBOOK RAIN ***\n\n"
        "RAIN\n\n\nCONTENTS\n\nACT I\nACT II\n\n\n"
        f"ACT I\n\n{SPOKEN}\n- 12 -\n\nACT II\n\n* * *\n\n{SPOKEN}\n"
        "*** END OF THE PROJECT GUTENBERG EBOOK RAIN ***\nLicence.\n"
    )
    assert title_page(text) == [("title", "RAIN")]
    furniture = [first for code, first, _ in left_out(text) if code == "script_furniture_left_out"]
    assert furniture == [1, 3, 8, 10, 11, 21, 32, 33]
    assert [first for code, first, _ in left_out(text) if code == "script_markup_left_out"] == [25]
    assert [said for kind, said in outline(text) if kind == "scene_heading"] == ["ACT I", "ACT II"]


def test_contents_without_a_wide_gap_after_them_are_their_title_alone() -> None:
    assert left_out(f"目录\n\n第一场\n\n{SPOKEN}") == [("script_furniture_left_out", 1, 1)]
