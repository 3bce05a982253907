"""Where the operator's settings come from: a flag, then the environment, then `storyworld.toml` in the working
folder.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

DATA_DEFAULT = "storyworld-data"
_FILE = "storyworld.toml"


class SettingsError(Exception):
    """A settings file that cannot be read; the text says where and why."""


def data_folder(flag: str | None) -> Path:
    """The data folder: `--data`, `STORYWORLD_DATA`, `data` in storyworld.toml, or `./storyworld-data`.

    Raises SettingsError where storyworld.toml cannot be read, is no TOML, or its `data` is no text.
    """
    chosen = flag or os.environ.get("STORYWORLD_DATA") or _from_file("data") or DATA_DEFAULT
    return Path(chosen)


def _from_file(name: str) -> str | None:
    path = Path(_FILE)
    if not path.is_file():
        return None
    try:
        value = tomllib.loads(path.read_text("utf-8")).get(name)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsError(f"{_FILE}: {error}") from error
    if value is not None and not isinstance(value, str):
        raise SettingsError(f"{_FILE}: {name} is {type(value).__name__}; it must be a text")
    return value
