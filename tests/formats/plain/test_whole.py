"""What holds for every text: nothing is lost, nothing is read twice, nothing fails."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from storyworld.formats.plain import read_plain
from tests.formats.plain.outlines import categories_by_line, outline

PIECES = (
    "甲：一。",
    "乙：（笑）二。",
    "丙「三。",
    "」（四）",
    "ANNA",
    "ANNA. Go.",
    "[Exit",
    "BEN]",
    "（",
    "）",
    "人物",
    "CHARACTERS",
    "ANNA, a clerk",
    "甲──老翁",
    "時",
    "时间：夜",
    "SCENE: Athens",
    "ACT I",
    "SCENE II. A wood",
    "第一幕第一场",
    "一",
    "二",
    "1막 2장",
    "CURTAIN",
    "幕",
    "［＃ここから］",
    "底本：",
    "【テキスト中に現れる記号について】",
    "-----",
    "CONTENTS",
    "*** START OF THE PROJECT GUTENBERG",
    "12",
    "「申し。」",
    "？！",
    "by Jane",
    "word word word.",
    "# 题",
    "",
    "",
    "\u3000\u3000",
)
texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=40).map("\n".join),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=20).map("\n".join),
    st.text(max_size=200),
)


def source_lines(text: str) -> list[str]:
    """The lines of a text, controls as spaces."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return ["".join(" " if ord(char) < 32 or 127 <= ord(char) < 160 else char for char in line) for line in lines]


@settings(max_examples=400, deadline=None)
@given(texts)
def test_every_line_that_is_not_blank_has_exactly_one_place(text: str) -> None:
    placed = categories_by_line(read_plain(text))
    lines = source_lines(text)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            assert len(placed.get(number, ())) == 1, (number, line, placed.get(number))
    assert max(placed, default=0) <= len(lines)


@settings(max_examples=200, deadline=None)
@given(texts)
def test_elements_stand_in_order_and_are_trimmed_texts(text: str) -> None:
    elements = read_plain(text).elements
    assert [one.lines.first for one in elements] == sorted(one.lines.first for one in elements)
    for element in elements:
        assert element.text == element.text.strip() != ""
        assert not any(ord(char) < 32 and char not in "\n\t" for char in element.text)


def test_marks_on_lines_of_their_own_are_not_lost_in_a_speech() -> None:
    for speech in ("甲：「一\n（）\n二」\n", "甲：（笑）\n\u3000「\n\u3000（怒）一\n\u3000」\n", "甲：\n（）\n"):
        text = f"{speech}乙：二。\n甲：三。\n乙：四。\n"
        placed = categories_by_line(read_plain(text))
        assert sorted(placed) == list(range(1, text.count("\n") + 1))


def test_the_end_of_a_line_may_be_written_in_three_ways() -> None:
    text = "甲：一。\n乙：二。\n\n甲：三。\n乙：四。\n"
    assert outline(text) == outline(text.replace("\n", "\r\n")) == outline(text.replace("\n", "\r"))
    assert outline(text) == outline("\ufeff" + text)


def test_a_direction_that_is_never_closed_takes_no_speech() -> None:
    text = "甲：一。\n乙：二。\n\n（他走了\n\n甲：三。\n乙：四。\n"
    assert [kind for kind, _ in outline(text)].count("character") == 4
    assert ("action", "（他走了") in outline(text)


def test_a_direction_that_is_closed_far_below_takes_no_speech() -> None:
    text = "甲：一。\n乙：二。\n\n（他走了\n" + "\n走。" * 40 + "\n）\n\n甲：三。\n乙：四。\n"
    assert ("action", "（他走了") in outline(text)
