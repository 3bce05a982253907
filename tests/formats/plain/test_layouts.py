"""Each way in which scripts name who speaks, and what is none."""

from __future__ import annotations

import pytest

from storyworld.core.screenplay import ElementKind
from storyworld.formats.plain import read_plain
from tests.formats.plain.outlines import outline, speeches

ANNA_AND_BEN = [("ANNA", "Is it late?"), ("BEN", "It is."), ("ANNA", "Then go."), ("BEN", "No.")]
JIA_AND_YI = [("甲", "你来了？"), ("乙", "来了。"), ("甲", "坐吧。"), ("乙", "好。")]


@pytest.mark.parametrize(
    "layout",
    [
        "{}\n{}\n\n",
        "{}.\n{}\n\n",
        "{}:\n{}\n\n",
        "                {}\n        {}\n\n",
        "{}: {}\n",
        "{}. {}\n",
        "{}.--{}\n",
        "{} -- {}\n",
        "{}\t{}\n",
        "{}   {}\n",
        "**{}**: {}\n\n",
    ],
)
def test_every_english_layout_tells_the_same_speakers(layout: str) -> None:
    assert speeches("".join(layout.format(*speech) for speech in ANNA_AND_BEN)) == ANNA_AND_BEN


@pytest.mark.parametrize(
    "layout",
    [
        "{}：{}\n",
        "{}:{}\n",
        "{}──{}\n\n",
        "{}——{}\n",
        "\u3000\u3000{}\u3000{}\n",
        "{}\u3000\u3000{}\n",
        "{}  {}\n",
        "{}\t{}\n",
        "{}「{}」\n",
        "{}：“{}”\n",
        "{} “{}”\n",
        "{}\n{}\n\n",
        "{}：\n{}\n\n",
        "**{}**：{}\n\n",
    ],
)
def test_every_layout_of_east_asia_tells_the_same_speakers(layout: str) -> None:
    assert speeches("".join(layout.format(*speech) for speech in JIA_AND_YI)) == JIA_AND_YI


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ANNA (softly): Then go.", "(softly) Then go."),
        ("ANNA: (softly) Then go.", "(softly) Then go."),
        ("ANNA: Then go. [She turns.] Go!", "Then go. (She turns.) Go!"),
        ("ANNA: Then go. (She turns.)", "Then go. (She turns.)"),
        ("ANNA: Take the (old) lamp.", "Take the (old) lamp."),
    ],
)
def test_directions_in_a_speech_are_told_from_glosses(line: str, said: str) -> None:
    assert speeches(f"ANNA: Hm.\nBEN: What?\nBEN: Well?\n{line}\n")[-1] == ("ANNA", said)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("母\u3000（笑って）行こう。", "(笑って) 行こう。"),
        ("母\u3000行こう。（立つ）", "行こう。 (立つ)"),
        ("母\u3000（黙っている）", "(黙っている)"),
        ("母\u3000樓（たかどの）へ行こう。", "樓（たかどの）へ行こう。"),
        ("母\u3000〔立つ〕行こう。", "(立つ) 行こう。"),
        ("母\u3000【立つ】行こう。［去る］", "(立つ) 行こう。 (去る)"),
    ],
)
def test_directions_in_brackets_of_east_asia_are_told_from_readings(line: str, said: str) -> None:
    assert speeches(f"母\u3000ああ。\n父\u3000ええ。\n父\u3000さあ。\n{line}\n")[-1] == ("母", said)


def test_a_cue_may_hold_a_direction_alone() -> None:
    assert outline("甲：走。\n乙：（不语）\n甲：走吧。\n乙：（摇头）\n")[2:4] == [
        ("character", "乙"),
        ("parenthetical", "不语"),
    ]
    assert outline("ANNA\n[Aside.]\n\nBEN\nNo.\n\nANNA\nOh.\n\nBEN\nYes.\n")[:2] == [
        ("character", "ANNA"),
        ("parenthetical", "Aside."),
    ]


def test_a_cue_may_have_nothing_but_how_its_voice_is_heard() -> None:
    cue = read_plain("母\u3000（声）\n父\u3000二。\n母\u3000三。\n父\u3000四。\n").elements[0]
    assert (cue.text, cue.extension) == ("母", "声")


def test_brackets_set_a_name_in_capitals_apart() -> None:
    text = "ANNA [aside] Is it late?\nBEN. It is.\nANNA. Then go.\nBEN. No.\nANNA. Oh.\n"
    assert speeches(text)[0] == ("ANNA", "(aside) Is it late?")


