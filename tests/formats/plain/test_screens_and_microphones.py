"""Scripts for film, television and radio, as they are typed without the marks of a screenplay format."""

from __future__ import annotations

import pytest

from tests.formats.plain.outlines import outline, speeches

FILM = """《旧账》

1. 日 内 当铺
吴伯打着算盘。
赵青：当。
吴伯：（推眼镜）死当活当？

2. 夜 外 巷口
男人（画外音）：赵小姐，留步。
赵青停下，没有回头。
赵青：账我还清了。
字幕：三天后
吴伯：来了。
△赵青走进来。
△门在她身后关上
赵青：来了。
"""


def test_a_numbered_line_of_place_time_and_inside_or_outside_begins_a_scene_though_text_follows_at_once() -> None:
    headings = [said for kind, said in outline(FILM) if kind == "scene_heading"]
    assert headings == ["1. 日 内 当铺", "2. 夜 外 巷口"]


@pytest.mark.parametrize(
    "slug",
    ["1-1 刑警队办公室 日 内", "长街　夜　外", "场景四 局长办公室 日 内", "3、日内 堂屋", "12. 河边（十年前） 外/夜"],
)
def test_every_order_of_place_time_and_inside_or_outside_begins_a_scene(slug: str) -> None:
    assert ("scene_heading", slug) in outline(f"甲：一。\n乙：二。\n\n{slug}\n甲：三。\n乙：四。\n")


def test_a_sentence_of_such_words_begins_none() -> None:
    assert "scene_heading" not in [
        kind for kind, _ in outline("甲：一。\n乙：二。\n\n夜 外 很静，什么都没有。\n甲：三。\n")
    ]


def test_what_is_shown_or_heard_is_action_and_ends_the_speech_above_it() -> None:
    actions = [said for kind, said in outline(FILM) if kind == "action"]
    assert actions == ["吴伯打着算盘。", "赵青停下，没有回头。", "字幕：三天后", "赵青走进来。", "门在她身后关上"]


def test_a_whole_sentence_below_a_speech_is_no_part_of_it_where_lines_are_not_broken_to_fit_a_page() -> None:
    assert ("男人", "赵小姐，留步。") in speeches(FILM)


def test_a_japanese_slug_line_needs_no_empty_line_below_it() -> None:
    text = "○\u3000駅・ホーム（夜）\n\u3000\u3000雨。\n恵「もう出ました」\n老人「（笑って）知ってる」\n恵「じゃあ」\n"
    assert outline(text)[:2] == [("scene_heading", "駅・ホーム（夜）"), ("action", "雨。")]
    assert ("老人", "(笑って) 知ってる") in speeches(text)


def test_a_title_in_capitals_above_the_list_of_characters_is_nobody() -> None:
    text = (
        "DEAD LETTERS\na play in two scenes\n\nby Rosalind Achebe\n\nCHARACTERS\n\nHANNAH - a clerk\nOWEN - forty\n\n"
        "SCENE ONE\n\nHANNAH\nWe're closed.\n\nOWEN\nOh.\n\nHANNAH\nYes.\n"
    )
    assert {name for name, _ in speeches(text)} == {"HANNAH", "OWEN"}


def test_an_act_without_scenes_is_no_scene_of_the_act_before_it() -> None:
    text = "第一幕\n第一场\n甲：一。\n乙：二。\n\n尾声\n甲：三。\n乙：四。\n"
    assert [part for part in outline(text) if part[0] in ("section", "scene_heading")] == [
        ("section", "第一幕"),
        ("scene_heading", "第一场"),
        ("section", "尾声"),
    ]


def test_a_speech_that_begins_with_dots_is_parted_from_its_name_by_a_gap() -> None:
    assert speeches("큰딸   앉아.\n작은딸   왜?\n큰딸   …아버지?\n작은딸   응.\n")[2] == ("큰딸", "…아버지?")
