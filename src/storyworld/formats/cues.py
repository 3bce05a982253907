"""What stands around a speech on a page: its cue above it, the brackets of a parenthetical."""

from __future__ import annotations

from storyworld.core.screenplay import Element, Screenplay


def cue(screenplay: Screenplay, element: Element) -> str:
    """The text of a cue; where it is the name of a role, the one that tells the role from its namesakes."""
    if element.role_id is not None and screenplay.name_by_role.get(element.role_id) == element.text:
        return screenplay.cue_by_role[element.role_id]
    return element.text


def brackets(language: str) -> tuple[str, str]:
    """The brackets for parentheticals in a language: as wide as the characters in them, in Chinese and Japanese."""
    return ("（", "）") if language.partition("-")[0].lower() in ("zh", "ja") else ("(", ")")
