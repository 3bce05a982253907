"""Where the operator's settings come from: a flag, then the environment, then `storyworld.toml` in the working
folder, then what stands here. Each setting is declared once, with what it is for.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

DATA_DEFAULT: Final = "storyworld-data"
_FILE: Final = "storyworld.toml"
_PREFIX: Final = "STORYWORLD_"
_PORT_MAX: Final = 65_535
_SECONDS_MAX: Final = 3_600
_HEARTBEAT_MAX: Final = 15
_CONCURRENCY_MAX: Final = 100_000


class SettingsError(Exception):
    """A setting that cannot be taken, or a settings file that cannot be read; the text says where and why."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name in the file, what it is for, what it is where nobody says, and what reads it.

    `read` takes a text, an integer or a number and raises ValueError saying what is taken. In the environment the name
    is upper case behind `STORYWORLD_`.
    """

    name: str
    meaning: str
    default: Any
    read: Callable[[Any], Any]
    secret: bool = False

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return _PREFIX + self.name.upper()


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("it must be a text")
    return value


def _whole(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        taken = f"it must be a whole number from {least} to {most}"
        if isinstance(value, str):
            if not value.isascii() or not value.isdecimal():
                raise ValueError(taken)
            value = int(value)
        if type(value) is not int or not least <= value <= most:
            raise ValueError(taken)
        return value

    return read


def _word(*words: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in words:
            raise ValueError(f"it must be one of {', '.join(words)}")
        return str(value)

    return read


SETTINGS: Final = (
    Setting("data", "The data folder.", DATA_DEFAULT, _text),
    Setting("host", "The address that the server listens at. Others than this machine's own reach it by 0.0.0.0.",
            "127.0.0.1", _text),
    Setting("port", "The port that the server listens at; 0 takes any that is free.", 8080, _whole(0, _PORT_MAX)),
    Setting("operator_key", "The key that creates and lists projects over HTTP. Without one nobody does.", None, _text,
            secret=True),
    Setting("log_level", "What is logged at least: debug, info, warning or error.", "info",
            _word("debug", "info", "warning", "error")),
    Setting("log_format", "json, or text for people; auto is text at a terminal.", "auto",
            _word("auto", "json", "text")),
    Setting("grace_seconds", "How long running beats may take when the server stops.", 30, _whole(0, _SECONDS_MAX)),
    Setting("heartbeat_seconds", "After how long a silent stream says that it is still there.", _HEARTBEAT_MAX,
            _whole(1, _HEARTBEAT_MAX)),
    Setting("concurrency_max", "How many requests may be open at once, streams among them; more are answered 503.",
            4096, _whole(1, _CONCURRENCY_MAX)),
)  # fmt: skip
_BY_NAME: Final[Mapping[str, Setting]] = {setting.name: setting for setting in SETTINGS}


def setting(name: str, flag: object = None) -> Any:
    """The value of a setting; `flag` is what the command line says, None for nothing.

    Raises SettingsError where storyworld.toml cannot be read, or what it or the environment says cannot be taken.
    """
    declared = _BY_NAME[name]
    told = _from_file()
    for source, value in (
        (f"--{name.replace('_', '-')}", flag),
        (declared.variable, os.environ.get(declared.variable) or None),
        (f"{_FILE}: {name}", told.get(name)),
    ):
        if value is not None:
            try:
                return declared.read(value)
            except ValueError as error:
                found = "" if isinstance(value, str) else f" is {type(value).__name__}"
                separator = ":" if isinstance(value, str) else ";"
                raise SettingsError(f"{source}{found}{separator} {error}") from error
    return declared.default


def data_folder(flag: str | None) -> Path:
    """The data folder: `--data`, `STORYWORLD_DATA`, `data` in storyworld.toml, or `./storyworld-data`.

    Raises SettingsError as `setting` does.
    """
    return Path(setting("data", flag or None))


@cache
def _read_file(path: Path, changed: int) -> dict[str, Any]:
    try:
        told = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsError(f"{_FILE}: {error}") from error
    unknown = sorted(set(told) - set(_BY_NAME))
    if unknown:
        raise SettingsError(f"{_FILE}: {', '.join(unknown)}: there is no such setting; there are {', '.join(_BY_NAME)}")
    return told


def _from_file() -> dict[str, Any]:
    path = Path(_FILE).absolute()
    try:
        changed = path.stat().st_mtime_ns if path.is_file() else None
    except OSError as error:
        raise SettingsError(f"{_FILE}: {error}") from error
    return {} if changed is None else _read_file(path, changed)
