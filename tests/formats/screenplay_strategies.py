"""Screenplays as drafts and outlines are drawn up, with texts that are as hostile as texts may be."""

from __future__ import annotations

from hypothesis import strategies as st

from storyworld.core.screenplay import CastMember, Element, ElementKind, Screenplay

_CHARS = st.characters(exclude_categories=("Cc", "Cs"))
_MARKS = st.sampled_from(
    [
        "*", "**", "_", "\\", "[", "[[", "]]", "]", "/*", "*/", "(", ")", "（", "）", "@", "~", "!", ".", "#", "#1#",
        "=", "===", ">", "<", "^", ":", "：", "INT. ", "CUT TO:", "TO:", "Title: ", "人物：",
        "beat 3", "note: ", "JO", "甲", "约翰",
        "日", "淡出", "第三场", "(b-1)", "○", " ", "  ", "\t", "\u3000", "\u2028", "a", "é",
    ]
)  # fmt: skip
_PIECES = st.lists(_MARKS | _CHARS, min_size=1, max_size=8).map("".join)


def _is_text(text: str) -> bool:
    return bool(text) and text == text.strip()


one_line = _PIECES.map(str.strip).filter(_is_text)
texts = st.lists(_PIECES | st.just(""), min_size=1, max_size=4).map("\n".join).map(str.strip).filter(_is_text)

_ONE_LINE = (ElementKind.SECTION, ElementKind.SCENE_HEADING, ElementKind.SYNOPSIS, ElementKind.TRANSITION)
_MANY_LINES = (ElementKind.ACTION, ElementKind.CENTERED, ElementKind.NOTE, ElementKind.LYRICS)

_names = st.sampled_from(["JO", "Ann", "约翰", "beat 3", "INT. X", "Ann (b-1)", "A: B", "^", "(x)"]) | one_line
_ids = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,5}", fullmatch=True)
_beats = st.integers(0, 999_999_999)


@st.composite
def _speeches(draw: st.DrawFn, cast: tuple[CastMember, ...]) -> list[Element]:
    names = [member.name for member in cast]
    if draw(st.booleans()) and cast:
        member = draw(st.sampled_from(cast))
        name, role_id = member.name, member.role_id
    else:
        name, role_id = draw(_names.filter(lambda name: names.count(name) != 1)), None
    said = [Element(ElementKind.CHARACTER, name, role_id)]
    kinds = st.sampled_from((ElementKind.PARENTHETICAL, ElementKind.DIALOGUE, ElementKind.LYRICS))
    for kind in draw(st.lists(kinds, max_size=4)):
        if kind is ElementKind.PARENTHETICAL or kind is not said[-1].kind:
            said.append(Element(kind, draw(texts), None if kind is ElementKind.LYRICS else role_id))
    return said


@st.composite
def screenplays(draw: st.DrawFn) -> Screenplay:
    """Any screenplay of the form that drafts and outlines have, with beats or without."""
    ids = draw(st.lists(_ids, max_size=4, unique=True))
    cast = tuple(CastMember(role_id, draw(_names)) for role_id in ids)
    alone = st.builds(Element, st.sampled_from(_ONE_LINE), one_line) | st.builds(
        Element, st.sampled_from(_MANY_LINES), texts
    )
    groups = draw(st.lists(alone.map(lambda element: [element]) | _speeches(cast), max_size=8))
    if draw(st.booleans()):
        groups = [[_cited(element, beat) for element in group] for group in groups for beat in [draw(_beats)]]
    return Screenplay(
        title=draw(texts),
        language=draw(st.sampled_from(["en", "zh-Hans", "ja", "ko-KR"])),
        cast=cast,
        elements=tuple(element for group in groups for element in group),
        source=draw(st.none() | texts),
    )


def _cited(element: Element, beat: int) -> Element:
    return Element(element.kind, element.text, element.role_id, beat)
