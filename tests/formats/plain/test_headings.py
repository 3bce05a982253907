"""Acts, scenes, times and places, curtains."""

from __future__ import annotations

import pytest

from tests.formats.plain.outlines import left_out, outline

SPOKEN = "\n\n甲：一。\n乙：二。\n甲：三。\n乙：四。\n"
DIVIDING = ("section", "scene_heading", "transition")


def dividing(text: str) -> list[tuple[str, str]]:
    """What divides the play."""
    return [(kind, said) for kind, said in outline(text) if kind in DIVIDING]


@pytest.mark.parametrize(
    "heading",
    [
        "SCENE II. A wood",
        "Scene Two: A wood",
        "Scene 2",
        "THE SECOND SCENE",
        "第一场",
        "第2場\u3000居間",
        "第三景",
        "シーン１",
        "제2장",
        "1장",
        "1. 1장",
        "Ｓ＃３",
        "S#3. 거실",
        "INT. HALL - NIGHT",
        "内景 客厅 夜",
    ],
)
def test_a_line_begins_a_scene(heading: str) -> None:
    assert dividing(heading + SPOKEN) == [("scene_heading", heading)]


@pytest.mark.parametrize(
    "act",
    [
        "ACT I",
        "Act One",
        "THE FIRST ACT",
        "Act the Second",
        "PROLOGUE",
        "第一幕",
        "第二幕\u3000海岸",
        "楔子",
        "序幕",
        "尾声",
        "プロローグ",
        "제1막",
        "2막",
        "프롤로그",
    ],
)
def test_an_act_without_scenes_is_a_scene_and_with_scenes_a_section(act: str) -> None:
    assert dividing(act + SPOKEN) == [("scene_heading", act)]
    assert dividing(f"{act}\n\n第一场{SPOKEN}") == [("section", act), ("scene_heading", "第一场")]


@pytest.mark.parametrize(
    ("line", "act", "scene"),
    [
        ("ACT I, SCENE II", "ACT I", "SCENE II"),
        ("ACT I. SCENE I. Elsinore.", "ACT I", "SCENE I. Elsinore"),
        ("第一幕第二场", "第一幕", "第二场"),
        ("第一幕\u3000第二場", "第一幕", "第二場"),
        ("1막 2장", "1막", "2장"),
        ("제1막 제2장", "제1막", "제2장"),
    ],
)
def test_an_act_and_a_scene_in_one_line_are_both(line: str, act: str, scene: str) -> None:
    assert dividing(line + SPOKEN) == [("section", act), ("scene_heading", scene)]


@pytest.mark.parametrize(
    "written",
    ["〈제4막〉", "【제4막】", "《제4막》", "── 제4막 ──", "［＃７字下げ］제4막［＃「제4막」は中見出し］", "## 제4막"],
)
def test_what_stands_around_a_heading_is_no_part_of_it(written: str) -> None:
    assert dividing("甲：零。\n乙：零。\n\n" + written + SPOKEN) == [("scene_heading", "제4막")]


@pytest.mark.parametrize(
    "line",
    [
        "第一场雨下得很大。",
        "第一幕的时候，我笑了。",
        "Scene one was great.",
        "Act on it.",
        "3장 주세요.",
        "Prologue to what follows.",
    ],
)
def test_a_sentence_that_begins_like_a_heading_is_none(line: str) -> None:
    assert dividing(f"{line}{SPOKEN}") == []


def test_a_very_long_line_is_neither_a_heading_nor_a_curtain() -> None:
    assert dividing(f"SCENE I. {'A very large wood. ' * 20}{SPOKEN}") == []
    assert dividing(f"{'―' * 100}幕{'―' * 100}{SPOKEN}") == []


def test_a_label_without_a_mark_is_none_once_somebody_speaks() -> None:
    assert outline(f"{SPOKEN}\n時\u3000は流れる\n")[-1] == ("action", "時\u3000は流れる")
    assert outline(f"時\u3000秋\n\n{SPOKEN}")[0] == ("action", "時\u3000秋")


def test_numbers_that_count_up_alone_on_their_lines_are_scenes() -> None:
    assert dividing(f"一{SPOKEN}\n二{SPOKEN}\n三{SPOKEN}") == [("scene_heading", number) for number in "一二三"]
    assert dividing(f"1.{SPOKEN}\n2.{SPOKEN}") == [("scene_heading", "1."), ("scene_heading", "2.")]
    assert dividing(f"I{SPOKEN}\nII{SPOKEN}") == [("scene_heading", "I"), ("scene_heading", "II")]
    assert dividing(f"十{SPOKEN}\n十一{SPOKEN}") == []
    assert dividing(f"一{SPOKEN}") == []


def test_a_number_that_is_none_counts_nothing() -> None:
    assert dividing(f"一{SPOKEN}\n二一十{SPOKEN}\n二{SPOKEN}") == [("scene_heading", "一"), ("scene_heading", "二")]


def test_counting_may_begin_anew() -> None:
    text = f"第一幕\n\n一{SPOKEN}\n二{SPOKEN}\n第二幕\n\n一{SPOKEN}"
    assert [said for _, said in dividing(text)] == ["第一幕", "一", "二", "第二幕", "一"]


@pytest.mark.parametrize(
    "line", ["CURTAIN", "THE END", "――幕――", "（幕）", "剧终", "막", "끝", "暗転", "CUT TO:", "END OF ACT I"]
)
def test_a_curtain_is_a_transition(line: str) -> None:
    assert [kind for kind, _ in dividing(f"{SPOKEN}\n{line}\n")] == ["transition"]


def test_a_long_heading_goes_on_in_the_next_line() -> None:
    heading = "SCENE I. A very large and very dark room in the castle of the\nold Count"
    assert dividing(f"{heading}{SPOKEN}") == [("scene_heading", heading.replace("\n", " "))]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("时间：秋\n地点：江边", "时间：秋\n地点：江边"),
        ("時：或一日\n\n地：或一處", "時：或一日\n地：或一處"),
        ("時\n\u3000秋\n所\n\u3000海岸", "時\u3000秋\n所\u3000海岸"),
        ("時\u3000\u3000秋\n処\u3000\u3000海岸", "時\u3000\u3000秋\n処\u3000\u3000海岸"),
        ("때: 가을\n곳: 서울", "때: 가을\n곳: 서울"),
        ("SCENE: Athens", "SCENE: Athens"),
        ("SCENE\n\nA room in Athens.", "SCENE A room in Athens."),
        ("情景\u3000小さな家。\n雨。", "情景\u3000小さな家。\n雨。"),
    ],
)
def test_time_and_place_are_one_paragraph_of_action(written: str, told: str) -> None:
    assert outline(f"第一场\n\n{written}{SPOKEN}")[1] == ("action", told)


def test_what_stands_before_the_first_heading_is_left_out_as_front_matter() -> None:
    text = f"雨夜\n\n这个剧本写于一九三六年，当时作者在上海。\n\n第一场{SPOKEN}"
    assert left_out(text) == [("script_front_matter_left_out", 3, 3)]


def test_what_stands_before_the_first_speech_of_a_play_without_headings_is_action() -> None:
    assert outline(f"一间小屋，夜，窗外有雨。\n张三坐在灯下。{SPOKEN}")[0] == (
        "action",
        "一间小屋，夜，窗外有雨。\n张三坐在灯下。",
    )
