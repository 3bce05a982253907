"""Lists of characters: where they begin and end, and what an entry says."""

from __future__ import annotations

import pytest

from storyworld.formats.plain import read_plain

English = "CHARACTERS\n\n{}\n\nACT I.\n\nANNA: One.\nBEN: Two.\nANNA: Three.\nBEN: Four.\n"
Japanese = "人物\n{}\n\n第一場\n\n母\u3000一。\n父\u3000二。\n母\u3000三。\n父\u3000四。\n"


def entries(text: str) -> list[tuple[str, tuple[str, ...], str | None]]:
    """Name, other names and description of each entry."""
    return [(entry.name, entry.aliases, entry.description) for entry in read_plain(text).cast]


@pytest.mark.parametrize(
    "title",
    [
        "Dramatis Personae",
        "DRAMATIS PERSONÆ.",
        "Persons Represented.",
        "PERSONS OF THE PLAY",
        "THE PERSONS IN THE PLAY",
        "CHARACTERS:",
        "Cast of Characters",
        "CAST",
        "人物",
        "人：",
        "登场人物",
        "登場人物：",
        "剧中人物",
        "人物表",
        "등장인물",
        "나오는 사람들",
    ],
)
def test_a_list_is_known_by_its_title(title: str) -> None:
    text = f"{title}\n\nAnna, a clerk\nBen, her brother\n\nANNA: One.\nBEN: Two.\nANNA: Three.\nBEN: Four.\n"
    assert entries(text) == [("Anna", (), "a clerk"), ("Ben", (), "her brother")]


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("THESEUS, Duke of Athens.", ("THESEUS", (), "Duke of Athens.")),
        ("PUCK, or ROBIN GOODFELLOW, a Fairy.", ("PUCK", ("ROBIN GOODFELLOW",), "a Fairy.")),
        ("SIR ANDREW AGUE-CHEEK.", ("SIR ANDREW AGUE-CHEEK", (), None)),
        ("HAMLET - a prince", ("HAMLET", (), "a prince")),
        ("HAMLET . . . . a prince", ("HAMLET", (), "a prince")),
        ("HAMLET (a prince)", ("HAMLET", (), "a prince")),
        ("HAMLET\ta prince", ("HAMLET", (), "a prince")),
        ("老翁──約七十歲。", ("老翁", (), "約七十歲。")),
        ("张三：男，三十岁", ("张三", (), "男，三十岁")),
        ("张三，又名小三，渔夫", ("张三", ("小三",), "渔夫")),
        ("춘향(18세)", ("춘향", (), "18세")),
        ("이차돈   신라의 신하", ("이차돈", (), "신라의 신하")),
        ("괴 수", ("괴 수", (), None)),
    ],
)
def test_an_entry_gives_name_other_names_and_description_as_written(
    line: str, entry: tuple[str, tuple[str, ...], str | None]
) -> None:
    assert entries(English.format(line)) == [entry]


def test_names_joined_by_a_brace_share_what_is_said_of_them() -> None:
    text = English.format("PYRAMUS, THISBE } Characters in the\nInterlude performed by the Clowns.")
    assert entries(text) == [
        ("PYRAMUS", (), "Characters in the Interlude performed by the Clowns."),
        ("THISBE", (), "Characters in the Interlude performed by the Clowns."),
    ]


def test_a_brace_without_names_before_it_joins_nothing() -> None:
    assert entries(English.format("} a stray mark")) == [("} a stray mark", (), None)]


