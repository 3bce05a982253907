"""Lines that say when and where: `時　明治四十年頃`, `地点：客厅`, `때: 가을`, `SCENE: Athens`, `情景　中流階級の…`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from storyworld.formats.plain.source import SourceLine

_LONG: Final = (
    r"时间|時間|时代|時代|年代|地点|地點|场所|場所|场景|場景|布景|舞台(?:面|装置|裝置)?|舞臺|情景|背景|装置|"
    r"とき|ところ|시간|시대|장소|무대|배경"
)
_SHORT: Final = r"时|時|地|所|处|處|処|景|때|곳"
_ENGLISH: Final = r"(?:THE\s+)?(?:SCENE|SETTING|TIME|PLACE|PERIOD|AT\s+RISE)"
_LABELLED: Final = re.compile(
    rf"(?:(?:{_LONG}|{_SHORT})\s*(?P<colon>[:：])\s*|(?:(?i:{_ENGLISH}))\s*(?P<mark>[:：.]|[-–—]+)\s+|(?i:{_ENGLISH})(?P<word>\s*\Z)|"
    rf"(?:{_LONG}|{_SHORT})(?P<gap>[\u3000\t]+\s*|[ ]{{2,}}|\s*\Z))"
)


@dataclass(frozen=True, slots=True)
class Setting:
    """A line that says when or where; `told` is what stands on it after its label, and may be on the next lines."""

    told: str


def setting_of(line: SourceLine, *, in_front: bool) -> Setting | None:
    """The time or place that a line tells. A label without a mark counts only `in_front`, where nobody speaks yet."""
    found = _LABELLED.match(line.text)
    if found is None:
        return None
    if (found["gap"] is not None or found["word"] is not None) and not in_front:
        return None
    return Setting(line.text[found.end() :].strip())
