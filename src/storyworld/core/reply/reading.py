"""What a reply was read as, and what was mended or left out on the way.

It owns the form of the result. It must not know how a reply is read.
"""

from __future__ import annotations

from typing import Any

from storyworld.core.unchanging import unchanging


@unchanging
class LeftOut:
    """A part of a reply that was not taken.

    `path` is a JSON Pointer into the object that was read (the names as the model wrote them, but `/line`, `/action`
    and `/operations` by those names); `characters` is how much text the part held, where that says something.
    """

    code: str
    path: str | None = None
    characters: int | None = None

    def to_json(self, role_id: str) -> dict[str, Any]:
        """The entry of the beat record."""
        value: dict[str, Any] = {"roleId": role_id, "code": self.code}
        if self.path is not None:
            value["path"] = self.path
        if self.characters is not None:
            value["characters"] = self.characters
        return value


@unchanging
class Reading:
    """A reply as it was read. `line` None means that nothing can be said in the role's name: `reply_unusable`. Then
    there is no action and no operation either, since whoever cannot speak has no part in the beat.

    `operations` are raw JSON values that nobody has judged yet; None stands for one that has no place in a record.
    `repairs` holds each code once, in the order in which the reply was mended.
    """

    line: str | None
    action: str | None = None
    operations: tuple[object, ...] = ()
    repairs: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