def test_an_entry_goes_on_in_the_next_line() -> None:
    text = English.format("ANNA, a clerk in the\nMinistry\nBEN, her brother,\n    a painter\nothers")
    assert entries(text) == [("ANNA", (), "a clerk in the Ministry"), ("BEN", (), "her brother, a painter others")]
    assert [(entry.lines.first, entry.lines.last) for entry in read_plain(text).cast] == [(3, 4), (5, 7)]


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("黒田賢一郎\u3000\u3000\u3000二十八歳", ("黒田賢一郎", (), "二十八歳")),
        ("彼らの母\u3000おたか\u3000\u3000五十一歳", ("おたか", ("母",), "彼らの母\u3000五十一歳")),
        ("その弟\u3000\u3000新二郎\u3000\u3000二十三歳", ("新二郎", ("弟",), "その弟\u3000二十三歳")),
        ("田中\u3000正\u3000\u3000\u3000植物医師", ("田中\u3000正", (), "植物医師")),
        ("農民\u3000一", ("農民\u3000一", (), None)),
        ("母\u3000\u3000五十一歳", ("母", (), "五十一歳")),
        ("黒田の妻\u3000\u3000母", ("母", ("妻",), "黒田の妻")),
    ],
)
def test_an_entry_in_columns_tells_the_name_from_what_stands_beside_it(
    line: str, entry: tuple[str, tuple[str, ...], str | None]
) -> None:
    assert entries(Japanese.format(line)) == [entry]


def test_names_in_one_line_are_entries() -> None:
    text = "人物：甲、乙、丙\n\n甲：一。\n乙：二。\n甲：三。\n乙：四。\n"
    assert entries(text) == [("甲", (), None), ("乙", (), None), ("丙", (), None)]


def test_one_name_beside_the_title_is_an_entry() -> None:
    assert entries("人物：甲（一个老人）\n\n第一场\n\n甲：一。\n甲：二。\n甲：三。\n") == [("甲", (), "一个老人")]


def test_an_entry_beside_the_title_is_the_first() -> None:
    assert entries(
        Japanese.replace("人物\n", "人物\u3000").format("田中\u3000正\u3000\u3000医師\n農民\u3000一\n農民\u3000二")
    ) == [
        ("田中\u3000正", (), "医師"),
        ("農民\u3000一", (), None),
        ("農民\u3000二", (), None),
    ]


def test_numbered_names_are_entries_of_their_own() -> None:
    assert [name for name, _, _ in entries(Japanese.format("農民\u3000一\n農民\u3000二\n農民\u3000三"))] == [
        "農民\u3000一",
        "農民\u3000二",
        "農民\u3000三",
    ]


@pytest.mark.parametrize(
    "after",
    [
        "時\u3000\u3000秋",
        "（幕があく）",
        "第一場",
        "町はずれの小さな家。雨が降っている。",
    ],
)
def test_a_list_ends_before_what_is_no_entry(after: str) -> None:
    text = f"人物\n\u3000太郎\n\u3000花子\n\n{after}\n\n太郎「やあ」\n花子「ええ」\n太郎「雨だ」\n花子「そう」\n"
    assert [name for name, _, _ in entries(text)] == ["太郎", "花子"]


def test_a_paragraph_that_only_has_commas_ends_a_list_whose_entries_have_dashes() -> None:
    listed = "人：\n\n老翁──七十歲。\n\n女孩──十歲。\n\n東，是幾株雜樹。\n\n"
    text = f"{listed}〔起。〕\n\n翁──來。\n\n孩──好。\n\n翁──走。\n\n孩──嗯。\n"
    assert [name for name, _, _ in entries(text)] == ["老翁", "女孩"]


def test_a_list_ends_where_a_listed_name_speaks() -> None:
    text = "人物：\n甲：老师\n乙：学生\n\n甲：你好。\n乙：老师好。\n"
    assert entries(text) == [("甲", (), "老师"), ("乙", (), "学生")]
    assert [element.text for element in read_plain(text).elements] == ["甲", "你好。", "乙", "老师好。"]


def test_a_title_without_an_entry_is_no_list() -> None:
    assert read_plain("人物\n\n第一幕\n\n甲：一。\n乙：二。\n甲：三。\n乙：四。\n").cast == ()


def test_the_title_of_a_list_is_left_out() -> None:
    assert [(entry.code, entry.lines.first) for entry in read_plain(English.format("ANNA, a clerk")).left_out] == [
        ("script_furniture_left_out", 1)
    ]
