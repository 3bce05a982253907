from __future__ import annotations

import io
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pylopdf_fonts_ko import sans_path

from storyworld.core.errors import Refusal
from storyworld.core.screenplay import CastMember, Element, ElementKind, Screenplay
from storyworld.formats.pdf import PACKAGES, missing_packages, page_data, write_pdf
from tests.formats.made_screenplays import screenplays

CUE, SPEECH, ACTION = ElementKind.CHARACTER, ElementKind.DIALOGUE, ElementKind.ACTION


def play(*elements: Element, language: str = "en", title: str = "Eleven Tons") -> Screenplay:
    return Screenplay(title, language, (CastMember("ann", "ANN"), CastMember("bo", "ANN")), elements, "session s-1")


def pages(screenplay: Screenplay, *, font_folders: tuple[Path, ...] = ()) -> list[str]:
    """The text of each page, its white space drawn together."""
    return [" ".join(page.extract_text().split()) for page in document(screenplay, font_folders).pages]


def document(screenplay: Screenplay, font_folders: tuple[Path, ...] = ()) -> pypdf.PdfReader:
    pdf = write_pdf(screenplay, font_folders=font_folders)
    assert isinstance(pdf, bytes)
    return pypdf.PdfReader(io.BytesIO(pdf))


def fonts(reader: pypdf.PdfReader) -> dict[str, bool]:
    """The fonts of a document by name, and whether each is embedded."""
    embedded = {}
    for page in reader.pages:
        resources: Any = page["/Resources"]
        for font in resources["/Font"].values():
            descriptor = font["/DescendantFonts"][0]["/FontDescriptor"]
            files = {"/FontFile", "/FontFile2", "/FontFile3"} & descriptor.keys()
            embedded[descriptor["/FontName"].partition("+")[2]] = bool(files)
    return embedded


def refused(screenplay: Screenplay) -> Refusal:
    refusal = write_pdf(screenplay)
    assert isinstance(refusal, Refusal)
    return refusal


def test_a_screenplay_is_set_with_a_title_page_and_the_beats_in_the_margin() -> None:
    told = pages(
        play(
            Element(ElementKind.SECTION, "ACT ONE", beat=0),
            Element(ElementKind.SCENE_HEADING, "INT. HALL", beat=0),
            Element(CUE, "ANN", "ann", 0),
            Element(ElementKind.PARENTHETICAL, "softly", "ann", 0),
            Element(SPEECH, "Nobody\nbelieves it.", "ann", 0),
            Element(ElementKind.TRANSITION, "CUT TO:", beat=12),
        )
    )
    assert told == [
        "Eleven Tons session s-1",
        "0 ACT ONE INT. HALL ANN (ann) (softly) Nobody believes it. 12 CUT TO:",
    ]


def test_every_kind_of_element_is_set() -> None:
    told = pages(play(*(Element(kind, f"text of {kind.value}") for kind in ElementKind)))
    assert [kind for kind in ElementKind if f"text of {kind.value}" not in told[1]] == []


def test_pages_are_numbered_from_the_second_after_the_title_page() -> None:
    told = pages(play(*(Element(ACTION, f"Rain {at}.") for at in range(100))))
    assert told[1].startswith("Rain 0.")
    assert [text.split()[0] for text in told[2:]] == [f"{at}." for at in range(2, len(told))]


@pytest.mark.parametrize(
    ("language", "text", "serif", "sans"),
    [
        ("zh-Hans", "雨打在玻璃上。“十一吨”——没有人相信……", "NotoSerifSC", "NotoSansSC"),
        ("zh-Hant", "雨打在玻璃上。沒有人相信。", "NotoSerifSC", "NotoSansSC"),
        ("ja", "雨がガラスを打つ。「十一トン」", "NotoSerifJP", "NotoSansJP"),
        ("ko", "비가 유리를 때린다.", "NotoSerifKR", "NotoSansKR"),
        ("en", "“Rain” — against the glass…", "LibertinusSerif", "LibertinusSerif-Bold"),
        ("xx-unheard-of", "Rain", "LibertinusSerif", "LibertinusSerif-Bold"),
        ("?", "Дождь", "LibertinusSerif", "LibertinusSerif-Bold"),
    ],
)
def test_a_language_is_set_in_its_own_fonts_and_they_are_embedded(
    language: str, text: str, serif: str, sans: str
) -> None:
    heading, action = Element(ElementKind.SCENE_HEADING, text), Element(ACTION, text)
    reader = document(play(heading, action, language=language, title=text))
    told = reader.pages[1].extract_text()
    assert told.split() == text.split() * 2
    used = fonts(reader)
    assert all(used.values())
    assert any(name.startswith(serif) for name in used)
    assert any(name.startswith(sans) for name in used)
    assert reader.metadata is not None
    assert reader.metadata.title == text


def test_brackets_are_as_wide_as_the_characters_around_them() -> None:
    parenthetical = Element(ElementKind.PARENTHETICAL, "轻声")
    assert "（轻声）" in pages(play(parenthetical, language="zh"))[1]
    assert "(轻声)" in pages(play(parenthetical, language="ko"))[1]


