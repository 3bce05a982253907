"""Projects, and the keys that open them.

A secret is `sw_` with the project's id, the key's id and 256 random bits, joined by full stops. Only its digest is
stored: whoever reads the database cannot open anything with what is there.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from storyworld.application.faults import faults_refused
from storyworld.application.house import House
from storyworld.application.ports import KeyScope, Project, StoredKey
from storyworld.core.errors import Refusal, refusal

_SECRET: Final = re.compile(r"sw_([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{1,64})\.[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Opened:
    """What a secret opens."""

    project_id: str
    key_id: str
    scope: KeyScope


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made. Its secret is shown here and never again."""

    project_id: str
    key_id: str
    scope: KeyScope
    secret: str

    def __repr__(self) -> str:
        """Whatever prints a key does not print its secret."""
        return f"NewKey({self.project_id!r}, {self.key_id!r}, {self.scope!r})"


@faults_refused
async def create_project(house: House, name: str) -> NewKey | Refusal:
    """Create a project with its first key, which may write. `name` has been judged."""
    project_id = house.identity.new_id("prj")
    created = await house.store.create_project(project_id, name, house.clock.now())
    assert created, "a new id is never taken"
    return await _new_key(house, project_id, KeyScope.WRITE)


@faults_refused
async def project_named(house: House, name: str) -> Project | Refusal | None:
    """The first project of this name, in the order of ids; None where there is none. For the operator, who has few."""
    after: str | None = None
    while found := await house.store.projects(limit=_PROJECTS_PER_READ, after=after):
        named = next((project for project in found if project.name == name), None)
        if named is not None:
            return named
        after = found[-1].project_id
    return None


_PROJECTS_PER_READ: Final = 100


@faults_refused
async def list_projects(house: House, limit: int, after: str | None) -> Sequence[Project] | Refusal:
    """Up to `limit` projects in the order of their ids, after the id `after`."""
    return await house.store.projects(limit=limit, after=after)


@faults_refused
async def create_key(house: House, project_id: str, scope: KeyScope) -> NewKey | Refusal:
    """Make another key of a project."""
    return await _new_key(house, project_id, scope)


async def _new_key(house: House, project_id: str, scope: KeyScope) -> NewKey:
    key_id = house.identity.new_id("key")
    secret = f"sw_{project_id}.{key_id}.{house.identity.new_secret()}"
    stored = StoredKey(key_id, _digest(secret), scope, house.clock.now())
    put = await house.project(project_id).put_key(stored)
    assert put, "a new id is never taken"
    return NewKey(project_id, key_id, scope, secret)


@faults_refused
async def list_keys(house: House, project_id: str, limit: int, after: str | None) -> Sequence[StoredKey] | Refusal:
    """Up to `limit` keys of a project in the order of their ids, after the id `after`; revoked ones are among them."""
    return await house.project(project_id).keys(limit=limit, after=after)


@faults_refused
async def revoke_key(house: House, project_id: str, key_id: str) -> Refusal | None:
    """Revoke a key for ever: the next request with it is refused. Refusal: `key_not_found`."""
    revoked = await house.project(project_id).revoke_key(key_id, house.clock.now())
    return None if revoked else refusal("key_not_found")


@faults_refused
async def open_with(house: House, secret: str) -> Opened | Refusal:
    """What a secret opens. One refusal, `key_unknown`, for every secret that opens nothing, whatever the reason."""
    named = _SECRET.fullmatch(secret)
    stored = None if named is None else await house.project(named[1]).key(named[2])
    # A key that is not there takes the same time as one that is.
    same = hmac.compare_digest(_digest(secret), stored.digest if stored is not None else _digest(""))
    if named is None or stored is None or not same or stored.revoked_at is not None:
        return refusal("key_unknown")
    return Opened(named[1], named[2], stored.scope)


def _digest(secret: str) -> str:
    return f"sha256:{hashlib.sha256(secret.encode()).hexdigest()}"
