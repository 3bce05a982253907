"""The one door for scripts: bytes or text in any format that is read by rules, to a candidate for a story package."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final, Literal

from storyworld.core import limits
from storyworld.core.candidate import Candidate, candidate_of
from storyworld.core.errors import Refusal, refusal
from storyworld.core.screenplay import ElementKind
from storyworld.core.script import Script, ScriptFormat
from storyworld.formats.encoding import decode
from storyworld.formats.fdx_reader import read_fdx
from storyworld.formats.fountain_reader import read_fountain
from storyworld.formats.plain import read_plain

AskedFormat = Literal["auto", "fountain", "fdx", "plain"]
ASKED_FORMATS: Final[tuple[AskedFormat, ...]] = ("auto", "fountain", "fdx", "plain")

_FORMAT_BY_SUFFIX: Final[dict[str, ScriptFormat]] = {
    ".fountain": "fountain",
    ".spmd": "fountain",
    ".fdx": "fdx",
    ".md": "plain",
    ".markdown": "plain",
}
_XML: Final = re.compile(r"\s*<(?:\?xml|!DOCTYPE|FinalDraft\b)", re.IGNORECASE)
# What Fountain has and a plain script hardly does: a title page, a slug line, a forced element, a section, a synopsis.
_FOUNTAIN: Final = re.compile(
    r"\A\s*(?:title|credit|authors?|source|draft date|contact)\s*[:：]"
    r"|^[ \t]*(?:int|ext|est|i/e|int\.?/ext)[. 。]"
    r"|^(?:@\S|\.[^\s.]|#{1,6}\s|=\s|>\s*\S.*$)"
    r"|/\*|\[\[",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class Imported:
    """A candidate, and how the script was read: its format, and its encoding where it came as bytes."""

    candidate: Candidate
    format: ScriptFormat
    encoding: str | None


def import_by_rules(
    data: bytes, *, asked: AskedFormat = "auto", encoding: str | None = None, file_name: str | None = None
) -> Imported | Refusal:
    """Read a script that came as bytes and make a candidate of it, by rules alone.

    `encoding` names the encoding where it is known; `file_name` helps to tell the format, and names a script that has
    no title. Refusals: those of `encoding.decode` and of `import_text_by_rules`.
    """
    decoded = decode(data, encoding)
    if isinstance(decoded, Refusal):
        return decoded
    return import_text_by_rules(decoded.text, asked=asked, file_name=file_name, encoding=decoded.encoding)


def import_text_by_rules(
    text: str, *, asked: AskedFormat = "auto", file_name: str | None = None, encoding: str | None = None
) -> Imported | Refusal:
    """Read a script that came as text, of at most `SCRIPT_IMPORT_BY_RULES_MAX_CHARS` code points in at most
    `SCRIPT_IMPORT_BY_RULES_MAX_LINES` lines that are not blank.

    Refusals: `script_empty`, `script_too_long`, `script_has_too_many_lines`, and for FDX those of
    `fdx_reader.read_fdx`.
    """
    if not text.strip():
        return refusal("script_empty")
    limit = limits.SCRIPT_IMPORT_BY_RULES_MAX_CHARS.value
    if len(text) > limit:
        facts = {"limit": limit, "actual": len(text)}
        return refusal("script_too_long", facts=facts, limit=limit, actual=len(text))
    limit = limits.SCRIPT_IMPORT_BY_RULES_MAX_LINES.value
    lines = sum(not line.isspace() for line in text.splitlines() if line)
    if lines > limit:
        return refusal("script_has_too_many_lines", facts={"limit": limit, "actual": lines}, limit=limit, actual=lines)
    script = _read_as_told(text, file_name) if asked == "auto" else _read(text, asked)
    if isinstance(script, Refusal):
        return script
    named = PurePath(file_name).stem if file_name else None
    return Imported(candidate_of(script, named=named), script.format, encoding)


def format_of(text: str, file_name: str | None = None) -> ScriptFormat:
    """The format of a script: XML is FDX; else the end of the file's name decides, or marks that Fountain has.

    Markdown is plain text to this end: its headings and emphasis are no marks of Fountain.
    """
    if _XML.match(text):
        return "fdx"
    return _declared(file_name) or ("fountain" if _FOUNTAIN.search(text) else "plain")


def _declared(file_name: str | None) -> ScriptFormat | None:
    """The format that a file's name declares by its end."""
    return _FORMAT_BY_SUFFIX.get(PurePath(file_name).suffix.lower()) if file_name else None


def _read_as_told(text: str, file_name: str | None) -> Script | Refusal:
    """The script in the format that it shows. What has marks of Fountain, but nobody who speaks as Fountain has it, is
    plain text if somebody does there.
    """
    told = format_of(text, file_name)
    script = _read(text, told)
    if told == "fountain" and not _declared(file_name) and isinstance(script, Script) and not _speaks(script):
        plain = read_plain(text)
        return plain if _speaks(plain) else script
    return script


def _speaks(script: Script) -> bool:
    return any(element.kind is ElementKind.CHARACTER for element in script.elements)


def _read(text: str, script_format: ScriptFormat) -> Script | Refusal:
    match script_format:
        case "fountain":
            return read_fountain(text)
        case "fdx":
            return read_fdx(text)
        case "plain":
            return read_plain(text)
