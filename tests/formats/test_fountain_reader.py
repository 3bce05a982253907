"""What a Fountain text is read as."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyworld.core.script import LeftOut, Lines, Script, ScriptElement
from storyworld.formats.fountain_reader import read_fountain


def read(text: str) -> list[tuple[str, str]]:
    """Kinds and texts, in order."""
    return [(element.kind.value, element.text) for element in read_fountain(text).elements]


# Headings and transitions


@pytest.mark.parametrize(
    "heading",
    [
        "INT. HOUSE - DAY", "ext. field", "EST BRIDGE", "INT./EXT. CAR", "int/ext car", "I/E BARN", "I/E. BARN",
        "INT。 医院-天", "12 INT. HALL", "内景 咖啡馆", "外景。码头", "内/外 车 - 夜", "1. 内景 家", "2、内景 家",
        "内景咖啡馆 日", "内景", "第三场", "第3场 码头", "第十二場", "场景：医院", "场景 3", "场景3：医院",
        "シーン2", "장면 1", "씬 3", "S#12. 병원", "Ｓ＃3", "咖啡馆 - 日", "客厅　夜　内", "病院・昼",
        "병원 / 밤", "医院-天",
    ],
)  # fmt: skip
def test_a_scene_heading_is_known_in_four_languages(heading: str) -> None:
    assert read(f"他们走了。\n\n{heading}\n\n有人来了。")[1] == ("scene_heading", heading)


@pytest.mark.parametrize(
    "line",
    [
        "第三场比赛开始了。", "内心很平静。", "外面下雨了。", "○○さんが来る。", "他等了整整一天", "场景很美。",
        "INTERIOR MONOLOGUE", "EXTRA", "他说：日", "신 앞에 서다", "室内，很安静",
        "S# 나", "그는 떠났다. 밤", "长" * 39 + " 夜",
    ],
)  # fmt: skip
def test_what_only_begins_or_ends_like_a_heading_is_action(line: str) -> None:
    assert read(f"\n{line}\n") == [("action", line)]


def test_a_heading_of_our_own_rules_stands_alone() -> None:
    assert read("咖啡馆 - 日\n有人来了。") == [("action", "咖啡馆 - 日\n有人来了。")]
    assert read("天亮了。\n咖啡馆 - 日") == [("action", "天亮了。\n咖啡馆 - 日")]


def test_a_standard_heading_needs_only_an_empty_line_before_it() -> None:
    assert read("INT. HOUSE\nHe sits.\nSTILL.\nHe waits.") == [
        ("scene_heading", "INT. HOUSE"),
        ("action", "He sits.\nSTILL.\nHe waits."),
    ]
    assert read("He sits.\nINT. HOUSE") == [("action", "He sits.\nINT. HOUSE")]


def test_the_circle_of_a_japanese_heading_is_its_mark() -> None:
    assert read("○病院・昼\n\n◯ 海辺") == [("scene_heading", "病院・昼"), ("scene_heading", "海辺")]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (".KITCHEN", "KITCHEN"), (".厨房", "厨房"), (".«Bar»", "«Bar»"), (r".\(Bar)", "(Bar)"), (".○病院", "○病院"),
    ],
)  # fmt: skip
def test_a_stop_forces_a_heading(line: str, text: str) -> None:
    assert read(line) == [("scene_heading", text)]


@pytest.mark.parametrize("line", ["...where", ". NOT A HEADING", ".", ".(x)", "他走了。\n.厨房"])
def test_other_stops_force_nothing(line: str) -> None:
    assert read(line) == [("action", line)]


@pytest.mark.parametrize("number", ["1", "1A", "1a", "A1", "I-1-A", "1.", "110A", "😆"])
def test_a_scene_number_is_no_part_of_the_heading(number: str) -> None:
    assert read(f"INT. HOUSE - DAY #{number}#") == [("scene_heading", "INT. HOUSE - DAY")]


@pytest.mark.parametrize("end", ["#", "# 1 #", "##", r"#1\#"])
def test_other_signs_at_the_end_of_a_heading_are_part_of_it(end: str) -> None:
    assert read(f"INT. HOUSE {end}") == [("scene_heading", f"INT. HOUSE {end}".replace("\\", ""))]


@pytest.mark.parametrize(
    "line",
    [
        "CUT TO:", "SMASH CUT TO:", "FADE IN:", "FADE OUT.", "CUT TO BLACK.", "DISSOLVE:", "淡入：", "淡出。", "切至：",
        "（溶暗）", "渐渐淡出", "F.I.", "F.O",
        "Ｆ・Ｏ", "O.L.", "フェードアウト", "暗転", "カットバック", "컷 투:", "페이드 아웃", "암전",
    ],
)  # fmt: skip
def test_a_transition_is_known_in_four_languages(line: str) -> None:
    assert read(f"他们走了。\n\n{line}\n\n有人来了。")[1] == ("transition", line)


@pytest.mark.parametrize("line", ["He walks TO:", "FADE", "淡出了视线。", "切", "I have to:", "A" * 60 + " TO:"])
def test_what_is_only_like_a_transition_is_action(line: str) -> None:
    assert read(line) == [("action", line)]


def test_a_transition_to_is_one_even_where_text_follows_at_once() -> None:
    assert read("CUT TO:\nThe sea.") == [("transition", "CUT TO:"), ("action", "The sea.")]
    assert read("淡出\n他走了。") == [("action", "淡出\n他走了。")]


def test_a_bracket_forces_a_transition_and_two_center() -> None:
    assert read("> Burn to white.\n\n> THE END <") == [("transition", "Burn to white."), ("centered", "THE END")]
    assert read(r"> a \<") == [("transition", "a <")]
    assert read("> one <\n><\n>two<\nand on") == [("centered", "one\n\ntwo"), ("action", "and on")]


# Cues and speeches


@pytest.mark.parametrize("name", ["STEEL", "R2D2", "3CPO", "JIM😆", "KAʻIULANI", "O'NEIL", "MR. X", "ÉMILE", "ЖЕНЯ"])
def test_a_line_in_capitals_above_another_is_a_cue(name: str) -> None:
    assert read(f"{name}\nHello.") == [("character", name), ("dialogue", "Hello.")]


@pytest.mark.parametrize("line", ["Steel", "23", "23 (O.S.)", "McCABE", "(O.S.)", "...", "!STEEL"])
def test_what_has_no_capitals_or_small_letters_is_no_cue(line: str) -> None:
    assert read(f"{line}\nHello.") == [("action", f"{line.removeprefix('!')}\nHello.")]


def test_a_cue_needs_an_empty_line_before_and_a_speech_after_it() -> None:
    assert read("STEEL\n\nHello.") == [("action", "STEEL"), ("action", "Hello.")]
    assert read("He turns.\nSTEEL\nHello.") == [("action", "He turns.\nSTEEL\nHello.")]


def test_extensions_and_the_caret_are_no_part_of_the_name() -> None:
    text = "EVE (V.O.) (CONT'D) ^\nNo."
    cue = read_fountain(text).elements[0]
    assert (cue.text, cue.extension, cue.dual) == ("EVE", "V.O. CONT'D", True)
    cue = read_fountain("@约翰（画外音）\n你好。").elements[0]
    assert (cue.text, cue.extension, cue.dual) == ("约翰", "画外音", False)
    cue = read_fountain("AND ^ (dual) ()\nNo.").elements[0]
    assert (cue.text, cue.extension, cue.dual) == ("AND ^", "dual", False)


def test_a_name_has_at_most_8_extensions() -> None:
    cue = read_fountain("@EVE" + " (a)" * 9 + "\nNo.").elements[0]
    assert (cue.text, cue.extension) == ("EVE (a)", " ".join("a" * 8))


def test_escaped_brackets_and_carets_are_part_of_the_name() -> None:
    cue = read_fountain(r"@Ann \(Smith\) (ann-2) \^" + "\nNo.").elements[0]
    assert (cue.text, cue.extension, cue.dual) == ("Ann (Smith) (ann-2) ^", None, False)


def test_a_forced_cue_needs_no_speech() -> None:
    assert read("@McCabe\n\n@ \n\n@(O.S.)") == [("character", "McCabe"), ("action", "@"), ("action", "@(O.S.)")]


def test_a_name_without_capitals_is_a_cue_above_a_parenthetical_and_a_speech() -> None:
    assert read("约翰\n（丢失）\n这是什么地方？") == [
        ("character", "约翰"),
        ("parenthetical", "丢失"),
        ("dialogue", "这是什么地方？"),
    ]
    assert read("约翰走了\n（灯灭）") == [("action", "约翰走了\n（灯灭）")]


def test_a_name_without_capitals_is_a_cue_where_it_stands_so_twice() -> None:
    assert read("철수\n안녕.\n\n그가 웃는다.\n\n철수 (N)\n잘 가.") == [
        ("character", "철수"),
        ("dialogue", "안녕."),
        ("action", "그가 웃는다."),
        ("character", "철수"),
        ("dialogue", "잘 가."),
    ]
    assert read("철수\n안녕.") == [("action", "철수\n안녕.")]


def test_a_name_without_capitals_is_a_cue_where_it_is_forced_or_listed_elsewhere() -> None:
    assert read("太郎\nはい。\n\n@太郎\nうん。")[0] == ("character", "太郎")
    assert read("登場人物：太郎、花子\n\n太郎\nはい。") == [("character", "太郎"), ("dialogue", "はい。")]


@pytest.mark.parametrize(
    "line", ["他走了。", "甲，乙", "一个人走进来然后又走出去然后再走进来然后坐下", "그는 문을 열고 나간다", "“走”"]
)
def test_an_action_without_capitals_is_no_cue(line: str) -> None:
    assert read(f"{line}\n（灯灭）\n雨声。\n\n{line}\n雨声。")[0] == ("action", f"{line}\n（灯灭）\n雨声。")


def test_parentheticals_may_have_several_lines_and_full_width_brackets() -> None:
    assert read("JO\n(to Al,\nsmiling)\nHi.\n（笑）\nBye.\n()") == [
        ("character", "JO"),
        ("parenthetical", "to Al,\nsmiling"),
        ("dialogue", "Hi."),
        ("parenthetical", "笑"),
        ("dialogue", "Bye."),
    ]


@pytest.mark.parametrize("line", ["(a) and (b)", "(never closed", r"\(not this)", "（笑）好"])
def test_a_line_that_only_begins_with_a_bracket_is_spoken(line: str) -> None:
    assert read(f"JO\n{line}") == [("character", "JO"), ("dialogue", line.removeprefix("\\"))]


def test_two_spaces_hold_a_speech_together() -> None:
    assert read("JO\nOne.\n  \nTwo.\n  \n\nHe leaves.") == [
        ("character", "JO"),
        ("dialogue", "One.\n\nTwo."),
        ("action", "He leaves."),
    ]
    assert read("@JO\n  \nOne.") == [("character", "JO"), ("dialogue", "One.")]


def test_other_white_space_ends_a_speech() -> None:
    assert read("JO\nOne.\n \nTwo.\n    \nThree.") == [
        ("character", "JO"),
        ("dialogue", "One."),
        ("action", "Two."),
        ("action", "Three."),
    ]


def test_lyrics_are_sung_in_a_speech_and_outside() -> None:
    assert read("JO\n~la\n~lala\nsaid\n~la\n\n~one\n~\n~two\nand on") == [
        ("character", "JO"),
        ("lyrics", "la\nlala"),
        ("dialogue", "said"),
        ("lyrics", "la"),
        ("lyrics", "one\n\ntwo"),
        ("action", "and on"),
    ]


# Everything else


def test_sections_have_a_depth_and_synopses_stand_anywhere() -> None:
    script = read_fountain("# One\n= what\n=it is\n### Three\nHe sits.\n# Four")
    assert [(element.kind.value, element.text, element.depth) for element in script.elements] == [
        ("section", "One", 1),
        ("synopsis", "what", 1),
        ("synopsis", "it is", 1),
        ("section", "Three", 3),
        ("action", "He sits.", 1),
        ("section", "Four", 1),
    ]


@pytest.mark.parametrize("mark", ["===", "=======", "#", "=", "!", "~", ">", "><", "[[]]", "[[ ]]", "\\"])
def test_marks_without_a_text_are_left_out(mark: str) -> None:
    script = read_fountain(f"One.\n\n{mark}\n\nTwo.")
    assert [element.text for element in script.elements] == ["One.", "Two."]
    assert script.left_out == (LeftOut("script_markup_left_out", Lines(3, 3)),)


def test_an_exclamation_mark_makes_any_line_action() -> None:
    assert read("!INT. HOUSE\n!# one\n!!two") == [("action", "INT. HOUSE\n# one\n!two")]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("*a* **b** ***c*** _d_ _**e**_", "a b c d e"),
        ("He dialed *69 and then *23.", "He dialed *69 and then *23."),
        ("5 * 4 * 3", "5 * 4 * 3"),
        ("snake_case_name and _one_", "snake_case_name and one"),
        ("他_很_好", "他很好"),
        ("**bold *both***", "bold both"),
        ("*open", "*open"),
        ("**open*", "*open"),
        (r"\*a\* \_b\_ \\ \a \ b", r"*a* _b_ \ \a  b"),
        ("*a\\*b*", "a*b"),
        ("* * *", "* * *"),
        ("*** ", "***"),
    ],
)
def test_emphasis_is_no_part_of_a_text(line: str, text: str) -> None:
    assert read(f"So {line}") == [("action", f"So {text}")]


def test_emphasis_ends_with_its_line() -> None:
    assert read("So *one\ntwo*") == [("action", "So *one\ntwo*")]


def test_a_line_of_one_backslash_is_an_empty_line() -> None:
    assert read("One.\n\\\nTwo.") == [("action", "One.\n\nTwo.")]


def test_two_spaces_join_forced_lines_of_an_action_and_part_others() -> None:
    assert read("!One.\n  \n  \n!Two.\nand\n  \nThree.") == [("action", "One.\n\n\nTwo.\nand"), ("action", "Three.")]
    assert read("One.\n  \n!Two.") == [("action", "One."), ("action", "Two.")]


def test_escaped_spaces_at_the_ends_of_a_line_stay() -> None:
    assert read("One.\n\\  two \\ \n\\\tthree\\\\ ") == [("action", "One.\n  two  \n\tthree\\")]


def test_white_space_before_an_element_is_nothing() -> None:
    assert read("\tINT. X\n\n\u3000\u3000他走了。\n\n      JO\n   (low)\n\tHi.") == [
        ("scene_heading", "INT. X"),
        ("action", "他走了。"),
        ("character", "JO"),
        ("parenthetical", "low"),
        ("dialogue", "Hi."),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_will(end: str) -> None:
    script = read_fountain(end.join(["\ufeffINT. X", "", "One.", "Two.", ""]))
    assert [(element.text, element.lines) for element in script.elements] == [
        ("INT. X", Lines(1, 1)),
        ("One.\nTwo.", Lines(3, 4)),
    ]


# Notes and boneyards


def test_notes_are_elements_after_the_paragraph_that_holds_them() -> None:
    script = read_fountain("JO [[who?]]\nHi [[one\ntwo]] there.\n[[three]]\nBye.\n\n[[four]]")
    assert script.elements[1:] == (
        ScriptElement(script.elements[1].kind, "Hi  there.\nBye.", Lines(2, 5)),
        *(
            ScriptElement(script.elements[-1].kind, text, Lines(*lines))
            for text, lines in [("who?", (1, 1)), ("one\ntwo", (2, 3)), ("three", (4, 4)), ("four", (7, 7))]
        ),
    )


def test_a_note_holds_an_empty_line_only_by_two_spaces() -> None:
    assert read("[[One\n  \ntwo]]") == [("note", "One\n\ntwo")]
    assert read("[[One\n\ntwo]]") == [("action", "[[One"), ("action", "two]]")]


def test_a_note_alone_stands_for_no_empty_line() -> None:
    assert read("[[n]]\nJO\nHi.") == [("note", "n"), ("character", "JO"), ("dialogue", "Hi.")]
    assert read("INT. X\n[[n]]\n\nHe sits.") == [("scene_heading", "INT. X"), ("note", "n"), ("action", "He sits.")]


def test_escaped_marks_open_and_close_no_note() -> None:
    assert read(r"So [\[this]]") == [("action", "So [[this]]")]
    assert read(r"[[a ]\] b]]") == [("note", "a ]] b")]


def test_boneyards_are_left_out_with_their_lines() -> None:
    script = read_fountain("One /* a */two /* b\n\nc */three.\n/*\nINT. X\n*/\nFour.")
    assert [(element.text, element.lines) for element in script.elements] == [
        ("One two three.", Lines(1, 3)),
        ("Four.", Lines(7, 7)),
    ]
    assert script.left_out == tuple(
        LeftOut("script_boneyard_left_out", Lines(*lines)) for lines in [(1, 1), (1, 3), (4, 6)]
    )


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a /* b /* c */ d */e", "a e"),
        ("a /* b /* c */ d", "a  d"),
        ("a /* b", "a /* b"),
        ("a /* b */ c /* d", "a  c /* d"),
        ("a */ b", "a */ b"),
        (r"a \/* b */", "a /* b */"),
        (r"a /\* b */", "a /* b */"),
        ("a /* /* b */ c /* d */ */ e", "a  e"),
    ],
)
def test_boneyards_are_balanced_or_end_at_the_first_mark(text: str, kept: str) -> None:
    assert read(text) == [("action", kept)]


# Any text


@pytest.mark.parametrize(
    "text",
    [
        "a\n\n", "\n", "*a", "_a ", "\\", "[[", "[[a\n", "/*", "/* */", "(", "()", "甲\nb\n\n", "甲\n（\n", "INT. #a",
        "\u3000", "Title: x\n\n", "Title: x\n" + "\n" * 999, "A\n" + "(a\n" * 999, "A\n" + "a\n  \n" * 999, "A (a) ",
        "~a\n", "!a\n  \n",
    ],
)  # fmt: skip
def test_a_long_text_is_read_however_its_parts_repeat(text: str) -> None:
    long = text * (30_000 // len(text))
    assert max(lines_of(read_fountain(long)), default=0) <= long.count("\n") + 1


MARKS = st.sampled_from(
    [
        "\n", "\n\n", "\n  \n", "[[", "]]", "/*", "*/", "\\", "(", ")", "（", "）", "@", "~", "!", ".", "#", "=", "===",
        ">", "<", "^", "*", "_", "Title:", "Cast:", "INT. ", "CUT TO:", "JO", "甲", "约翰", "\n甲\n", " ", "\t",
        "\u3000", "x", "：", "Language: en", "    ", "\r", "\u2028",
    ]
)  # fmt: skip
SCRIPTS = st.lists(MARKS | st.text(max_size=3), max_size=40).map("".join)


def lines_of(script: Script) -> set[int]:
    """All lines that anything in a script comes from."""
    parts = (script.title_page, script.cast, script.elements, script.left_out)
    found: list[Lines] = [item.lines for part in parts for item in part]
    return {line for lines in found for line in range(lines.first, lines.last + 1)}


@given(SCRIPTS)
def test_any_text_is_read_and_each_line_of_it_has_a_place(text: str) -> None:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    script = read_fountain(text)
    assert {at for at, line in enumerate(lines, 1) if line.strip()} <= lines_of(script)
    assert lines_of(script) <= set(range(1, len(lines) + 1))


@given(SCRIPTS)
def test_elements_but_notes_share_no_line_and_stand_in_order(text: str) -> None:
    script = read_fountain(text)
    taken = [element.lines for element in script.elements if element.kind.value != "note"]
    taken = [*(field.lines for field in script.title_page if field.key != "cast"), *taken]
    assert all(before.last < after.first for before, after in pairwise(taken))


@given(SCRIPTS)
def test_texts_have_no_white_space_around_them(text: str) -> None:
    assert all(element.text and element.text == element.text.strip() for element in read_fountain(text).elements)
