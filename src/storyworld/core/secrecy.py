"""Whether a text tells a secret: exactly, or in the same words under another case, width, spacing or invisible signs.

A paraphrase is not found here; what prevents one is that the secret is in no other role's prompt.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

_VARIATION_SELECTOR: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def tells(text: str, secret: str) -> bool:
    """Whether the secret stands in the text, exactly or after both are normalized.

    A secret of invisible signs alone is looked for only as it stands: without them it would be in every text.
    """
    words = normalized(secret)
    return secret in text or (words != "" and words in normalized(text))


def secrets_in(text: str, secrets: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The names of those secrets (each a name and its text) that a text tells, in their order.

    The text is normalized once for all of them and not remembered: it may be a prompt, which is a hundred times as long
    as a line.
    """
    read = _in_one_form(text)
    for name, secret in secrets:
        words = normalized(secret)
        if secret in text or (words != "" and words in read):
            yield name


@lru_cache(maxsize=8192)
def normalized(text: str) -> str:
    """NFKC and case folding, with white space, format characters and variation selectors left out."""
    return _in_one_form(text)


def _in_one_form(text: str) -> str:
    visible = _without_invisible(text)
    # Folding case can undo the normal form, so it is made again.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())
    return "".join(folded.split())


def _without_invisible(text: str) -> str:
    text = _VARIATION_SELECTOR.sub("", text)
    # A format character is not printable, and most texts are: then there is no need to look at each character.
    if text.isprintable():
        return text
    return "".join([character for character in text if unicodedata.category(character) != "Cf"])
