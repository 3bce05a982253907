"""A screenplay as PDF: pages of A4 that the typesetter typst sets from `screenplay.typ`, with its fonts embedded.

It owns which fonts a language is set in, and that no character is lost on the way. It is imported only where a PDF is
written, and imports the typesetter only when it writes one: both the typesetter and its fonts come with the extra
`storyworld[pdf]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from storyworld.core.errors import Refusal, refusal
from storyworld.core.screenplay import ElementKind, Screenplay
from storyworld.formats.cues import brackets, cue

if TYPE_CHECKING:
    import typst

_FONT_PACKAGES: Final = {
    "pylopdf_fonts_zh_cn": "pylopdf-fonts-zh-cn",
    "pylopdf_fonts_jp": "pylopdf-fonts-jp",
    "pylopdf_fonts_ko": "pylopdf-fonts-ko",
}
PACKAGES: Final[Mapping[str, str]] = {"typst": "typst", **_FONT_PACKAGES}
"""The modules that a PDF needs, with the names that they are installed by."""

# A typesetter that only checks what it sets against this standard tells of characters without a glyph. It also asks
# for a title, a language, an order of headings: a screen reader can read the document aloud.
_STANDARD: Final = "ua-1"
_NAMED_MAX: Final = 20
"""How many missing characters are named one by one."""

_LATIN: Final = "Libertinus Serif"
"""Comes with the typesetter, and has bold and italic letters."""
_ORDER_BY_LANGUAGE: Final = {"ja": ("JP", "SC", "KR"), "ko": ("KR", "SC", "JP")}
_ORDER: Final = ("SC", "JP", "KR")
# Where lines are full of characters of one width, their ends can be even; between Korean words there are spaces, as in
# English, and lines break only there.
_EVEN: Final = ("zh", "ja")
_CJK: Final = (*_EVEN, "ko")

_LINE_END: Final = re.compile("[\n\x85\u2028\u2029]")
_LONG_WORD: Final = re.compile(r"([!-~\u00c0-\u024f]{24})(?=[!-~\u00c0-\u024f]{4})")
_MAY_BREAK: Final = "\\1\u200b"
_TAB: Final = "    "
# A byte order mark within a text shows nothing, and is not allowed in a document that can be read aloud.
_SHOWS_NOTHING: Final = "\ufeff"

_PROBE: Final = b"""
#set document(title: "-")
#for character in json(bytes(sys.inputs.characters)) [#character #parbreak()]
"""
_FAULT: Final = re.compile(r'^error: .*?the text (?:[a-z ]*)`"((?:[^"\\]|\\.)*)"`', re.MULTILINE)
_ESCAPED: Final = re.compile(r"\\u\{([0-9a-f]+)\}|\\(.)")
_LANGUAGE: Final = re.compile(r"([a-z]{2,3})(?:-[A-Za-z]{3})*(?:-([A-Za-z]{4}))?(?:-([A-Za-z]{2}))?(?:-|\Z)")


def write_pdf(screenplay: Screenplay, *, font_folders: Sequence[Path] = ()) -> bytes | Refusal:
    """The screenplay as a PDF. The same screenplay gives the same bytes, whatever fonts the machine has.

    `font_folders` hold fonts for characters that the installed ones lack; a folder that is not there holds none.
    Refusals: `pdf_unavailable` where the extra is not installed; `pdf_characters_missing` where no font has some
    character, with all of them by code point in `facts["characters"]`.
    """
    missing = missing_packages(PACKAGES)
    if missing:
        return refusal("pdf_unavailable", facts={"missing": missing}, missing=", ".join(missing))
    return _Setter(font_folders).write(screenplay)


def missing_packages(packages: Mapping[str, str]) -> list[str]:
    """The names to install by of those modules that are not installed."""
    return [named for module, named in packages.items() if find_spec(module) is None]


@dataclass(frozen=True, slots=True)
class _Tongue:
    """What the language of a screenplay says of its pages."""

    language: str
    region: str | None

    @classmethod
    def of(cls, tag: str) -> _Tongue:
        """Read a language tag; what is none is set as English is."""
        found = _LANGUAGE.match(tag)
        if found is None:
            return cls("en", None)
        language, script, region = found.groups()
        if language == "zh" and region is None:
            region = "TW" if (script or "").lower() == "hant" else "CN"
        return cls(language, region.upper() if region else None)

    @property
    def is_cjk(self) -> bool:
        """Whether it is Chinese, Japanese or Korean."""
        return self.language in _CJK

    def fonts(self, style: str) -> list[dict[str, Any]]:
        """The fonts of a style (`Serif`, `Sans`) in the order in which they are asked for a character.

        Quotation marks, dashes and dots are in Latin and in Chinese fonts, and are another width in each: in Chinese,
        Japanese and Korean the Latin font is asked for letters alone.
        """
        order = _ORDER_BY_LANGUAGE.get(self.language, _ORDER)
        latin = {"name": _LATIN, "lettersOnly": self.is_cjk}
        return [latin, *({"name": f"Noto {style} {region}", "lettersOnly": False} for region in order)]


class _Setter:
    """The typesetter with the fonts of one document."""

    def __init__(self, font_folders: Sequence[Path]) -> None:
        import typst

        self._compile = typst.compile
        self._failed: type[typst.TypstError] = typst.TypstError
        self._fonts = typst.Fonts(
            include_system_fonts=False,
            include_embedded_fonts=True,
            font_paths=[
                *(str(resources.files(module)) for module in _FONT_PACKAGES),
                *(str(folder) for folder in font_folders),
            ],
        )

    def write(self, screenplay: Screenplay) -> bytes | Refusal:
        """The document, or the characters that it cannot show."""
        template = resources.files("storyworld.formats").joinpath("screenplay.typ").read_bytes()
        data = page_data(screenplay)
        try:
            return self._set(template, "screenplay", data)
        except self._failed as fault:
            missing = self._without_glyph(_shown(data))
            # Characters that can each be shown may be none together, such as a letter and an accent of another font.
            missing = missing or sorted({each for text in _faulty(fault) for each in text})
            if not missing:
                raise
        points = [f"U+{ord(character):04X}" for character in missing]
        return refusal("pdf_characters_missing", facts={"characters": points}, characters=_named(points))

    def _set(self, template: bytes, name: str, data: object) -> bytes:
        return self._compile(
            template,
            format="pdf",
            font_paths=self._fonts,
            ignore_system_fonts=True,
            sys_inputs={name: json.dumps(data, ensure_ascii=False)},
            pdf_standards=[_STANDARD],
        )

    def _without_glyph(self, characters: Iterable[str]) -> list[str]:
        """Those of the characters that cannot be shown when each is set alone.

        The typesetter names the texts that it cannot show, though not always all of them at once.
        """
        left, missing = set(characters), set[str]()
        while True:
            try:
                self._set(_PROBE, "characters", sorted(left))
            except self._failed as fault:
                found = left & _faulty(fault)
                if not found:
                    raise
                missing |= found
                left -= found
            else:
                return sorted(missing)


def page_data(screenplay: Screenplay) -> dict[str, Any]:
    """Everything that the template is told, as a JSON value.

    `elements` have their lines; `beat` where it is another than that of the element before; `level` among the headings,
    which begin at 1 and leave out none.
    """
    tongue = _Tongue.of(screenplay.language)
    elements = []
    beat, level = None, 1
    for element in screenplay.elements:
        if element.kind is ElementKind.SECTION:
            level = 2
        elements.append(
            {
                "kind": element.kind.value,
                "lines": _lines(cue(screenplay, element) if element.kind is ElementKind.CHARACTER else element.text),
                "beat": element.beat if element.beat != beat else None,
                "level": 1 if element.kind is ElementKind.SECTION else level,
            }
        )
        beat = element.beat
    return {
        "title": " ".join(_lines(screenplay.title)),
        "titleLines": _lines(screenplay.title),
        "sourceLines": _lines(screenplay.source) if screenplay.source else [],
        "language": tongue.language,
        "region": tongue.region,
        "cjk": tongue.is_cjk,
        "even": tongue.language in _EVEN,
        "brackets": brackets(tongue.language),
        "serif": tongue.fonts("Serif"),
        "sans": tongue.fonts("Sans"),
        "elements": elements,
    }


def _lines(text: str) -> list[str]:
    """The lines of a text as they are set: a word too long for its column may break."""
    shown = text.replace(_SHOWS_NOTHING, "").replace("\t", _TAB)
    return [_LONG_WORD.sub(_MAY_BREAK, line) for line in _LINE_END.split(shown)]


def _shown(data: Mapping[str, Any]) -> set[str]:
    """Every character of the texts of a document."""
    lines = [*data["titleLines"], *data["sourceLines"], *data["brackets"], "0123456789"]
    lines += (line for element in data["elements"] for line in element["lines"])
    return set("".join(lines))


def _faulty(fault: typst.TypstError) -> set[str]:
    """The texts that the typesetter says it cannot show."""
    return {_ESCAPED.sub(_unescaped, found[1]) for found in _FAULT.finditer(fault.diagnostic)}


def _unescaped(escaped: re.Match[str]) -> str:
    return chr(int(escaped[1], 16)) if escaped[1] else escaped[2]


def _named(points: list[str]) -> str:
    """The code points in words, and how many more there are: `U+1F600, U+1F601 + 3`."""
    more = len(points) - _NAMED_MAX
    return ", ".join(points[:_NAMED_MAX]) + (f" + {more}" if more > 0 else "")
