"""One process serves a data folder: a lock on a file beside the database, which a killed process leaves free."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Final

_NAME: Final = "serving.lock"


class AlreadyServed(Exception):
    """Another process serves this folder; the text says which."""


class Claim:
    """Holds the folder for as long as it is open. Raises AlreadyServed, or OSError where the folder cannot be used."""

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(data / _NAME, os.O_RDWR | os.O_CREAT, 0o600)
        if not _lock(self._descriptor):
            holder = os.read(self._descriptor, 20).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            raise AlreadyServed(f"{data} is served by another process{f' ({holder})' if holder else ''}")
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, f"{os.getpid()}\n".encode())

    def __enter__(self) -> Claim:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._descriptor)


def _lock(descriptor: int) -> bool:
    """Lock the file without waiting; the lock goes with the process, however it ends."""
    try:
        import fcntl
    except ImportError:
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
