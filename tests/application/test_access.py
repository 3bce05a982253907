from __future__ import annotations

import pytest

from storyworld.application.access import (
    create_key,
    create_project,
    list_keys,
    list_projects,
    open_with,
    project_named,
    revoke_key,
)
from storyworld.application.ports import KeyScope, Project
from storyworld.store.memory import MemoryStore
from tests.application.playhouse import PROJECT, code_of, open_house, run, well


def test_a_new_project_opens_with_its_first_key() -> None:
    async def work() -> None:
        house = await open_house()
        key = well(await create_project(house, "盐"))
        opened = well(await open_with(house, key.secret))
        assert (opened.project_id, opened.key_id, opened.scope) == (key.project_id, key.key_id, KeyScope.WRITE)
        assert [one.name for one in well(await list_projects(house, 9, None))] == ["盐", "Salt"]

    run(work())


def test_a_secret_is_stored_nowhere_and_printed_by_nothing() -> None:
    async def work() -> None:
        store = MemoryStore()
        house = await open_house(store=store)
        key = well(await create_key(house, PROJECT, KeyScope.READ))
        assert key.secret not in repr(key)
        [stored] = well(await list_keys(house, PROJECT, 9, None))
        assert key.secret.rpartition(".")[2] not in repr(stored)
        assert stored.digest.startswith("sha256:")

    run(work())


@pytest.mark.parametrize(
    "change", [lambda s: s[:-1] + "!", lambda s: s[:-1] + "x", lambda s: s + "x", lambda s: "", str.upper]
)
def test_nothing_but_the_very_secret_opens(change: object) -> None:
    async def work() -> None:
        house = await open_house()
        key = well(await create_key(house, PROJECT, KeyScope.WRITE))
        assert callable(change)
        assert code_of(await open_with(house, change(key.secret))) == "key_unknown"

    run(work())


def test_a_key_opens_no_project_but_its_own() -> None:
    async def work() -> None:
        house = await open_house()
        other = well(await create_project(house, "Other"))
        key = well(await create_key(house, PROJECT, KeyScope.WRITE))
        moved = key.secret.replace(f"sw_{PROJECT}.", f"sw_{other.project_id}.")
        assert code_of(await open_with(house, moved)) == "key_unknown"

    run(work())


def test_a_revoked_key_opens_nothing_any_more() -> None:
    async def work() -> None:
        house = await open_house()
        key = well(await create_key(house, PROJECT, KeyScope.WRITE))
        assert await revoke_key(house, PROJECT, key.key_id) is None
        assert code_of(await open_with(house, key.secret)) == "key_unknown"
        assert code_of(await revoke_key(house, PROJECT, key.key_id)) == "key_not_found"
        assert code_of(await revoke_key(house, PROJECT, "key_0")) == "key_not_found"

    run(work())


def test_a_project_is_found_by_its_name_however_many_there_are() -> None:
    async def work() -> None:
        house = await open_house()
        for number in range(205):
            well(await create_project(house, f"Project {number}"))
        found = await project_named(house, "Project 204")
        assert isinstance(found, Project)
        assert found.name == "Project 204"
        assert await project_named(house, "Project 205") is None

    run(work())
