"""From bytes to text: which encoding a script is in, told for sure or not at all.

A wrong guess turns words into other words without a sign, so an encoding is taken only when everything speaks for it:
a byte order mark, or a strict reading as UTF-8; else what the detector (chardet) finds, where it is one of those that
scripts of our languages are in, no other reading comes near it, every byte means something in it, and what they mean is
running text of a language that is written so. What remains is refused, naming what it may be.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import chardet

from storyworld.core.errors import Refusal, refusal
from storyworld.formats.running_text import CHINESE, JAPANESE, KOREAN, LATIN, Language, RunningText

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DOCUMENTS: Final = (
    (b"%PDF-", "a PDF document", "PDF 文档"),
    (b"PK\x03\x04", "a ZIP archive, such as a DOCX document", "ZIP 压缩包（例如 DOCX 文档）"),
    (b"\xd0\xcf\x11\xe0", "a document of an old word processor", "旧版文字处理器文档"),
    (b"{\\rtf", "a document in rich text", "RTF 文档"),
    (b"\x89PNG", "a picture", "图片"),
    (b"\xff\xd8\xff", "a picture", "图片"),
    (b"GIF8", "a picture", "图片"),
)
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")
_NEWLINE: Final = re.compile("\r\n?|\f")
_ASCII: Final = re.compile("[\x00-\x7f]+")
_ASCII_BYTES: Final = bytes(range(0x80))
_END_OF_FILE: Final = "\x1a"  # what DOS put at the end of a text

_EAST_ASIAN: Final[Mapping[str, str]] = {
    "cp932": "cp932",
    "shift_jis": "cp932",
    "shift_jis-2004": "cp932",
    "euc-jp": "euc_jp",
    "euc-jis-2004": "euc_jp",
    "cp949": "cp949",
    "euc-kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5",
    "big5-hkscs": "big5hkscs",
    "cp950": "big5",
}
_WESTERN: Final[Mapping[str, str]] = {"windows-1252": "cp1252", "iso-8859-1": "cp1252", "iso8859-15": "iso8859_15"}
_NAMES: Final[Mapping[str, str]] = {
    "cp932": "Shift_JIS",
    "euc_jp": "EUC-JP",
    "cp949": "EUC-KR",
    "gb18030": "GB18030",
    "big5": "Big5",
    "big5hkscs": "Big5-HKSCS",
    "cp1252": "Latin-1",
    "iso8859_15": "Latin-9",
}
"""What the encodings are called to people, who rarely know their numbers. Each name is one that Python knows, too."""

_WRITTEN_IN: Final[Mapping[str, tuple[Language, ...]]] = {
    "cp932": (JAPANESE,),
    "euc_jp": (JAPANESE,),
    "cp949": (KOREAN,),
    "gb18030": (CHINESE,),
    "big5": (CHINESE,),
    "big5hkscs": (CHINESE,),
    "cp1252": (LATIN,),
    "iso8859_15": (LATIN,),
}
"""The languages that scripts in these encodings are in. A reading that is running text of none of them is no answer.

GB18030 could hold Japanese, but has its kana where EUC-JP has them, so that EUC-JP read as GB18030 looks much like it.
"""

# Measured on stage plays, whole and cut to pieces: a right answer has at least so much confidence, is so many times as
# sure as the next reading in another encoding, and rests on more than a few characters.
_CONFIDENCE_MIN: Final = 0.05
_LEAD_MIN: Final = 2.0
_EAST_ASIAN_BYTES_MIN: Final = 16
_CANDIDATES_TOLD: Final = 3
# A text in a western encoding is mostly ASCII: an accent here and there.
_WESTERN_SHARE_MAX: Final = 0.25
# UTF-8 with a few damaged bytes is damaged UTF-8: other encodings do not form its sequences by chance.
_SOUND_SEQUENCES_MIN: Final = 4


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text with LF as its line end and without a byte order mark, and what its encoding is called."""

    text: str
    encoding: str


