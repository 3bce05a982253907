"""Where JSON stands in a text, and how it is read: strictly, as the grammar allows, mended, cut, and last by a guess.

It owns the order of these steps. It must not know what a reply is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from storyworld.core.canonical import Malformed, parse
from storyworld.core.reply.lenient import read_cut, read_lenient
from storyworld.core.reply.mending import mend
from storyworld.core.reply.repair import repair
from storyworld.core.unchanging import unchanging

# A text with more brackets beside its object than this is no reply.
_SPANS_MAX: Final = 64
# Each guess may take a tenth of a second and more.
_GUESSES_MAX: Final = 4
_MARK: Final = re.compile(r'\\[\s\S]|["{}\[\]]')
_OPENER: Final = {"}": "{", "]": "["}


class Span(NamedTuple):
    """A place in a text: from `start` to before `end`."""

    start: int
    end: int


@unchanging
class Document:
    """A value that was read, where it stood, and how.

    `nested` says that a bracket before it was never closed, so that it may be a part of something else. `cut` says
    that the text ended before the document did; `in_text` and `in_item` then say that it ended within a text, and
    within a value of a list of the object: these are not whole. Where a cut document is guessed, both are assumed.
    """

    value: Any
    span: Span
    repairs: tuple[str, ...] = ()
    nested: bool = False
    cut: bool = False
    in_text: bool = False
    in_item: bool = False


@unchanging
class _Layout:
    """The closed brackets of a text that stand in no other closed ones, and those that were never closed."""

    spans: tuple[Span, ...]
    unclosed: tuple[tuple[int, str], ...]
    in_text: bool

    def is_nested(self, span: Span) -> bool:
        return bool(self.unclosed) and span.start > self.unclosed[0][0]


def documents(text: str) -> Iterator[tuple[Document, ...]]:
    """The documents of a text, in its order: first those that can be read, then those that have to be guessed.

    The second group is only worked out when it is asked for.
    """
    whole = text.strip()
    if whole[:1] in ("{", "[", '"'):
        start = text.index(whole)
        read = _read(whole, Span(start, start + len(whole)))
        if read is not None:
            yield (read,)
            return
    layout = _lay_out(text)
    found = _readable(text, layout)
    yield tuple(found)
    yield tuple(_guesses(text, layout, {document.span for document in found}))


def _readable(text: str, layout: _Layout) -> list[Document]:
    found = []
    cut = _read_cut(text, layout)
    for span in layout.spans[:_SPANS_MAX]:
        if cut is not None and span.start > cut.span.start:
            break
        document = _read(text[span.start : span.end], span, nested=layout.is_nested(span))
        if document is not None:
            found.append(document)
    return found if cut is None else [*found, cut]


def _read(text: str, span: Span, *, nested: bool = False) -> Document | None:
    """Read a whole document: strictly, then as the grammar allows, then both once more after the known mends."""
    as_it_stands = _read_whole(text, span, (), nested=nested)
    if as_it_stands is not None:
        return as_it_stands
    mended, codes = mend(text)
    return _read_whole(mended, span, codes, nested=nested) if codes else None


def _read_whole(text: str, span: Span, codes: tuple[str, ...], *, nested: bool) -> Document | None:
    try:
        return Document(parse(text.encode()), span, codes, nested)
    except Malformed:
        lenient = read_lenient(text)
    if lenient is None:
        return None
    return Document(lenient.value, span, (*codes, "keys_repeated") if lenient.repeated_keys else codes, nested)


def _read_cut(text: str, layout: _Layout) -> Document | None:
    """Read what a cut left of the document that begins with the first bracket that was never closed."""
    for place, (start, _) in enumerate(layout.unclosed[:_GUESSES_MAX]):
        mended, codes = mend(text[start:])
        value = read_cut(mended)
        if value is not None:
            return _cut_document(value, text, layout, place, codes)
    return None


def _cut_document(value: Any, text: str, layout: _Layout, place: int, codes: tuple[str, ...]) -> Document:
    brackets = "".join(bracket for _, bracket in layout.unclosed[place:]).lstrip("[")
    lists = brackets.count("[")
    return Document(
        value,
        Span(layout.unclosed[place][0], len(text)),
        (*codes, "cut"),
        cut=True,
        in_text=layout.in_text,
        in_item=lists > 1 or (lists == 1 and (layout.in_text or brackets.endswith("{"))),
    )


def _guesses(text: str, layout: _Layout, read: set[Span]) -> Iterator[Document]:
    unread = [span for span in layout.spans if span not in read and not layout.is_nested(span)]
    for span in unread[:_GUESSES_MAX]:
        value = repair(text[span.start : span.end])
        if value is not None:
            yield Document(value, span, ("json_repaired",))
    if layout.unclosed:
        yield from _guesses_to_the_end(text, layout.unclosed[0][0])


def _guesses_to_the_end(text: str, start: int) -> Iterator[Document]:
    """What may begin with a bracket that was never closed: up to the last bracket, and up to the end of the text.

    A quote too many hides the brackets after it, so the last one may well be the end; what was cut has none.
    """
    last = max(text.rfind("}"), text.rfind("]")) + 1
    for end in dict.fromkeys((last, len(text))):
        mended, codes = mend(text[start:end])
        value = repair(mended)
        if value is None:
            continue
        span, codes = Span(start, end), (*codes, "json_repaired")
        if end == last:
            yield Document(value, span, codes, nested=True)
        else:
            yield Document(value, span, ("cut", *codes), nested=True, cut=True, in_text=True, in_item=True)


def _lay_out(text: str) -> _Layout:
    """Pair the brackets of a text in one pass. Quotes count within brackets only, since prose has apostrophes."""
    spans: list[Span] = []
    unclosed: list[tuple[int, str]] = []
    open_of = {"{": 0, "[": 0}
    in_text = False
    for mark in _MARK.finditer(text):
        character = mark[0]
        if character == '"':
            in_text = bool(unclosed) and not in_text
        elif in_text or character.startswith("\\"):
            continue
        elif character in open_of:
            unclosed.append((mark.start(), character))
            open_of[character] += 1
        elif open_of[_OPENER[character]]:
            start = _close(unclosed, open_of, _OPENER[character])
            while spans and spans[-1].start > start:
                spans.pop()
            spans.append(Span(start, mark.end()))
    return _Layout(tuple(spans), tuple(unclosed), in_text)


def _close(unclosed: list[tuple[int, str]], open_of: dict[str, int], bracket: str) -> int:
    """Close the latest such bracket, and with it those that were opened since. Returns where it stood."""
    while True:
        start, opened = unclosed.pop()
        open_of[opened] -= 1
        if opened == bracket:
            return start
