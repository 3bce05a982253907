"""What can go wrong in a store, and how a test makes it go wrong."""

from __future__ import annotations

from collections.abc import Callable

FailPoint = Callable[[str], None]
"""Called with a name (`K0` … `K9`, places in the life of a beat); tests pass one that stops the process there."""


class StoreError(Exception):
    """The store could not do what was asked, through no fault of the caller. Nothing was changed unless said."""


class StorageUnavailable(StoreError):
    """The database cannot be reached or written just now. Whether a running commit landed is told by its key."""


class StorageFull(StoreError):
    """There is no room for another row. Reads go on."""


class IntegrityFailed(StoreError):
    """What is stored is damaged."""


class SchemaTooNew(StoreError):
    """The database was written by a newer storyworld."""
