"""Whether a text tells a secret: exactly, or in the same words under another case, width, spacing or invisible signs.

A paraphrase is not found here; what prevents one is that the secret is in no other role's prompt.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache


def tells(text: str, secret: str) -> bool:
    """Whether the secret stands in the text, exactly or after both are normalized.

    A secret of invisible signs alone is looked for only as it stands: without them it would be in every text.
    """
    words = normalized(secret)
    return secret in text or (words != "" and words in normalized(text))


@lru_cache(maxsize=8192)
def normalized(text: str) -> str:
    """NFKC and case folding, with white space, format characters and variation selectors left out."""
    visible = "".join(character for character in text if not _is_invisible(character))
    # Folding case can undo the normal form, so it is made again.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())
    return "".join(folded.split())


def _is_invisible(character: str) -> bool:
    return (
        unicodedata.category(character) == "Cf"
        or "\ufe00" <= character <= "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
    )
