"""Where sentences end, in the scripts of the world, and what can be seen of a text."""

from __future__ import annotations

import pytest

from storyworld.core.reply.speech import is_blank, sentence_at, speakable, whole_sentences


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("One. Two", "One."), ("One! Two", "One!"), ("One?! Two", "One?!"), ("One... two", "One..."),
        ("一。二", "一。"),        ("一！？二", "一！？"), ("“一。”二", "“一。”"), ("「一。」二", "「一。」"),
        ('He said "no." Then', 'He said "no."'),
        ("(One.) Two", "(One.)"), ("*One.* Two", "*One.*"), ("It is 3.14 now", None), ("a.b.c", None),
        ("Dr. Ada and", None),        ("Mr. A. Then", "Mr. A."), ("One… Two", "One…"), ("我……我不", None),
        ("एक। दो", "एक।"), ("هل؟ نعم", "هل؟"),
        ("One, two", None),        ("一．二", None), ("一｡二", "一｡"), ("One.", "One."), ("", None),
    ],
)  # fmt: skip
def test_a_sentence_ends_where_its_script_ends_it(text: str, kept: str | None) -> None:
    assert whole_sentences(text, 100) == kept


def test_a_closing_quote_beyond_the_bound_takes_its_sentence_along() -> None:
    text = "“一。”“二。”"
    assert whole_sentences(text, 8) == text
    assert whole_sentences(text, 7) == "“一。”"
    assert whole_sentences(text, 3) is None


def test_a_spoken_text_has_line_feeds_and_no_controls() -> None:
    assert speakable("\u3000a\r\nb\rc\td ") == ("a\nb\nc\td", False)
    assert speakable("a\x00b\ud800\x1b\x7f\x9fc") == ("a\ufffdb\ufffdc", True)


@pytest.mark.parametrize(
    "text", ["", " \n", "\u200b\u200d\ufeff", "\u115f\u1160\u3164\uffa0", "\u2800", "\ufffd", "\u0301", "\ufe0f"]
)
def test_a_text_of_which_nothing_is_seen_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["…", "啊", "👍", "-", "\u200ba"])
def test_a_text_of_which_anything_is_seen_is_not_blank(text: str) -> None:
    assert not is_blank(text)


@pytest.mark.parametrize(
    ("text", "position", "sentence"),
    [
        ("One. Two! Three", 0, "One."),
        ("One. Two! Three", 6, "Two!"),
        ("One. Two! Three", 14, "Three"),
        ("门开了。小白走进来。", 4, "小白走进来。"),
    ],
)
def test_a_sentence_is_found_by_any_place_in_it(text: str, position: int, sentence: str) -> None:
    assert sentence_at(text, position) == sentence
