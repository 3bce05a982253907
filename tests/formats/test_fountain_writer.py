"""How a screenplay is written as Fountain, and that it comes back."""

from __future__ import annotations

import pytest
from hypothesis import given

from storyworld.core.screenplay import CastMember, Element, ElementKind, Screenplay
from storyworld.formats.fountain_reader import read_fountain
from storyworld.formats.fountain_return import screenplay_of
from storyworld.formats.fountain_writer import write_fountain
from tests.formats.screenplay_strategies import screenplays


def play(*elements: Element, cast: tuple[CastMember, ...] = (), language: str = "en") -> Screenplay:
    return Screenplay("Title", language, cast, elements)


def body(*elements: Element, cast: tuple[CastMember, ...] = ()) -> str:
    """What stands below the title page, read back as it was."""
    screenplay = play(*elements, cast=cast)
    written = write_fountain(screenplay)
    assert screenplay_of(read_fountain(written)) == screenplay
    return written.partition("\n\n")[2].removesuffix("\n")


def one(kind: ElementKind, text: str) -> str:
    return body(Element(kind, text))


@given(screenplays())
def test_what_is_written_is_read_back_equal(screenplay: Screenplay) -> None:
    assert screenplay_of(read_fountain(write_fountain(screenplay))) == screenplay


def test_a_draft_in_chinese_is_written_with_its_beats_and_roles() -> None:
    cast = (CastMember("ning", "阿宁"), CastMember("wang", "王嫂"), CastMember("wang-2", "王嫂"))
    screenplay = Screenplay(
        "末班\n渡轮",
        "zh-Hans",
        cast,
        (
            Element(ElementKind.SCENE_HEADING, "码头 - 夜", None, 0),
            Element(ElementKind.ACTION, "雨下个不停。\n\n船在响。", None, 0),
            Element(ElementKind.CHARACTER, "阿宁", "ning", 1),
            Element(ElementKind.PARENTHETICAL, "小声", "ning", 1),
            Element(ElementKind.DIALOGUE, "有人来了。\n\n别出声。", "ning", 1),
            Element(ElementKind.CHARACTER, "王嫂", "wang-2", 1),
            Element(ElementKind.DIALOGUE, "走。", "wang-2", 1),
            Element(ElementKind.NOTE, "→ 上船", None, 12),
            Element(ElementKind.CENTERED, "剧终", None, 12),
        ),
        "session s-1, beats 0 to 12",
    )
    written = write_fountain(screenplay)
    assert written == (
        "Title:\n    末班\n    渡轮\nSource: session s-1, beats 0 to 12\nLanguage: zh-Hans\n"
        "Cast:\n    阿宁 (ning)\n    王嫂 (wang)\n    王嫂 (wang-2)\n\n"
        "[[beat 0]]\n\n.码头 - 夜\n\n!雨下个不停。\n  \n!船在响。\n\n"
        "[[beat 1]]\n\n@阿宁\n(小声)\n有人来了。\n  \n别出声。\n\n@王嫂 (wang-2)\n走。\n\n"
        "[[beat 12]]\n\n[[→ 上船]]\n\n> 剧终 <\n"
    )
    assert screenplay_of(read_fountain(written)) == screenplay


@pytest.mark.parametrize(
    ("kind", "text", "written"),
    [
        (ElementKind.SECTION, "# Act *One*", r"# # Act \*One\*"),
        (ElementKind.SYNOPSIS, "==", "= =="),
        (ElementKind.SCENE_HEADING, "INT. BOAT - NIGHT", "INT. BOAT - NIGHT"),
        (ElementKind.SCENE_HEADING, "ext. field", "ext. field"),
        (ElementKind.SCENE_HEADING, "Kitchen", ".Kitchen"),
        (ElementKind.SCENE_HEADING, "内景 厨房", ".内景 厨房"),
        (ElementKind.SCENE_HEADING, "○病院・昼", ".○病院・昼"),
        (ElementKind.SCENE_HEADING, "(Bar)", r".\(Bar)"),
        (ElementKind.SCENE_HEADING, "INT. HALL #12A#", r"INT. HALL #12A\#"),
        (ElementKind.TRANSITION, "CUT TO:", "CUT TO:"),
        (ElementKind.TRANSITION, "INT. TO:", "> INT. TO:"),
        (ElementKind.TRANSITION, "切至：", "> 切至："),
        (ElementKind.TRANSITION, "to <", r"> to \<"),
        (ElementKind.CENTERED, "THE\n\nEND", "> THE <\n><\n> END <"),
        (ElementKind.LYRICS, "la\n\nla", "~la\n~\n~la"),
        (ElementKind.NOTE, "one\n\ntwo", "[[one\n  \ntwo]]"),
        (ElementKind.NOTE, "a [[b]]", r"[[a [\[b]\] ]]"),
        (ElementKind.NOTE, "beat 3", "[[note: beat 3]]"),
        (ElementKind.NOTE, "note: beat 3", "[[note: note: beat 3]]"),
        (ElementKind.NOTE, "beat 03", "[[beat 03]]"),
    ],
)
def test_elements_of_a_line_or_more_are_marked_where_they_have_to_be(
    kind: ElementKind, text: str, written: str
) -> None:
    assert one(kind, text) == written