def decode(data: bytes, encoding: str | None = None) -> Decoded | Refusal:
    """Read a script's bytes, in `encoding` where it is known, else in the one that they are in.

    Recognized are UTF-8, UTF-16 and UTF-32, Shift_JIS, EUC-JP, EUC-KR, GB18030, Big5 and Latin-1 (Windows-1252); named,
    every text encoding of Python. Refusals: `script_not_text` for documents, pictures and control characters;
    `script_encoding_unknown` for a name that nobody knows; `script_encoding_wrong` where bytes mean nothing in the
    encoding that was named, or recognized; `script_encoding_unclear`.
    """
    for beginning, found, found_zh in _DOCUMENTS:
        if data.startswith(beginning):
            return refusal("script_not_text", found=found, found_zh=found_zh)
    if encoding is not None:
        return _named(data, encoding)
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return _decode(data, codec, codec, skipped=len(mark))
    if b"\0" in data:
        return _wide(data)
    try:
        return _tidy(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        if _is_damaged_utf8(data):
            return refusal("script_encoding_wrong", encoding="utf-8", byte=error.start)
    return _detected(data)


def _named(data: bytes, encoding: str) -> Decoded | Refusal:
    try:
        codec = codecs.lookup(encoding)
        "".encode(codec.name)  # encodings of Python that are not of texts refuse this
    except (LookupError, ValueError):
        return refusal("script_encoding_unknown")
    for mark, marked in _MARKS:
        if data.startswith(mark) and codecs.lookup(marked).name.startswith(codec.name):
            return _decode(data, marked, codec.name, skipped=len(mark))
    return _decode(data, codec.name, codec.name)


def _decode(data: bytes, codec: str, name: str, *, skipped: int = 0) -> Decoded | Refusal:
    try:
        text = data[skipped:].decode(codec)
    except UnicodeError as error:  # not every codec says where
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        return refusal("script_encoding_wrong", encoding=name, byte=skipped + start)
    return _tidy(text, name)


def _tidy(text: str, name: str) -> Decoded | Refusal:
    tidied = _NEWLINE.sub("\n", text.rstrip(_END_OF_FILE))
    control = _CONTROL.search(tidied)
    if control is None:
        return Decoded(tidied, name)
    line, code = tidied.count("\n", 0, control.start()) + 1, f"U+{ord(control.group()):04X}"
    return refusal(
        "script_not_text",
        found=f"there is a control character, {code}, in line {line}",
        found_zh=f"第 {line} 行有控制字符 {code}",
    )


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether most of what is not ASCII forms sequences of UTF-8."""
    replaced = data.decode("utf-8", "replace")
    damaged = replaced.count("\ufffd")
    sound = len(_ASCII.sub("", replaced)) - damaged
    return sound >= _SOUND_SEQUENCES_MIN * damaged


def _wide(data: bytes) -> Decoded | Refusal:
    """UTF-16 without a mark: taken where one order of bytes makes text of it and the other does not."""
    read = [_decode(data, codec, codec) for codec in ("utf-16-le", "utf-16-be")]
    texts = [one for one in read if isinstance(one, Decoded) and _is_text(one.text)]
    if len(texts) == 1:
        return texts[0]
    return refusal("script_not_text", found="there are zero bytes in it", found_zh="其中有零字节")


def _is_text(text: str) -> bool:
    """Whether there are lines or words, and no code that Unicode gives no character to."""
    if not any(between in text for between in ("\n", " ", "\u3000")):
        return False
    return not any(unicodedata.category(character) in {"Cn", "Co", "Cs"} for character in set(text))


def _detected(data: bytes) -> Decoded | Refusal:
    """What the detector finds, if that is beyond doubt."""
    found = [(one["encoding"] or "", one["confidence"]) for one in chardet.detect_all(data)]
    best, confidence = found[0]
    beyond_ascii = len(data.translate(None, _ASCII_BYTES))
    codec = _EAST_ASIAN.get(best.lower())
    if codec is not None:
        others = [sure for name, sure in found if _EAST_ASIAN.get(name.lower()) != codec]
        leads = confidence >= _LEAD_MIN * max(others, default=0.0)
        taken = leads and beyond_ascii >= _EAST_ASIAN_BYTES_MIN
    else:
        codec = _western(data, best)
        taken = codec is not None and beyond_ascii <= _WESTERN_SHARE_MAX * len(data)
    if codec is not None and taken and confidence >= _CONFIDENCE_MIN:
        read = _decode(data, codec, _NAMES[codec])
        if isinstance(read, Refusal) or _is_running_text(read.text, codec):
            return read
    names = dict.fromkeys(_told(name) for name, _ in found if name)
    return refusal("script_encoding_unclear", encodings=", ".join([*names][:_CANDIDATES_TOLD]) or "no text at all")


def _is_running_text(text: str, codec: str) -> bool:
    """Whether a text reads as some language that is written in an encoding."""
    running = RunningText(text)
    return any(reads_as(running) for reads_as in _WRITTEN_IN[codec])


def _western(data: bytes, name: str) -> str | None:
    """Latin-1, wherever it reads the bytes as Latin-9 does."""
    codec = _WESTERN.get(name.lower())
    if codec is not None and data.decode(codec, "replace") == data.decode("cp1252", "replace"):
        return "cp1252"
    return codec


def _told(name: str) -> str:
    codec = _EAST_ASIAN.get(name.lower()) or _WESTERN.get(name.lower())
    return name if codec is None else _NAMES[codec]
