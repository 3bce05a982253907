"""When a text tells a secret, and when it does not."""

from __future__ import annotations

import unicodedata

import pytest

from storyworld.core.secrecy import normalized, secrets_in, tells

SECRET = "The rope is cut"


@pytest.mark.parametrize(
    "text",
    [
        "The rope is cut",
        "Listen: the ROPE is  cut.",
        "the\nrope\tis cut",
        "Ｔｈｅ　ｒｏｐｅ is cut",
        "The ro\u200bpe is\u00adcut\ufeff",
        "therope iscut",
    ],
)
def test_a_secret_is_found_under_another_case_width_spacing_and_between_invisible_signs(text: str) -> None:
    assert tells(text, SECRET)


@pytest.mark.parametrize("text", ["", "The rope is c", "Somebody cut the rope", "The rope was cut"])
def test_a_part_or_a_paraphrase_of_a_secret_is_not_found(text: str) -> None:
    assert not tells(text, SECRET)


def test_a_chinese_secret_is_found_across_line_breaks_and_spaces() -> None:
    assert tells("她说：绳子 是我\n割断的。", "绳子是我割断的")
    assert tells("绳\ufe00子是\U000e0101我割断的", "绳子是我割断的")
    assert not tells("绳子断了。", "绳子是我割断的")


def test_texts_are_compared_in_one_form() -> None:
    assert normalized("Straße　Ⅳ") == normalized("STRASSE iv") == "strasseiv"
    assert normalized("e\u200b\u0301") == normalized("é")
    assert normalized("\u1fb3") == normalized("\u1fbc") == normalized(normalized("\u1fbc"))


def test_a_secret_without_visible_signs_is_found_only_as_it_stands() -> None:
    assert not tells("Nothing here.", "\u200b\u200d")
    assert tells("Not\u200b\u200dhing", "\u200b\u200d")


def test_every_format_character_is_left_out_wherever_it_stands() -> None:
    invisible = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Cf"]
    assert all(normalized(f"a{character}b 。") == "ab。" for character in invisible)


def test_many_secrets_are_looked_for_in_a_long_text_as_one_is() -> None:
    secrets = [("ada/0", SECRET), ("ben/0", "he sold the bucket"), ("cy/0", "\u200b"), ("dot/0", "Ben LIED")]
    text = "Long ago, the RO\u200bPE is cut. " * 500 + "Ben lied."
    assert list(secrets_in(text, secrets)) == ["ada/0", "cy/0", "dot/0"]
    assert [name for name, secret in secrets if tells(text, secret)] == ["ada/0", "cy/0", "dot/0"]
    assert list(secrets_in("Nothing.", secrets)) == []


def test_a_prompt_that_was_searched_is_not_kept_in_memory() -> None:
    normalized.cache_clear()
    assert list(secrets_in("A prompt that nobody has seen before.", [("ada/0", "A prompt that nobody")])) == ["ada/0"]
    assert normalized.cache_info().currsize == 1
