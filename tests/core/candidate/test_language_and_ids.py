"""Which language a script is told to be in, and the ids that names get."""

from __future__ import annotations

import pytest

from storyworld.core.candidate.ids import ids_for, numbered
from storyworld.core.candidate.language import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("You are not the one that we wanted.", "en"),
        ("Yes. No.", "en"),
        ("", "en"),
        ("这是什么地方？我们说过的。", "zh-Hans"),
        ("這是什麼地方？我們說過的。", "zh-Hant"),
        ("天下", "zh-Hans"),
        ("父が帰って来たのですか。", "ja"),
        ("어디로 가십니까? 國道로 갑니다.", "ko"),
        ("Je ne suis pas là, et vous le savez.", "fr"),
        ("Ich bin nicht der Mann, den du suchst, und das ist gut.", "de"),
        ("Não é para você, e os outros não sabem.", "pt"),
        ("Đúng rồi", "und"),
        ("Кто там?", "und"),
    ],
)
def test_a_language_is_told_by_its_writing(text: str, language: str) -> None:
    assert language_of([text]) == language


def test_only_the_beginning_is_looked_at() -> None:
    assert language_of(["the end " * 3_000, "这是什么地方" * 50_000]) == "en"


def test_ids_are_spelled_by_latin_names_and_numbered_for_others() -> None:
    assert ids_for(["Sir Toby", "王五", "Zoë", "R2-D2", "zoe", "!"], "role") == [
        "sir-toby",
        "role-2",
        "zoe",
        "r2-d2",
        "zoe-2",
        "role-6",
    ]


def test_an_id_that_is_given_is_kept_and_no_other_takes_it() -> None:
    assert ids_for(["Ann", "Ann"], "role", [None, "ann"]) == ["ann-2", "ann"]


def test_a_long_name_makes_an_id_that_is_allowed() -> None:
    first, second = ids_for(["x" * 300, "x" * 300], "role")
    assert (len(first), second) == (60, f"{first}-2")
    assert numbered("node", 2) == ["node-1", "node-2"]
