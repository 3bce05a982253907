"""The fence: a line that stands before and after quoted text, which the text itself cannot hold.

It is drawn from (seed, beat, role), so nobody who writes a line can know it, and lengthened until no quoted text has
it.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

_DIGITS_MIN = 8


def draw_fence(seed: str, quoted: Iterable[str]) -> str:
    """A fence that stands in none of the quoted texts: `~~~` and at least 8 hexadecimal digits that follow from the
    seed.
    """
    texts = tuple(quoted)
    digits = sha256(seed.encode()).hexdigest()
    length = _DIGITS_MIN
    fence = f"~~~{digits[:length]}"
    while any(fence in text for text in texts):
        length += 1
        if length > len(digits):
            digits += sha256(digits.encode()).hexdigest()
        fence = f"~~~{digits[:length]}"
    return fence


def enclose(text: str, fence: str) -> str:
    """The text between two fences, each on a line of its own."""
    return f"{fence}\n{text}\n{fence}"