@pytest.mark.parametrize(
    "text",
    [
        "INT. HOUSE", "内景 厨房", "病院・昼", "CUT TO:", "淡出。", "# one", "= one", "~one", "> one", "!one", "@one",
        ".one", "===", "Title: one", "人物：甲", "STEEL\nHello.", "STEEL (aside)\nHello.", "甲\nHello.", "A君\nHello.",
        "...\nHello.", "One.\n\nTwo.",
    ],
)  # fmt: skip
def test_an_action_that_looks_like_something_else_is_forced(text: str) -> None:
    assert one(ElementKind.ACTION, text).startswith(f"!{text[:1]}")


@pytest.mark.parametrize(
    "text", ["He sits.", "他走了。", "STEEL", "甲", "...one", "(one)", "He sits.\nHe waits.", "5:30"]
)
def test_an_action_that_looks_like_one_is_not_forced(text: str) -> None:
    assert one(ElementKind.ACTION, text) == text


def test_lines_inside_an_action_are_forced_one_by_one() -> None:
    assert one(ElementKind.ACTION, "He sits.\n# one\n!two\nthree\n\nfour") == (
        "!He sits.\n!# one\n!!two\nthree\n  \n!four"
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("*a* _b_", r"\*a\* \_b\_"),
        ("/* a */", r"/\* a \*/"),
        ("[[a]]", r"[\[a]]"),
        ("\\", r"\\"),
        ("C:\\dir \\* \\", r"C:\dir \\\* \\"),
        ("one\n  two \nthree", "one\n\\  two\\ \nthree"),
        ("one\n \ntwo", "one\n\\ \ntwo"),
        ("one\n\ttwo", "one\n\\\ttwo"),
        ("one\n\u3000\u3000two", "one\n\\\u3000\u3000two"),
    ],
)
def test_characters_that_would_be_marks_are_escaped(text: str, written: str) -> None:
    assert one(ElementKind.ACTION, text) == written


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("STEEL", "STEEL"), ("R2D2", "R2D2"), ("Steel", "@Steel"), ("阿宁", "@阿宁"), ("A君", "@A君"), ("23", "@23"),
        ("INT. X", "@INT. X"), ("CUT TO:", "@CUT TO:"), ("TITLE: X", "@TITLE: X"), ("@X", "@@X"), ("!X", "@!X"),
        ("ANN (V.O.)", r"ANN \(V.O.\)"), ("X ^", r"X \^"), ("beat 3", "@beat 3"),
    ],
)  # fmt: skip
def test_a_cue_is_forced_unless_it_stands_in_capitals(name: str, written: str) -> None:
    cue, said = Element(ElementKind.CHARACTER, name), Element(ElementKind.DIALOGUE, "Hi.")
    assert body(cue, said) == f"{written}\nHi."


def test_a_cue_without_a_speech_is_forced() -> None:
    assert body(Element(ElementKind.CHARACTER, "JO"), Element(ElementKind.ACTION, "Rain.")) == "@JO\n\nRain."


