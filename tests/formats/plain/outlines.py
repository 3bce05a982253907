"""What a plain text was read as, in the form that a test can show."""

from __future__ import annotations

from storyworld.core.screenplay import ElementKind
from storyworld.core.script import Script
from storyworld.formats.plain import read_plain


def outline(text: str) -> list[tuple[str, str]]:
    """Each element of the script: what it is, and its text."""
    return [(element.kind.value, element.text) for element in read_plain(text).elements]


def speeches(text: str) -> list[tuple[str, str]]:
    """Who speaks, and all that follows the cue, directions in round brackets."""
    found: list[tuple[str, str]] = []
    for element in read_plain(text).elements:
        if element.kind is ElementKind.CHARACTER:
            found.append((element.text, ""))
        elif element.kind in (ElementKind.DIALOGUE, ElementKind.PARENTHETICAL):
            name, said = found[-1]
            part = f"({element.text})" if element.kind is ElementKind.PARENTHETICAL else element.text
            found[-1] = (name, f"{said} {part}".strip())
    return found


def left_out(text: str) -> list[tuple[str, int, int]]:
    """What was left out: why, and from which line to which."""
    return [(entry.code, entry.lines.first, entry.lines.last) for entry in read_plain(text).left_out]


def categories_by_line(script: Script) -> dict[int, set[str]]:
    """For each line of the source that has a place in the script, the parts of the script that it is in."""
    found: dict[int, set[str]] = {}
    parts = {
        "title page": [entry.lines for entry in script.title_page],
        "cast": [entry.lines for entry in script.cast],
        "elements": [entry.lines for entry in script.elements],
        "left out": [entry.lines for entry in script.left_out],
    }
    for part, places in parts.items():
        for lines in places:
            for number in range(lines.first, lines.last + 1):
                found.setdefault(number, set()).add(part)
    return found
