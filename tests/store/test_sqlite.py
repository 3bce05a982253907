from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import pytest
from sqlalchemy.dialects import sqlite

from storyworld.application.ports import Appended, IntegrityFailed, StorageFull, StorageUnavailable
from storyworld.store import statements, transactions
from storyworld.store.driver import Statement, Texts, Transaction
from storyworld.store.sql import SqlStore
from storyworld.store.sqlite import FILE_NAME, is_safe_to_share, library, open_sqlite
from tests.store.processes import WAIT_S, printed, start
from tests.store.stored import NOW, a_beat, a_session, hash_of

T = TypeVar("T")


def with_store(folder: Path, work: Callable[[SqlStore], Awaitable[T]]) -> T:
    """Open the database of a folder, do something and close it again."""

    async def whole() -> T:
        store = await open_sqlite(folder)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(whole())


async def begin(store: SqlStore) -> None:
    """A project `salt` with a session `ses`."""
    await store.create_project("salt", "Salt", NOW)
    await store.for_project("salt").create_session(a_session("ses"))


async def append(store: SqlStore, beat: int) -> Appended:
    """Append a beat to `ses`."""
    return await store.for_project("salt").append(
        "ses", expected_hash=hash_of("ses", beat - 1), new=a_beat("ses", beat, "ann")
    )


async def count(store: SqlStore) -> int:
    """How many beats `ses` has."""
    return len(await store.for_project("salt").beats("ses", 0, 999))


def test_what_was_stored_is_there_after_the_store_was_closed(tmp_path: Path) -> None:
    async def write(store: SqlStore) -> None:
        await begin(store)
        await append(store, 1)

    async def read(store: SqlStore) -> tuple[list[bytes], bytes]:
        beats = await store.for_project("salt").beats("ses", 0, 9)
        session = await store.for_project("salt").session("ses")
        assert session is not None
        return [beat.record for beat in beats], session.state

    folder = tmp_path / "a folder, 100% new" / "数据"
    with_store(folder, write)
    expected = [a_beat("ses", 0).record, a_beat("ses", 1).record]
    assert with_store(folder, read) == (expected, a_beat("ses", 1).state)
    assert folder.stat().st_mode & 0o077 == 0, "stories hold secrets"


def test_two_stores_of_one_folder_never_fork_a_session(tmp_path: Path) -> None:
    async def race(one: SqlStore) -> None:
        two = await open_sqlite(tmp_path)
        await begin(one)
        for beat in range(1, 21):
            outcomes = await asyncio.gather(append(one, beat), append(two, beat))
            assert sorted(outcomes) == [Appended.DONE, Appended.STALE_HEAD]
        assert await count(one) == await count(two) == 21
        await two.close()

    with_store(tmp_path, race)


def test_processes_that_write_at_once_wait_for_each_other(tmp_path: Path) -> None:
    script = """
import asyncio, sys
from pathlib import Path
from storyworld.application.ports import Appended
from storyworld.store.sqlite import open_sqlite
from tests.store.processes import WAIT_S, printed, start
from tests.store.stored import a_beat

async def main():
    store = await open_sqlite(Path(sys.argv[1]))
    project = store.for_project("salt")
    done = 0
    while done < 25:
        head = await project.session("ses")
        new = a_beat("ses", head.beat + 1)
        done += await project.append("ses", expected_hash=head.hash, new=new) is Appended.DONE
    await store.close()

asyncio.run(main())
"""
    with_store(tmp_path, begin)
    writers = [start(script, tmp_path) for _ in range(3)]
    for writer in writers:
        writer.communicate(timeout=WAIT_S)
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert with_store(tmp_path, count) == 76


def test_a_request_that_is_given_up_is_done_whole_or_not_at_all_and_leaves_no_lock(tmp_path: Path) -> None:
    async def give_up(store: SqlStore) -> None:
        await begin(store)
        for steps in range(30):
            before = await count(store)
            waiting = asyncio.ensure_future(append(store, before))
            for _ in range(steps):
                await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.wait([waiting])
            # The writer takes one at a time: when this is stored, the append that was given up has ended.
            assert await store.create_project(f"after {steps}", "", NOW)
            session = await store.for_project("salt").session("ses")
            assert session is not None
            assert session.beat + 1 == await count(store)
            assert await count(store) - before in (0, 1)

    with_store(tmp_path, give_up)


def test_what_reads_cannot_write(tmp_path: Path) -> None:
    async def read(store: SqlStore) -> None:
        with pytest.raises(StorageUnavailable, match="readonly"):
            await store._database.read(lambda transaction: transactions.create_project(transaction, "p", "", NOW))

    with_store(tmp_path, read)


def test_a_statement_that_is_wrong_is_a_bug_and_no_fault_of_the_database(tmp_path: Path) -> None:
    async def read(store: SqlStore) -> None:
        with pytest.raises(library().OperationalError, match="no such table"):
            await store._database.read(lambda transaction: transaction.cursor.execute("SELECT what FROM nowhere"))

    with_store(tmp_path, read)


def test_a_file_that_is_no_database_is_damaged(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"no database " * 1000)
    with pytest.raises(IntegrityFailed):
        with_store(tmp_path, begin)


def test_a_damaged_page_is_told_and_nothing_is_made_up(tmp_path: Path) -> None:
    async def write(store: SqlStore) -> None:
        await begin(store)
        for beat in range(1, 60):
            await append(store, beat)

    with_store(tmp_path, write)
    path = tmp_path / FILE_NAME
    damaged = bytearray(path.read_bytes())
    page_bytes = 4096
    for page in range(page_bytes, len(damaged), page_bytes):
        damaged[page : page + 16] = b"\xff" * 16
    path.write_bytes(damaged)
    with pytest.raises(IntegrityFailed):
        with_store(tmp_path, count)


