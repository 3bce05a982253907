"""Projects, and the keys that open them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Project:
    """A tenant, and how many packages and worlds of it are active now."""

    project_id: str
    name: str
    created_at: str
    active_packages: int
    active_worlds: int


class KeyScope(StrEnum):
    """What a key allows: to look, or to change as well."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A key of a project: `digest` is that of its secret, which is stored nowhere. `revoked_at` is None while it opens.

    The project and the key id both stand in the part of the secret that is public; so a key is found project first.
    """

    key_id: str
    digest: str
    scope: KeyScope
    created_at: str
    revoked_at: str | None = None


class Keys(Protocol):
    """The keys of one project."""

    async def put_key(self, key: StoredKey) -> bool:
        """Store a new key. False, and nothing changed, if its id is taken."""
        ...

    async def key(self, key_id: str) -> StoredKey | None:
        """The key, revoked or not."""
        ...

    async def keys(self, *, limit: int, after: str | None = None) -> Sequence[StoredKey]:
        """Up to `limit` keys in the order of their ids, after the id `after`; revoked ones are among them."""
        ...

    async def revoke_key(self, key_id: str, at: str) -> bool:
        """Revoke the key, for ever. False, and nothing changed, when it is unknown or was revoked before."""
        ...
