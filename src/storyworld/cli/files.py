"""Files that a command writes: whole or not at all, and never over another file unless that was asked for."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click

_NAME_CHARS_KEPT = 40


def refuse_to_overwrite(*paths: Path, force: bool) -> None:
    """Stop, before any work is done, where a file exists that nobody asked to replace, or no file can be. Devices and
    pipes are none.
    """
    for path in paths:
        try:
            there, folder = path.is_file(), path.is_dir()
        except OSError as error:
            raise click.UsageError(f"{path}: {error.strerror}") from error
        if folder:
            raise click.UsageError(f"{path}: Is a directory")
        if there and not force:
            raise click.UsageError(f"{path}: there is such a file; --force replaces it")


def refuse_to_write_over(script: str, *paths: Path) -> None:
    """Stop where a file that is to be written is the one that is read; nobody who says --force means that."""
    for path in paths:
        if script != "-" and path.exists() and Path(script).exists() and path.samefile(script):
            raise click.UsageError(f"{path}: that is the script itself; -o names another file")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place and move it there, so that a reader finds the old one or the new one, whole.

    What exists and is no file, such as a device or a pipe, is written to as it is; a link stays one. A place that
    cannot be written to is a fault of usage.
    """
    place = path.resolve()
    try:
        if place.exists() and not place.is_file():
            place.write_bytes(data)
            return
        handle, beside = tempfile.mkstemp(prefix=f".{place.name[:_NAME_CHARS_KEPT]}.", dir=place.parent)
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(_mode(place))
        Path(beside).replace(place)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _mode(place: Path) -> int:
    """The mode of the file that is replaced; for a new one what the process allows, since a temporary file is its
    owner's alone.
    """
    if place.exists():
        return place.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
