"""Whom a message names, in scripts with and without spaces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyworld.core.mentions import mentioned_roles

VILLAGE = {"girl": "阿宁", "mother": "阿宁娘", "fisher": "翁", "guest": "约翰·史密斯", "smith": "小A"}
SHIP = {
    "ada": "Ada",
    "ann": "Ann Lee",
    "tom": "Tom Lee",
    "doc": "Dr. Hyde",
    "cap": "The Captain",
    "oneil": "Rose O'Neil",
    "mary": "Mary Jane Watson",
    "li": "Mrs. Li",
}


def named(text: str, names: dict[str, str]) -> set[str]:
    return set(mentioned_roles(text, names))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("阿宁，你去哪儿？", {"girl"}),
        ("我看见阿宁在井边哭。", {"girl"}),
        ("阿宁娘来了", {"mother"}),
        ("阿宁去找阿宁娘", {"girl", "mother"}),
        ("阿宁娘阿宁", {"girl", "mother"}),
        ("宁静的夜", set()),
        ("", set()),
        ("大家都在吗？", set()),
    ],
)
def test_a_chinese_name_is_found_anywhere_and_the_longest_covers_what_it_holds(text: str, expected: set[str]) -> None:
    assert named(text, VILLAGE) == expected


@pytest.mark.parametrize("text", ["翁，你怎么看？", "请问——翁？", "翁", "船家、翁、客人", "“翁”"])
def test_a_name_of_one_character_is_found_where_it_stands_apart(text: str) -> None:
    assert named(text, VILLAGE) == {"fisher"}


@pytest.mark.parametrize("text", ["渔翁来了", "老翁，坐。", "翁婿二人", "主人翁"])
def test_a_name_of_one_character_is_no_part_of_another_word(text: str) -> None:
    assert named(text, VILLAGE) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("约翰·史密斯到了", {"guest"}),
        ("约翰到了", {"guest"}),
        ("史密斯先生到了", {"guest"}),
        ("问小A怎么走", {"smith"}),
        ("问小Ａ吧", {"smith"}),
        ("小AB是谁", set()),
    ],
)
def test_a_foreign_name_in_chinese_is_found_by_its_parts_too(text: str, expected: set[str]) -> None:
    assert named(text, VILLAGE) == expected


@pytest.mark.parametrize("text", ["민수야, 어디 있니?", "민수는 갔다", "나는 민수를 봤다", "ᄆ\u1175ᆫᄉ\u116e야"])
def test_a_korean_name_is_found_with_its_particle(text: str) -> None:
    assert named(text, {"minsu": "민수", "jia": "지아"}) == {"minsu"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("佐々木さんはどこ？", {"sasaki"}),
        ("昨日ﾊﾝｽに会った", {"hans"}),
        ("มะลิอยู่ไหน", {"mali"}),
        ("राम, सुनो", {"ram"}),
        ("रामायण पढ़ो", set()),
    ],
)
def test_names_are_found_as_their_script_is_written(text: str, expected: set[str]) -> None:
    assert named(text, {"sasaki": "佐々木", "hans": "ハンス", "mali": "มะลิ", "ram": "राम"}) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada, come here.", {"ada"}),
        ("ADA's rope", {"ada"}),
        ("让Ada去看看", {"ada"}),
        ("Ａｄａ？", {"ada"}),
        ("an adagio", set()),
        ("Nevada", set()),
        ("Ada2", set()),
        ("Adá", set()),
        ("Nevada, then Ada", {"ada"}),
    ],
)
def test_a_name_in_latin_letters_is_a_whole_word_also_between_chinese_ones(text: str, expected: set[str]) -> None:
    assert named(text, SHIP) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann, and you?", {"ann"}),
        ("Tom Lee waits", {"tom"}),
        ("Tom\n  Lee waits", {"tom"}),
        ("Where is Lee?", set()),
        ("Hyde knows", {"doc"}),
        ("Ask the dr.", set()),
        ("A captain", set()),
        ("the captain!", {"cap"}),
        ("O’Neil and Watson", {"oneil", "mary"}),
        ("Jane?", set()),
        ("Li is away", set()),
        ("Mrs. Li is away", {"li"}),
        ("Mary, Ann Lee and Tom", {"mary", "ann", "tom"}),
    ],
)
def test_a_part_of_a_name_names_a_role_unless_it_is_shared_short_or_a_title(text: str, expected: set[str]) -> None:
    assert named(text, SHIP) == expected


def test_a_part_that_is_anothers_whole_name_names_only_that_one() -> None:
    names = {"rose": "Rose", "neil": "Rose O'Neil", "lee": "Lee,"}
    assert named("Rose!", names) == {"rose"}
    assert named("Rose O'Neil!", names) == {"neil"}
    assert named("Lee!", {"lee": "Lee,", "ann": "Ann Lee"}) == set()


def test_roles_of_one_name_are_named_together() -> None:
    assert named("Guard! 卫兵！", {"left": "Guard", "right": "guard", "third": "卫兵"}) == {"left", "right", "third"}


def test_the_order_of_the_cast_means_nothing() -> None:
    text = "阿宁娘、Ann Lee 和 Lee"
    names = {**VILLAGE, **SHIP}
    assert named(text, names) == named(text, dict(reversed(names.items())))


NAME = st.text(st.sampled_from("阿宁娘翁AnnLe ·'.ラ수राम"), min_size=1, max_size=6).filter(
    lambda name: bool(name.strip())
)


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), NAME), st.data())
def test_a_role_is_always_named_by_its_whole_name_set_apart(names: dict[str, str], data: st.DataObject) -> None:
    found = mentioned_roles(data.draw(st.text("阿宁娘翁AnnLe ·，ラ수राम", max_size=30)), names)
    assert found <= names.keys()
    for role_id, name in names.items():
        assert role_id in mentioned_roles(f"({name.strip()})", names)
