"""The last step of reading, which guesses: used where nothing else could read the reply, and always recorded.

It owns the use of json-repair. It must not know what a reply is. What it makes is judged like everything else.
"""

from __future__ import annotations

from typing import Any

import json_repair

# A reply at all of its bounds (line, action, 20 operations) is shorter. It takes 50 ms for this much, and far more for
# texts that nest deeply.
_MAX_CHARS = 20_000
_MAX_DEPTH = 64


def repair(text: str) -> Any | None:
    """What the text may have meant as JSON; None where it is too long or too deep to be guessed, or means nothing."""
    if len(text) > _MAX_CHARS or _depth(text) > _MAX_DEPTH:
        return None
    return json_repair.loads(text, skip_json_loads=True) or None


def _depth(text: str) -> int:
    """How deep the brackets go, those in texts included: an upper bound."""
    depth = deepest = 0
    for character in text:
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest
