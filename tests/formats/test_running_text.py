"""What reads as running text of a language, and what a wrong reading of its bytes looks like."""

from __future__ import annotations

import pytest

from storyworld.formats.running_text import CHINESE, JAPANESE, KOREAN, LATIN, Language, RunningText

SIMPLIFIED = "老王：水涨了，船今晚不开。\n小李：可我非得过河不可，家里有人等着我呢。\n"
TRADITIONAL = "老翁：不用看他，太陽要下去了。\n過客：我走得渴極了，想討一杯水喝。\n"
JAPANESE_PLAY = "船頭「今夜は船を出さないよ。水がひどいからね。」\n旅人「それでも渡らなければならないのです。」\n"
KOREAN_PLAY = "사공: 오늘은 배를 띄우지 않소. 물이 너무 불었소.\n나그네: 그래도 건너야만 합니다.\n"
FRENCH = "HÉLÈNE: Ça n'a pas été très long, à Noël. « Où êtes-vous ? » Le cœur… l’été – voilà."
LANGUAGES = (CHINESE, JAPANESE, KOREAN, LATIN)


def languages_of(text: str) -> list[Language]:
    running = RunningText(text)
    return [language for language in LANGUAGES if language(running)]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (SIMPLIFIED, CHINESE),
        (TRADITIONAL, CHINESE),
        (JAPANESE_PLAY, JAPANESE),
        ("おーい、だれかいませんか。", JAPANESE),
        (KOREAN_PLAY, KOREAN),
        ("초추(初秋) 어느 날, 이차돈의 거처에서.", KOREAN),
        (FRENCH, LATIN),
        ("FÄHRMANN: Schön, daß Sie da sind. Über die Straße läuft Wasser.", LATIN),
        ("¿Qué? El niño y la canción. ¡Ay!", LATIN),
        ("Åsa og Jørgen går på ski; hvad nu, frøken?", LATIN),
        ("ANN: It was Zoë who met Señor Diaz, not I. " + "BEN: Then she must have gone home by train. " * 12, LATIN),
        ("ANN: “Oh — where were you?”", LATIN),
        ("plain", LATIN),
    ],
)
def test_a_text_reads_as_its_own_language_and_no_other(text: str, language: Language) -> None:
    assert languages_of(text) == [language]


@pytest.mark.parametrize(
    ("text", "encoding", "wrong"),
    [
        (text, encoding, wrong)
        for text, encoding in [
            (SIMPLIFIED, "gb18030"),
            (TRADITIONAL, "big5"),
            (JAPANESE_PLAY, "cp932"),
            (JAPANESE_PLAY, "euc_jp"),
            (KOREAN_PLAY, "cp949"),
        ]
        for wrong in ("gb18030", "big5", "cp932", "euc_jp", "cp949", "cp1252")
        # Big5 has its simplest and commonest characters where EUC-JP has kana.
        if wrong != encoding and (encoding, wrong) != ("euc_jp", "big5")
    ],
)
def test_a_wrong_reading_is_running_text_of_no_language(text: str, encoding: str, wrong: str) -> None:
    read = text.encode(encoding).decode(wrong, errors="ignore")
    assert [language for language in languages_of(read) if not (language is LATIN and read.isascii())] == []


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Příliš žluťoučký kůň úpěl ďábelské ódy.", "cp1250"),
        ("Árvíztűrő tükörfúrógép. Nem tudom, őszintén szólva.", "cp1250"),
        ("Zażółć gęślą jaźń. Proszę się nie bać.", "cp1250"),
        ("Привет, как дела? Иван: Я иду домой.", "cp1251"),
        ("Γειά σου Κόσμε, τι κάνεις;", "cp1253"),
        ("Şu gün ağaç altında oturdu, İstanbul ışıl ışıl.", "cp1254"),
        ("Où est l'été ? Ça va déjà.", "mac_roman"),
        ("Où est l'été ? Ça va déjà.", "cp850"),
        ("Le cœur du problème, où est l'été ?", "iso8859_15"),
    ],
)
def test_another_encoding_of_europe_read_as_latin_1_is_no_text(text: str, encoding: str) -> None:
    assert languages_of(text.encode(encoding).decode("cp1252", errors="ignore")) == []


@pytest.mark.parametrize(
    "text",
    [
        SIMPLIFIED + "\ue000" * 9,
        SIMPLIFIED * 3 + KOREAN_PLAY,
        JAPANESE_PLAY + KOREAN_PLAY * 3,
        "龘靐齉爩麤灪龖厵驫鱻",
        "ああ龘靐齉爩麤灪",
        "뷁쀍뛟꿻뷁쀍뛟꿻",
        "cafÉs et thÉs",
    ],
)
def test_what_no_language_has_is_no_text(text: str) -> None:
    assert languages_of(text) == []