def test_brackets_and_a_gap_set_a_name_apart() -> None:
    assert speeches("母（笑って）\u3000一。\n父\u3000二。\n母\u3000三。\n父\u3000四。\n")[0] == ("母", "(笑って) 一。")


def test_a_list_of_names_speaks_only_if_one_of_them_is_known() -> None:
    text = "甲：一。\n乙：二。\n甲：三。\n乙：四。\n\n天、地：皆无言。\n"
    assert outline(text)[-1] == ("action", "天、地：皆无言。")


def test_a_direction_in_two_pairs_of_brackets_keeps_them() -> None:
    text = "甲：一。\n乙：二。\n甲：三。\n乙：四。\n\n（甲下）（乙上）\n"
    assert outline(text)[-1] == ("action", "（甲下）（乙上）")


def test_a_bracket_that_a_speaker_interrupts_is_no_direction() -> None:
    text = "甲：一。\n乙：二。\n\n（下\n甲：三。）\n乙：四。\n"
    assert ("action", "（下") in outline(text)


def test_a_direction_before_a_quotation_is_none_of_the_words() -> None:
    text = "医師「どうした」\n看護師（走って来る）「先生！」（息を切らす）\n医師「何だ」\n看護師「早く」\n"
    assert speeches(text)[1] == ("看護師", "(走って来る) 先生！ (息を切らす)")


def test_a_name_with_a_space_and_a_name_with_a_number_are_names() -> None:
    text = "괴 수: 누구냐?\n도깨비 1: 저요.\n괴 수: 또 누구냐?\n도깨비 2: 저요.\n"
    assert [name for name, _ in speeches(text)] == ["괴 수", "도깨비 1", "괴 수", "도깨비 2"]


def test_a_known_name_speaks_without_its_colon() -> None:
    text = "괴 수: 누구냐?\n도깨비: 저요.\n괴 수 “또 누구냐?”\n도깨비: 저요.\n괴 수: 흠.\n"
    assert speeches(text)[2] == ("괴 수", "또 누구냐?")


def test_a_line_wrapped_by_hand_goes_on_with_the_speech() -> None:
    text = (
        "괴 수:“너희는 다른 소리는 조금도\n모르느냐?”\n도깨비:“몰라요.”(하고 일어\n선다.)\n"
        "괴 수:“그래.”\n하고 나간다.\n"
    )
    assert speeches(text) == [
        ("괴 수", "너희는 다른 소리는 조금도\n모르느냐?"),
        ("도깨비", "몰라요. (하고 일어\n선다.)"),
        ("괴 수", "그래."),
    ]
    assert outline(text)[-1] == ("action", "하고 나간다.")


def test_an_indented_line_goes_on_with_the_speech() -> None:
    assert speeches("甲：走吧。\n\u3000\u3000快走。\n乙：好。\n甲：嗯。\n")[0] == ("甲", "走吧。\n快走。")


def test_a_line_after_an_unfinished_one_goes_on_with_the_speech() -> None:
    assert speeches("甲：今天的天气，\n真好。\n乙：好。\n甲：嗯。\n")[0] == ("甲", "今天的天气，\n真好。")


def test_a_speech_goes_on_below_a_bracketed_direction() -> None:
    text = "ANNA\nGo.\n\n[Exit BEN.]\n\nHe is gone.\n\nBEN\nNo.\n\nANNA\nOh.\n"
    assert outline(text)[:5] == [
        ("character", "ANNA"),
        ("dialogue", "Go."),
        ("action", "Exit BEN."),
        ("character", "ANNA"),
        ("dialogue", "He is gone."),
    ]


def test_a_move_and_a_paragraph_that_names_a_speaker_are_directions() -> None:
    text = "ANNA\nGo.\n\n[A bell.]\n\nEnter a servant\n\nBEN\nNo.\n\nThe lamp falls on BEN.\n\nANNA\nOh.\n"
    assert [said for kind, said in outline(text) if kind == "action"] == [
        "A bell.",
        "Enter a servant",
        "The lamp falls on BEN.",
    ]


def test_paragraphs_of_a_screenplay_are_action() -> None:
    text = "INT. HALL - NIGHT\n\nANNA\n(softly)\nGo.\n\nShe waits.\n\nBEN (O.S.)\nNo.\n\nANNA\nOh.\n"
    assert outline(text)[3:5] == [("dialogue", "Go."), ("action", "She waits.")]
    assert [one.extension for one in read_plain(text).elements if one.kind is ElementKind.CHARACTER] == [
        None,
        "O.S.",
        None,
    ]


