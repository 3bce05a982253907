"""Screenplays for properties: of every kind, in several scripts of the world, full of what a format could misread."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from storyworld.core.screenplay import CastMember, Element, ElementKind, Screenplay

SNARES: Final = (
    "# x", "## x", "- x", "+ x", "* x", "1. x", "1) x", "12) x", "> x", "```", "~~~", "    x", "\tx", "---", "***",
    "===", "*x*", "**x**", "_x_", "__x__", "`x`", "[x](y)", "[x]: y", "[x]", "![x](y)", "<b>x</b>", "<!-- x -->",
    "<x@y.zz>", "<https://x.yz>", "https://x.yz", "www.x.yz", "x@y.zz", "&amp;", "&#35;", "&", "\\", "\\*", "x  \ny",
    "x\\\ny", "x\n\ny", "x\n===", "x\n---", "| a | b |\n|---|---|\n| c | d |", "~~x~~", "$x$", "#12", "@x", ":smile:",
    "^1", "- [ ] x", "(x)", "((x)", "(x) y (z)", "（x）", ")x(", "]]>", "<![CDATA[", "</Text>", "<?x?>", "[[x]]",
    "/* x */", "beat 3", "\"x\"", "'x'", "--", "...", "=== x", "\u2028x", "x\u00a0y", "#set text(red)", "#{1+1}",
    "\\u{41}", "{{x}}", "${x}",
)  # fmt: skip
"""Texts that are markup somewhere."""

_LETTERS: Final = st.sampled_from("aZ ,.!?:\n\té你好，。こんに安녕0#*_>-=+`~[]()<>&\\|@^")


def _is_text(text: str) -> bool:
    return bool(text) and text == text.strip()


texts: Final = st.one_of(
    st.sampled_from(SNARES).map(str.strip).filter(_is_text),
    st.lists(st.one_of(_LETTERS, st.sampled_from(SNARES)), min_size=1, max_size=8).map("".join).map(str.strip),
    st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=8).map(str.strip),
).filter(_is_text)
"""Texts as a screenplay has them: not blank, no white space around them."""

_PLAIN_NAMES: Final = st.sampled_from(["Ann", "anna lee", "甲", "田中", "민수", "BO", "O'Neil-Smith Jr."])
names: Final = st.one_of(_PLAIN_NAMES, texts.map(lambda text: " ".join(text.split())))
"""Names of roles: on one line."""


@st.composite
def screenplays(draw: st.DrawFn) -> Screenplay:
    """Any screenplay: elements may stand in any order, and names may be borne by several roles."""
    members = draw(st.lists(names, max_size=3))
    cast = tuple(CastMember(f"role-{at}", name) for at, name in enumerate(members))
    elements = []
    beat = draw(st.one_of(st.none(), st.integers(0, 3)))
    for _ in range(draw(st.integers(0, 8))):
        if beat is not None:
            beat += draw(st.integers(0, 1))
        kind = draw(st.sampled_from(ElementKind))
        if cast and kind in (ElementKind.CHARACTER, ElementKind.PARENTHETICAL, ElementKind.DIALOGUE):
            member = draw(st.sampled_from(cast))
            text = member.name if kind is ElementKind.CHARACTER else draw(texts)
            elements.append(Element(kind, text, member.role_id, beat))
        else:
            elements.append(Element(kind, draw(texts), None, beat))
    language = draw(st.sampled_from(["en", "zh-Hans", "zh-Hant", "ja", "ko"]))
    return Screenplay(draw(texts), language, cast, tuple(elements), draw(st.one_of(st.none(), texts)))