def test_a_cue_stands_on_the_page_where_its_speech_begins() -> None:
    line = "Nobody would come and nobody would ask what it was that she had waited for. " * 4
    elements = []
    for at in range(120):
        elements += [Element(CUE, f"SPEAKER{at}"), Element(ElementKind.PARENTHETICAL, "low"), Element(SPEECH, line)]
        elements += [Element(ACTION, "Rain.")] * (at % 3)
    told = pages(play(*elements))
    assert len(told) > 10
    assert [text[-40:] for text in told if text.endswith("(low)") or text.split()[-1].startswith("SPEAKER")] == []


def test_a_long_speech_breaks_over_pages() -> None:
    told = pages(play(Element(CUE, "ANN"), Element(SPEECH, "word " * 3000 + "end")))
    assert told[1].startswith("ANN word")
    assert len(told) > 4
    assert told[-1].endswith("end")


def test_a_word_that_is_longer_than_its_column_breaks() -> None:
    word = "http://quay.example/" + "a1" * 60
    text = document(play(Element(SPEECH, word))).pages[1].extract_text()
    assert text.replace("\n", "").replace("\u200b", "") == word
    assert len(text.splitlines()) > 2


def test_a_korean_word_is_not_broken_at_the_end_of_a_line() -> None:
    text = "여섯 시라고 했잖아. 지금 여덟 시야. 뭘 기다리느냐고 누가 물을까 봐 불을 끄고 내내 앉아 있었는데. " * 6
    told = document(play(Element(SPEECH, text.strip()), language="ko")).pages[1].extract_text()
    assert told.split() == text.split()


@pytest.mark.parametrize(
    "text",
    [
        "#set page(width: 1pt)",
        "*x* _x_ `x`",
        "#sys.inputs",
        "= x",
        "<x> @x",
        "$x$",
        "\\u{41}",
        "// x",
        "] #[",
        "~ -- ...",
    ],
)
def test_no_text_is_markup(text: str) -> None:
    elements = (Element(ACTION, text), Element(ElementKind.SCENE_HEADING, text), Element(CUE, text))
    assert document(play(*elements, title=text)).pages[1].extract_text().split() == text.split() * 3


def test_lines_and_spaces_of_a_text_survive() -> None:
    lines = document(play(Element(ACTION, "one\n\n  two   three\n\tfour"))).pages[1].extract_text().splitlines()
    assert [line.split() for line in lines if line.strip()] == [["one"], ["two", "three"], ["four"]]


def test_a_character_that_no_font_has_is_named_and_never_lost() -> None:
    elements = (Element(ACTION, "雨 \U0001f600 rain\ufe0f"), Element(CUE, "\u0e01\u0e02"), Element(SPEECH, "\ufdd0"))
    refusal = refused(play(*elements, language="zh", title="\U0001f600 \U0001f601"))
    assert refusal.code == "pdf_characters_missing"
    assert refusal.message == "no installed font has U+0E01, U+0E02, U+FDD0, U+1F600, U+1F601"
    assert refusal.facts == {"characters": ["U+0E01", "U+0E02", "U+FDD0", "U+1F600", "U+1F601"]}


def test_twenty_missing_characters_are_named_and_the_others_counted() -> None:
    emoji = "".join(map(chr, range(0x1F600, 0x1F619)))
    refusal = refused(play(Element(ACTION, emoji[:20])))
    assert refusal.message.endswith("U+1F612, U+1F613")
    refusal = refused(play(Element(ACTION, emoji)))
    assert refusal.message.endswith("U+1F612, U+1F613 + 5")
    assert len(refusal.facts["characters"]) == 25


def test_a_character_that_shows_nothing_is_no_reason_to_refuse() -> None:
    assert pages(play(Element(ACTION, "a\ufeffb\u200bc\u00add\u200de")))[1].replace("\u200b", "")[:2] == "ab"


def with_glyph_for(character: str) -> bytes:
    """A font that has a glyph for this character: the Korean one, told so in its table of characters."""
    data = bytearray(sans_path().read_bytes())
    tables = range(12, 12 + 16 * struct.unpack_from(">H", data, 4)[0], 16)
    at = next(struct.unpack_from(">I", data, entry + 8)[0] for entry in tables if data[entry : entry + 4] == b"cmap")
    subtables = {at + struct.unpack_from(">I", data, at + 8 + 8 * n)[0] for n in range(data[at + 3])}
    # Format 12: groups of a first character, a last one and the glyph of the first, in the order of characters.
    wide = next(subtable for subtable in subtables if struct.unpack_from(">H", data, subtable)[0] == 12)
    for group in range(wide + 16, wide + 16 + 12 * struct.unpack_from(">I", data, wide + 12)[0], 12):
        if struct.unpack_from(">I", data, group)[0] > ord(character):
            struct.pack_into(">II", data, group, ord(character), ord(character))
            return bytes(data)
    raise AssertionError("the font has nothing after the character")


