"""Where each part of a candidate comes from: JSON Pointers with lines of the script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from storyworld.core.script import Lines


class Citations:
    """The lines that parts of the content come from, as they are gathered."""

    def __init__(self) -> None:
        self._lines: dict[str, list[Lines]] = {}

    def cite(self, pointer: str, lines: Iterable[Lines]) -> None:
        """Say that the part at `pointer` comes from these lines too."""
        self._lines.setdefault(pointer, []).extend(lines)

    def to_json(self) -> Mapping[str, list[list[int]]]:
        """Each pointer with its lines in order; those that overlap or follow each other directly are joined."""
        return {pointer: _joined(lines) for pointer, lines in self._lines.items()}


def _joined(lines: list[Lines]) -> list[list[int]]:
    joined: list[list[int]] = []
    for one in sorted(lines):
        if joined and one.first <= joined[-1][1] + 1:
            joined[-1][1] = max(joined[-1][1], one.last)
        else:
            joined.append([one.first, one.last])
    return joined
