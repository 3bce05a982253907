"""Whether a text tells a secret: exactly, or in the same words under another case, width, spacing or invisible signs.

A paraphrase is not found here; what prevents one is that the secret is in no other role's prompt.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache


def tells(text: str, secret: str) -> bool:
    """Whether the secret stands in the text, exactly or after both are normalized."""
    return secret in text or normalized(secret) in normalized(text)


@lru_cache(maxsize=8192)
def normalized(text: str) -> str:
    """NFKC and case folding, with white space and invisible format characters left out."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(
        character for character in folded if not character.isspace() and unicodedata.category(character) != "Cf"
    )