def test_the_fonts_of_a_named_folder_give_what_is_missing(tmp_path: Path) -> None:
    screenplay = play(Element(ACTION, "a \U0001f600"))
    # A folder without fonts, and one that is not there, give nothing.
    for folder in (tmp_path, tmp_path / "none"):
        assert isinstance(write_pdf(screenplay, font_folders=(folder,)), Refusal)
    (tmp_path / "faces.otf").write_bytes(with_glyph_for("\U0001f600"))
    assert pages(screenplay, font_folders=(tmp_path,))[1] == "a \U0001f600"


def test_the_same_screenplay_gives_the_same_bytes() -> None:
    screenplay = play(Element(ACTION, "雨"), language="zh")
    assert write_pdf(screenplay) == write_pdf(screenplay)
    metadata = document(screenplay).metadata
    assert metadata is not None
    assert "/CreationDate" not in metadata


def test_a_draft_of_the_greatest_length_is_set_whole() -> None:
    line = Element(SPEECH, "通知你是六点。现在八点了。我一直关着灯坐在这里。", "ann", 1)
    reader = document(play(*([Element(CUE, "ANN", "ann", 1), line] * 1500), language="zh"))
    assert sum(page.extract_text().count("通知你") for page in reader.pages) == 1500


def test_scenes_are_found_in_the_outline_of_the_document() -> None:
    heading = ElementKind.SCENE_HEADING
    reader = document(play(Element(heading, "ONE"), Element(ElementKind.SECTION, "ACT"), Element(heading, "TWO")))
    outline: list[Any] = reader.outline
    assert [outline[0].title, outline[1].title, outline[2][0].title] == ["ONE", "ACT", "TWO"]


def test_a_screenplay_without_elements_is_its_title_page() -> None:
    assert pages(Screenplay("Eleven\nTons", "en", (), ())) == ["Eleven Tons"]


@settings(max_examples=40)
@given(screenplays())
def test_whatever_a_screenplay_says_is_set_or_its_characters_are_named(screenplay: Screenplay) -> None:
    answer = write_pdf(screenplay)
    if isinstance(answer, Refusal):
        assert answer.code == "pdf_characters_missing"
        shown = screenplay.title + (screenplay.source or "") + "".join(each.text for each in screenplay.elements)
        assert set(answer.facts["characters"]) <= {f"U+{ord(character):04X}" for character in shown}
        assert answer.facts["characters"]


@given(st.text())
def test_a_page_can_be_made_for_any_language_tag(tag: str) -> None:
    language = page_data(play(language=tag))["language"]
    assert language.isascii()
    assert 2 <= len(language) <= 3


@pytest.mark.parametrize(
    ("tag", "language", "region"),
    [
        ("en", "en", None), ("en-GB", "en", "GB"), ("zh-Hans", "zh", "CN"), ("zh-Hant", "zh", "TW"),
        ("zh-Hant-HK", "zh", "HK"), ("zh-tw", "zh", "TW"), ("fil", "fil", None), ("EN", "en", None), ("", "en", None),
        ("english", "en", None), ("ja-JP-x-lvariant", "ja", "JP"),
    ],
)  # fmt: skip
def test_a_language_tag_says_language_and_region(tag: str, language: str, region: str | None) -> None:
    data = page_data(play(language=tag))
    assert (data["language"], data["region"]) == (language, region)


def test_what_is_not_installed_is_named_as_it_is_installed() -> None:
    assert missing_packages(PACKAGES) == []
    assert missing_packages({"no_such_typesetter": "no-such-typesetter", **PACKAGES}) == ["no-such-typesetter"]


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout


def test_without_the_extra_a_pdf_is_refused_with_what_to_install() -> None:
    told = run(
        "import sys\n"
        "for name in ('typst', 'pylopdf_fonts_jp', 'pylopdf_fonts_ko', 'pylopdf_fonts_zh_cn'):\n"
        "    sys.modules[name] = None\n"
        "from storyworld.core.screenplay import Screenplay\n"
        "from storyworld.formats.pdf import write_pdf\n"
        "refusal = write_pdf(Screenplay('T', 'en', (), ()))\n"
        "print(refusal.code, refusal.message, refusal.facts, sep='\\n')\n"
    )
    named = "typst, pylopdf-fonts-zh-cn, pylopdf-fonts-jp, pylopdf-fonts-ko"
    assert told.splitlines()[:2] == ["pdf_unavailable", f"PDF needs what is not installed: {named}"]


def test_the_typesetter_is_imported_only_when_a_pdf_is_written() -> None:
    told = run(
        "import sys\n"
        "import storyworld.formats.pdf as pdf\n"
        "from storyworld.core.screenplay import Screenplay\n"
        "before = 'typst' in sys.modules\n"
        "pdf.write_pdf(Screenplay('T', 'en', (), ()))\n"
        "print(before, 'typst' in sys.modules)\n"
    )
    assert told.split() == ["False", "True"]
