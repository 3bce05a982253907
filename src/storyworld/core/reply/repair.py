"""The last step of reading, which guesses: used where nothing else could read the reply, and always recorded.

It owns the use of json-repair. It must not know what a reply is. What it makes is judged like everything else.
"""

from __future__ import annotations

import re
from typing import Any

import json_repair

# A reply at all of its bounds (line, action, 20 operations) is shorter; this much takes up to half a second.
_MAX_CHARS = 20_000
# json-repair goes down by up to 7 calls with each bracket and each mark of a comment. So many stay far from the depth
# at which Python stops, so that no answer depends on where in the program it was asked for.
_OPENING = re.compile(r"[\[{(/#]")
_MAX_OPENINGS = 96


def repair(text: str) -> Any | None:
    """What the text may have meant as JSON; None where it is too long or too deep to be guessed, or means nothing."""
    if len(text) > _MAX_CHARS or len(_OPENING.findall(text)) > _MAX_OPENINGS:
        return None
    try:
        return json_repair.loads(text, skip_json_loads=True) or None
    except Exception:  # noqa: BLE001 - it asserts what some texts break, and a guess that fails is no guess
        return None
