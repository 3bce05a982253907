"""Mends of JSON that change how it is written and never what it says; each has its code.

It owns the faults that models are known for and that need no guess. It must not know what a reply is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

# A text, to its closing quote or to the end of the document.
_TEXT: Final = re.compile(r'"(?:[^"\\]|\\[\s\S])*+(?:"|\\?\Z)')
_CONTROL: Final = re.compile(r"[\x00-\x1f]")
_ESCAPE: Final = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?P<lost>u[dD][89a-fA-F][0-9a-fA-F]{2}|u0000)"
    r'|(?P<known>["\\/bfnrt]|u[0-9a-fA-F]{4})'
    r"|(?P<other>[\s\S]))"
)
_COMMA: Final = re.compile(r'(?P<text>"(?:[^"\\]|\\[\s\S])*+(?:"|\\?\Z))|,(?=\s*+[}\],])')
_CURLY: Final = "“”„‟＂"
_CURLY_DOCUMENT: Final = re.compile(rf"[\[\s]*+\{{\s*+[{_CURLY}]")
# A curly quote is a part of the grammar where the grammar stands next to it.
_CURLY_QUOTE: Final = re.compile(rf"(?<=[{{\[,:：])(\s*+)[{_CURLY}]|[{_CURLY}](?=\s*+[:：,}}\]])")
_WIDE_COLON: Final = re.compile(r'"\s*+：\s*+"')


def mend(text: str) -> tuple[str, tuple[str, ...]]:
    """The document with its known faults mended, and the codes of the mends that changed something."""
    codes = []
    for code, mended_by in _MENDS:
        mended = mended_by(text)
        if mended != text:
            codes.append(code)
            text = mended
    return text, tuple(codes)


def _straighten_quotes(text: str) -> str:
    if _CURLY_DOCUMENT.match(text) is None:
        return text
    return _WIDE_COLON.sub('":"', _CURLY_QUOTE.sub(lambda found: f'{found[1] or ""}"', text))


def _replace_lost_characters(text: str) -> str:
    return _TEXT.sub(lambda found: _ESCAPE.sub(_kept_unless_lost, found[0]), text)


def _kept_unless_lost(found: re.Match[str]) -> str:
    return "\ufffd" if found["lost"] else found[0]


def _mend_escapes(text: str) -> str:
    return _TEXT.sub(lambda found: _ESCAPE.sub(_without_odd_backslash, found[0]), text)


def _without_odd_backslash(found: re.Match[str]) -> str:
    # An escape that the end of the document cuts is left to whoever reads a document that was cut.
    return found["other"] if found["other"] and found.end() < len(found.string) and found["other"] != "u" else found[0]


def _escape_controls(text: str) -> str:
    return _TEXT.sub(lambda found: _CONTROL.sub(lambda control: f"\\u{ord(control[0]):04x}", found[0]), text)


def _drop_commas(text: str) -> str:
    return _COMMA.sub(lambda found: found["text"] or "", text)


_MENDS: Final[tuple[tuple[str, Callable[[str], str]], ...]] = (
    ("quotes_straightened", _straighten_quotes),
    ("characters_replaced", _replace_lost_characters),
    ("escapes_mended", _mend_escapes),
    ("breaks_escaped", _escape_controls),
    ("commas_removed", _drop_commas),
)
