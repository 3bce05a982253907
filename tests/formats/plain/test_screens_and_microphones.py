"""Scripts for film, television and radio, as they are typed without the marks of a screenplay format."""

from __future__ import annotations

import pytest

from storyworld.formats.plain import read_plain
from tests.formats.plain.outlines import left_out, outline, speeches

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


RADIO = """"THE EAR"
by Ann Deverell

CAST:
KEEPER, an old man
GIRL, ten

1. MUSIC:      THEME, UP AND UNDER
2. KEEPER:     Who's there?
3. GIRL:       (OFF) Only me. I counted
               a hundred stairs.
4. SFX:        FOOTSTEPS.
5. KEEPER:     A hundred and one.
"""


def test_the_numbers_of_a_radio_play_are_no_part_of_its_names_and_sounds_are_nobody() -> None:
    assert speeches(RADIO) == [
        ("KEEPER", "Who's there?"),
        ("GIRL", "Only me. I counted\na hundred stairs."),
        ("KEEPER", "A hundred and one."),
    ]
    assert [entry.name for entry in read_plain(RADIO).cast] == ["KEEPER", "GIRL"]
    assert read_plain(RADIO).title_page[0].value == "THE EAR"


def test_the_times_of_a_transcript_are_no_part_of_it() -> None:
    text = "[00:00:05] ANN: Thanks.\n[00:00:09] DR. HALE: Hale.\n(01:02) ANN: When?\n00:00:15 DR. HALE: At 10:30.\n"
    assert speeches(text) == [("ANN", "Thanks."), ("DR. HALE", "Hale."), ("ANN", "When?"), ("DR. HALE", "At 10:30.")]


def test_captions_name_their_speakers_in_voice_tags() -> None:
    text = (
        "WEBVTT\n\n1\n00:00:01.000 --> 00:00:04.000\n<v Ada>Did you?\n\n2\n00:04.500 --> 00:06.000\n<v Ben>I did.</v>\n"
        "\n3\n00:06.500 --> 00:09.000\n<v Ada>Good.\n"
    )
    assert speeches(text) == [("Ada", "Did you?"), ("Ben", "I did."), ("Ada", "Good.")]
    assert {code for code, _, _ in left_out(text)} == {"script_furniture_left_out"}


def test_two_known_names_joined_above_a_speech_are_a_cue() -> None:
    text = "HANNAH\nClosed.\n\nOWEN\nOpen.\n\nHANNAH\nNo.\n\nOWEN\nYes.\n\nHANNAH and OWEN\n(together)\nDear Sir.\n"
    assert speeches(text)[-1] == ("HANNAH and OWEN", "(together) Dear Sir.")


def test_who_is_in_a_scene_is_a_note_below_its_heading() -> None:
    first = "人物：方远、小贩\n\n1-1 家 日 内\n方远：走了。\n\n"
    text = first + "1-2 长街 夜 外\n人物：方远、小贩\n雨。\n小贩：老样子？\n方远：好。\n"
    below = outline(text)[3:6]
    assert below == [("scene_heading", "1-2 长街 夜 外"), ("note", "人物：方远、小贩"), ("action", "雨。")]


def test_a_direction_loses_the_square_bracket_that_is_never_closed() -> None:
    assert ("action", "船舱。马灯。") in outline("第一幕\n\n[船舱。马灯。\n\n甲：一。\n乙：二。\n甲：三。\n")
    assert ("action", "Exit Ghost.") in outline("ANN. Oh.\n\nBEN. Ah.\n\nANN. Well.\n\n[Exit Ghost.\n")


def test_an_age_in_brackets_is_no_part_of_a_name_in_columns() -> None:
    text = "駅\n\n登場人物\n高野\u3000恵（２８）\u3000駅員\n老人（７５）\n\n○駅\n恵「はい」\n老人「いや」\n恵「え」\n"
    assert [(entry.name, entry.description) for entry in read_plain(text).cast] == [
        ("高野\u3000恵", "（２８）\u3000駅員"),
        ("老人", "７５"),
    ]


def test_a_korean_name_on_a_line_of_its_own_may_end_like_a_verb() -> None:
    text = "민호\n왔다.\n\n순자\n그래.\n\n민호\n응.\n\n젊은 순자\n돌아와요.\n"
    assert speeches(text)[-1] == ("젊은 순자", "돌아와요.")


def test_an_author_may_be_parted_from_the_word_for_one_by_a_dot() -> None:
    title = read_plain("빈 의자\n작 · 정하늘\n\n제1장\n\n가: 음.\n나: 응.\n가: 어.\n").title_page
    assert [(field.key, field.value) for field in title] == [("title", "빈 의자"), ("author", "정하늘")]