@pytest.mark.parametrize(
    ("kind", "text", "written"),
    [
        (ElementKind.PARENTHETICAL, "to (Al),\n\nsmiling", "(to (Al),\n  \nsmiling)"),
        (ElementKind.PARENTHETICAL, "a) and (b", r"(a\) and \(b)"),
        (ElementKind.PARENTHETICAL, ":-)", r"(:-\))"),
        (ElementKind.DIALOGUE, "(all)", r"\(all)"),
        (ElementKind.DIALOGUE, "（笑）\n（好）吧", "\\（笑）\n（好）吧"),
        (ElementKind.DIALOGUE, "(open\nand) shut", "\\(open\nand) shut"),
        (ElementKind.DIALOGUE, "~la\n# one\n\nTwo.", "\\~la\n# one\n  \nTwo."),
        (ElementKind.LYRICS, "la\nla", "~la\n~la"),
    ],
)
def test_what_stands_in_a_speech_stays_what_it_is(kind: ElementKind, text: str, written: str) -> None:
    assert body(Element(ElementKind.CHARACTER, "JO"), Element(kind, text)) == f"JO\n{written}"


def test_equal_kinds_in_a_row_stay_apart() -> None:
    for kind in (ElementKind.ACTION, ElementKind.CENTERED, ElementKind.LYRICS, ElementKind.NOTE, ElementKind.SYNOPSIS):
        assert body(Element(kind, "One."), Element(kind, "One.")).count("\n\n") == 1
    jo = Element(ElementKind.CHARACTER, "JO")
    aside, sung = Element(ElementKind.PARENTHETICAL, "low"), Element(ElementKind.LYRICS, "la")
    assert body(jo, jo, aside, aside, sung, sung) == "@JO\n\nJO\n(low)\n(low)\n~la\n\n~la"


def test_a_name_with_a_colon_or_brackets_keeps_its_role() -> None:
    cast = (CastMember("a", "A: B (c)"), CastMember("a_-_", "^：（x）"))
    assert body(Element(ElementKind.CHARACTER, "A: B (c)", "a"), cast=cast) == r"@A: B \(c\)"
    page = write_fountain(play(cast=cast))
    assert page == "Title: Title\nLanguage: en\nCast:\n    A\\: B \\(c\\) (a)\n    ^\\：\\（x\\） (a\\_-\\_)\n"


def test_a_name_that_looks_like_one_with_an_id_is_another_name() -> None:
    cast = (CastMember("a", "Ann"), CastMember("a-2", "Ann"), CastMember("b", "Ann (a-2)"))
    cues = [Element(ElementKind.CHARACTER, member.name, member.role_id) for member in cast]
    assert body(*cues, Element(ElementKind.CHARACTER, "Ann"), cast=cast) == (
        "@Ann (a)\n\n@Ann (a-2)\n\n@Ann \\(a-2\\)\n\n@Ann"
    )


def test_a_beat_is_cited_once_and_again_when_it_comes_back() -> None:
    rain = [Element(ElementKind.ACTION, "Rain.", None, beat) for beat in (7, 7, 8, 7)]
    assert body(*rain) == "[[beat 7]]\n\nRain.\n\nRain.\n\n[[beat 8]]\n\nRain.\n\n[[beat 7]]\n\nRain."


def test_what_no_draft_holds_is_written_all_the_same() -> None:
    written = write_fountain(
        play(
            Element(ElementKind.PARENTHETICAL, "low"),
            Element(ElementKind.DIALOGUE, "Hi."),
            Element(ElementKind.SCENE_HEADING, "One\n\n two"),
            Element(ElementKind.CHARACTER, "JO", "nobody"),
            Element(ElementKind.DIALOGUE, "One."),
            Element(ElementKind.DIALOGUE, "Two."),
            language="",
        )
    )
    assert written == "Title: Title\nLanguage:\n\n(low)\n\nHi.\n\n.One two\n\nJO\nOne.\n  \nTwo.\n"


def test_a_script_of_another_program_becomes_what_a_screenplay_can_say() -> None:
    screenplay = screenplay_of(read_fountain("EVE (O.S.) ^\nHi.\n\n## Two\n\n[[note: beat 1]]"))
    assert screenplay == Screenplay(
        "",
        "",
        (),
        (
            Element(ElementKind.CHARACTER, "EVE"),
            Element(ElementKind.DIALOGUE, "Hi."),
            Element(ElementKind.SECTION, "Two"),
            Element(ElementKind.NOTE, "beat 1"),
        ),
    )


def test_a_cue_with_another_extension_is_of_the_only_role_of_its_name() -> None:
    screenplay = screenplay_of(read_fountain("Language: en\nCast:\n  EVE (eve)\n\nEVE (O.S.)\nHi."))
    assert [element.role_id for element in screenplay.elements] == ["eve", "eve"]