def test_a_direction_alone_is_action_without_its_brackets() -> None:
    assert outline("甲：走。\n（二人下。）\n乙：等等！\n[灯光\n渐暗]\n甲：快。\n乙：好。\n")[2::3] == [
        ("action", "二人下。"),
        ("action", "灯光\n渐暗"),
        ("character", "乙"),
    ]


@pytest.mark.parametrize("cue", ["ALL", "BOTH", "ANNA AND BEN"])
def test_a_speech_of_several_keeps_its_cue(cue: str) -> None:
    assert speeches(f"ANNA: One.\nBEN: Two.\nANNA: Three.\n{cue}: Go!\n")[-1] == (cue, "Go!")


@pytest.mark.parametrize("cue", ["众人", "一同", "모두", "甲、乙", "甲和乙"])
def test_a_speech_of_several_keeps_its_cue_in_east_asia(cue: str) -> None:
    assert speeches(f"甲：一。\n乙：二。\n甲：三。\n乙：四。\n{cue}：走！\n")[-1] == (cue, "走！")


def test_a_cue_shorter_than_the_name_in_the_list_is_a_cue() -> None:
    text = "人：\n\n老翁──七十歲。\n女孩──十歲。\n\n翁──孩子。\n\n孩──什麼？\n\n翁──走罷。\n\n孩──好。\n"
    assert [name for name, _ in speeches(text)] == ["翁", "孩", "翁", "孩"]


def test_a_few_speeches_without_a_name_that_comes_again_are_speeches() -> None:
    assert speeches("甲：你好。\n乙：再见。\n") == [("甲", "你好。"), ("乙", "再见。")]
    assert speeches("Romeo: Hello.\nJuliet: Bye.\n") == [("Romeo", "Hello."), ("Juliet", "Bye.")]


def test_titles_before_a_name_do_not_end_it() -> None:
    text = "MR. SMITH. Good morning.\nMRS. SMITH. Good morning.\nMR. SMITH. Rain.\nMRS. SMITH. Yes.\n"
    assert [name for name, _ in speeches(text)] == ["MR. SMITH", "MRS. SMITH", "MR. SMITH", "MRS. SMITH"]


@pytest.mark.parametrize(
    "text",
    [
        "It was dark. Mr. Smith went out.\nMr. Smith saw nothing. No. He saw a light.\nNo. It was the moon.\n",
        'He said: "Come in."\nShe said: "No."\nHe said: "Do come."\nShe said: "No."\n',
        "Note: this is a story.\nNote: it is short.\nYes. It is.\nYes. It really is.\n",
        "Come away\nCome away, death,\n\nCome away\nI am slain\n",
        "HELLO\nWORLD\n\nGOOD\nBYE\n\nHELLO\nAGAIN\n",
        "他说：“走吧。”\n我说：“好。”\n他说：“快。”\n母亲问：“来了么？”\n母亲问：“真的？”\n",
        "春天来了——花开了。\n他走了——不再回来。\n我们——也走了。\n",
        "彼は「行こう」と言った。\n彼は「いや」と答えた。\n太郎が「そう」\n太郎が「うん」\n",
        "吾輩は猫である。名前はまだ無い。\n\nどこで生れたか見当がつかぬ。\n",
        '그는 말했다: "가자."\n그는 말했다: "빨리."\n철수가 웃으며 대답했다.\n',
        "注意：本文仅供参考。\n总之：没有人。\n",
        "",
        "……\n\n——\n",
    ],
)
def test_prose_gives_no_speaker(text: str) -> None:
    assert speeches(text) == []


def test_a_quotation_that_nobody_speaks_is_left_out_with_its_line() -> None:
    text = "医師「はい」\n\n「申し。」\n「はあい。」（忙しく立つ）\n\n医師「どうぞ」\n患者「どうも」\n患者「痛い」\n"
    left = [(entry.code, entry.lines.first) for entry in read_plain(text).left_out]
    assert left == [("script_speech_without_speaker", 3), ("script_speech_without_speaker", 4)]


def test_a_paragraph_without_a_letter_is_not_understood() -> None:
    text = "甲：一。\n\n？！\n\n乙：二。\n甲：三。\n乙：四。\n"
    assert [(entry.code, entry.lines.first) for entry in read_plain(text).left_out] == [
        ("script_line_not_understood", 3)
    ]
