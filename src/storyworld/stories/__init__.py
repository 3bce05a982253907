"""The stories that come with storyworld, as package contents in JSON."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

DEFAULT_STORY: Final = "eleven-tons"
"""The story that is played where none is named."""

_SUFFIX = ".json"


def story_names() -> tuple[str, ...]:
    """The names of all stories that come along, in alphabetical order."""
    found = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


def read_story(name: str) -> bytes:
    """The content of one of these stories as JSON in UTF-8. `FileNotFoundError` for a name that is none of them."""
    if name not in story_names():
        raise FileNotFoundError(f"there is no story {name!r}; there are {', '.join(story_names())}")
    return files(__name__).joinpath(name + _SUFFIX).read_bytes()