def test_a_schema_that_is_no_text_is_damage(tmp_path: Path) -> None:
    with_store(tmp_path, begin)
    connection = library().connect(tmp_path / FILE_NAME)
    connection.execute("PRAGMA writable_schema=ON")
    connection.execute("UPDATE sqlite_schema SET sql = '', name = CAST(x'fffe' AS TEXT) WHERE name = 'seats'")
    connection.commit()
    connection.close()
    with pytest.raises(IntegrityFailed, match="a stored text is not UTF-8"):
        with_store(tmp_path, count)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("UPDATE sessions SET hash = CAST(x'ff' AS TEXT)", f"{FILE_NAME}: a stored text is not UTF-8$"),
        ("UPDATE sessions SET beat = 0", f"{FILE_NAME}: UNIQUE constraint failed: beats"),
    ],
)
def test_rows_that_no_storyworld_wrote_are_damage(tmp_path: Path, damage: str, said: str) -> None:
    async def write(store: SqlStore) -> None:
        await begin(store)
        await append(store, 1)
        await store._database.write(lambda transaction: transaction.cursor.execute(damage))
        with pytest.raises(IntegrityFailed, match=said):
            await store.for_project("salt").append("ses", expected_hash=hash_of("ses", 1), new=a_beat("ses", 1))

    with_store(tmp_path, write)


def test_when_there_is_no_room_reads_go_on_and_room_is_all_that_is_missing(tmp_path: Path) -> None:
    async def fill(store: SqlStore) -> None:
        async def append_all() -> None:
            for beat in range(1, 999):
                await append(store, beat)

        await begin(store)
        await bound(store, "page_count + 2 FROM pragma_page_count")
        with pytest.raises(StorageFull):
            await append_all()
        full = await count(store)
        assert full > 1
        session = await store.for_project("salt").session("ses")
        assert session is not None
        assert session.beat + 1 == full, "what found no room changed nothing"
        await bound(store, "999999")
        assert await append(store, full) is Appended.DONE

    async def bound(store: SqlStore, pages: str) -> None:
        def work(transaction: Transaction) -> None:
            transaction.cursor.execute(f"SELECT {pages}")
            [(count,)] = transaction.cursor.fetchall()
            transaction.cursor.execute(f"PRAGMA max_page_count={count}")

        await store._database.write(work)

    with_store(tmp_path, fill)


def test_a_folder_that_cannot_be_made_is_told_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageUnavailable, match="file/data"):
        with_store(tmp_path / "file" / "data", begin)


def test_a_database_that_cannot_be_opened_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(StorageUnavailable):
        with_store(tmp_path, begin)


def test_only_a_sqlite_without_the_fault_of_the_log_shares_its_file() -> None:
    safe = {
        version: is_safe_to_share(version) for version in [(3, 6, 23), (3, 7, 0), (3, 40, 1), (3, 51, 2), (3, 51, 3)]
    }
    assert list(safe.values()) == [True, False, False, False, True]


def test_another_sqlite_opens_the_file_for_itself_alone(tmp_path: Path) -> None:
    older = ModuleType("older")
    older.__dict__.update(vars(library()), sqlite_version_info=(3, 40, 1))

    async def open_two() -> None:
        alone = await open_sqlite(tmp_path, module=older)
        await begin(alone)
        with pytest.raises(StorageUnavailable, match="locked"):
            await open_sqlite(tmp_path)
        assert await append(alone, 1) is Appended.DONE
        await alone.close()
        again = await open_sqlite(tmp_path)
        assert await count(again) == 2
        await again.close()

    asyncio.run(open_two())


def test_where_there_is_no_wheel_the_sqlite_of_python_is_used() -> None:
    script = (
        "import sys; sys.modules['pysqlite3'] = None\nfrom storyworld.store.sqlite import library\nprint(library())"
    )
    assert printed(script).startswith(f"<module '{sqlite3.__name__}'")


def test_a_store_is_not_taken_along_into_a_forked_process(tmp_path: Path) -> None:
    script = """
import asyncio, os, sys, warnings
from pathlib import Path
from storyworld.store.sqlite import open_sqlite

store = asyncio.run(open_sqlite(Path(sys.argv[1])))
warnings.simplefilter("ignore")  # a newer Python warns of this very thing
if os.fork() == 0:
    try:
        asyncio.run(store.project("salt"))
    except AssertionError as error:
        print(error, flush=True)
    os._exit(0)
os.wait()
asyncio.run(store.close())
"""
    assert printed(script, tmp_path) == "a store is opened by the process that uses it\n"


async def plan_of(store: SqlStore, statement: Statement) -> list[str]:
    """How SQLite looks for the rows of a statement."""

    def explain(transaction: Transaction) -> list[str]:
        text = Texts(sqlite.dialect()).of(statement)
        transaction.cursor.execute(f"EXPLAIN QUERY PLAN {text.sql}", ("",) * len(text.parameters))
        return [detail for *_, detail in transaction.cursor.fetchall()]

    return await store._database.read(explain)


def test_what_a_role_remembers_is_found_by_its_key_alone(tmp_path: Path) -> None:
    steps = with_store(tmp_path, lambda store: plan_of(store, statements.SELECT_REMEMBERED))
    assert [step.split()[0] for step in steps] == ["SEARCH", "SEARCH"], steps
    assert "role_id=? AND beat<?" in steps[0], steps


def test_how_a_session_stands_is_found_by_its_keys_alone(tmp_path: Path) -> None:
    steps = with_store(tmp_path, lambda store: plan_of(store, statements.SELECT_STANDING))
    assert [step.split()[:2] for step in steps] == [["SEARCH", table] for table in ("sessions", "beats", "answers")]
    assert all("=?" in step for step in steps), steps
