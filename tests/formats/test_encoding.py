"""Which encoding a script is in: told for sure, or refused; never other words in silence."""

from __future__ import annotations

import codecs
import random

import pytest

from storyworld.core.errors import Refusal
from storyworld.formats.encoding import Decoded, decode

CHINESE = "人物：老王，五十岁，守渡口的人。\n老王：水涨了，船今晚不开。\n小李：可我非得过河不可，家里有人等着。\n"
TRADITIONAL = "人物：老翁，約七十歲。\n老翁：不用看他，太陽要下去了。\n過客：我走得渴極了，想討一杯水喝。\n"
JAPANESE = (
    "人物　船頭、旅人\n船頭「今夜は船を出さないよ。水がひどいからね。」\n旅人「それでも渡らなければならないのです。」\n"
)
KOREAN = (
    "나오는 사람: 사공, 나그네\n사공: 오늘은 배를 띄우지 않소. 물이 너무 불었소.\n나그네: 그래도 건너야만 합니다.\n"
)
FRENCH = "LE PASSEUR: Où êtes-vous allé ? L'été est déjà fini, même ici.\nHÉLÈNE: Ça n'a pas été très long, à Noël.\n"
GERMAN = "FÄHRMANN: Schön, daß Sie da sind. Über die Straße läuft Wasser, Fräulein Müller, und der König wartet.\n"
TEXTS = (
    (CHINESE, "gb18030", "GB18030"),
    (TRADITIONAL, "big5", "Big5"),
    (JAPANESE, "cp932", "Shift_JIS"),
    (JAPANESE, "euc_jp", "EUC-JP"),
    (KOREAN, "cp949", "EUC-KR"),
    (FRENCH, "cp1252", "Latin-1"),
    (GERMAN, "latin-1", "Latin-1"),
)


def code_of(answer: object) -> str:
    assert isinstance(answer, Refusal), answer
    return answer.code


@pytest.mark.parametrize("text", [CHINESE, TRADITIONAL, JAPANESE, KOREAN, FRENCH, "plain\n", ""])
@pytest.mark.parametrize(
    ("codec", "name"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16-le"),
        ("utf-32", "utf-32-le"),
    ],
)
def test_unicode_is_read_with_and_without_its_mark(text: str, codec: str, name: str) -> None:
    assert decode(text.encode(codec)) == Decoded(text, name)


@pytest.mark.parametrize(("mark", "codec"), [(codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF32_BE, "utf-32-be")])
def test_the_mark_tells_the_order_of_bytes(mark: bytes, codec: str) -> None:
    assert decode(mark + KOREAN.encode(codec)) == Decoded(KOREAN, codec)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_read_where_only_one_order_makes_text(codec: str) -> None:
    assert decode("ANN\nOh. Where were you?\n".encode(codec)) == Decoded("ANN\nOh. Where were you?\n", codec)


@pytest.mark.parametrize(("text", "codec", "name"), TEXTS)
def test_an_old_encoding_is_recognized(text: str, codec: str, name: str) -> None:
    assert decode(text.encode(codec)) == Decoded(text, name)


def test_the_sign_of_the_euro_is_not_taken_for_another() -> None:
    text = "LE PASSEUR: Ça coûte cinq € à présent, même à Noël. Où êtes-vous ? Le cœur du problème est là.\n" * 3
    read = decode(text.encode("iso8859_15"))
    assert isinstance(read, Refusal) or read.text == text


@pytest.mark.parametrize(("text", "codec", "name"), TEXTS)
def test_no_part_of_a_text_is_ever_read_as_other_words(text: str, codec: str, name: str) -> None:
    draw = random.Random(codec)
    for _ in range(200):
        first = draw.randrange(len(text) - 16)
        part = text[first : first + draw.randint(16, 60)]
        read = decode(part.encode(codec))
        if isinstance(read, Decoded):
            assert read.text == part, (read.encoding, name)


@pytest.mark.parametrize(("text", "codec", "name"), TEXTS)
def test_an_encoding_may_be_named(text: str, codec: str, name: str) -> None:
    read = decode(text.encode(codec), codec)
    assert isinstance(read, Decoded)
    assert read.text == text
    assert decode(text.encode(codec), name) == Decoded(text, codecs.lookup(name).name)


@pytest.mark.parametrize("named", ["utf-8", "utf-16"])
def test_a_mark_is_no_part_of_a_text_whose_encoding_is_named(named: str) -> None:
    read = decode(KOREAN.encode("utf-8-sig" if named == "utf-8" else named), named)
    assert isinstance(read, Decoded)
    assert read.text == KOREAN


@pytest.mark.parametrize("named", ["no-such-thing", "rot13", "hex", "utf-8\0", "ä"])
def test_a_name_that_is_no_text_encoding_is_refused(named: str) -> None:
    assert code_of(decode(b"ANN", named)) == "script_encoding_unknown"


@pytest.mark.parametrize(("data", "named"), [(b"\xff\xfe", "utf-8"), (b"\x80", "ascii"), (b"a\xd8", "utf-7")])
def test_bytes_that_mean_nothing_in_the_named_encoding_are_refused(data: bytes, named: str) -> None:
    assert code_of(decode(data, named)) == "script_encoding_wrong"


def test_damaged_utf_8_is_not_taken_for_another_encoding() -> None:
    data = CHINESE.encode()
    refused = decode(data[:21] + b"\xff" + data[21:])
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.message) == (
        "script_encoding_wrong",
        "the script is not in utf-8: the bytes at 21 mean nothing in it",
    )


@pytest.mark.parametrize(
    ("text", "codec"), [("Кто там? Никого нет. Паром не ходит.\n", "cp1251"), ("Č", "cp1250"), ("甲：是", "gb18030")]
)
def test_what_cannot_be_told_is_refused_and_names_what_it_may_be(text: str, codec: str) -> None:
    refused = decode(text.encode(codec))
    assert isinstance(refused, Refusal)
    assert refused.code == "script_encoding_unclear"
    assert "it may be " in refused.message


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"%PDF-1.7 \n", "a PDF document"),
        (b"PK\x03\x04abc", "a ZIP archive, such as a DOCX document"),
        (b"{\\rtf1 Hello}", "a document in rich text"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"A\x00B\x00\x01\x02", "there are zero bytes in it"),
        (b"\x00\x00\x00\x00", "there are zero bytes in it"),
        (b"one\ntwo\x1bthree", "there is a control character, U+001B, in line 2"),
    ],
)
def test_what_is_no_text_is_refused_and_says_what_was_found(data: bytes, found: str) -> None:
    refused = decode(data)
    assert isinstance(refused, Refusal)
    assert refused.code == "script_not_text"
    assert refused.message == f"the script is no text: {found}"


def test_line_ends_and_page_breaks_become_line_feeds() -> None:
    assert decode(b"a\r\nb\rc\fd\n\x1a") == Decoded("a\nb\nc\nd\n", "utf-8")


@pytest.mark.parametrize(("text", "codec", "name"), TEXTS[:5])
def test_damaged_bytes_are_refused_or_read_in_their_own_encoding(text: str, codec: str, name: str) -> None:
    draw = random.Random(name)
    for _ in range(200):
        data = bytearray((text * 2).encode(codec))
        for _ in range(draw.choice((1, 3, 10))):
            data[draw.randrange(len(data))] = draw.randrange(0x20, 0x100)
        read = decode(bytes(data))
        if isinstance(read, Decoded):
            assert read.text == data.decode(codec, errors="replace")
