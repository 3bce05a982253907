from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import UniqueConstraint

from storyworld.application.ports import IntegrityFailed, SchemaTooNew, Store
from storyworld.store.schema import SCHEMA_VERSION, metadata
from storyworld.store.sqlite import FILE_NAME, open_sqlite
from storyworld.store.upgrade import MIGRATIONS
from tests.store.older import engine_of
from tests.store.processes import WAIT_S, printed, start

# Opens a folder, then tells whether the migrations were loaded.
OPEN = """
import asyncio, sys
from pathlib import Path
from storyworld.store.sqlite import open_sqlite

async def main():
    store = await open_sqlite(Path(sys.argv[1]))
    await store.close()

asyncio.run(main())
print("alembic" in sys.modules)
"""


def opened_and_closed(folder: Path) -> None:
    """Open the database of a folder once."""

    async def whole() -> None:
        store: Store = await open_sqlite(folder)
        await store.close()

    asyncio.run(whole())


def tables(path: Path) -> dict[str, tuple[list[str], str]]:
    """Every table and index of a file with the parts of the statement that makes it, and what stands after them; the
    table of the migrations is their own. The columns are told in their order, then whatever else is declared.
    """
    engine = engine_of(path)
    with engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").all()
    engine.dispose()
    return {row.name: declared(row.sql) for row in rows if row.name != "alembic_version"}


def declared(statement: str) -> tuple[list[str], str]:
    """The parts of a statement. A column that was added to a table stands behind what it was created with."""
    _, _, body = statement.partition("(")
    body, _, options = body.rpartition(")")
    parts = [" ".join(part.split()) for part in re.split(r",(?![^(]*\))", body)]
    others = sorted(part for part in parts if part.split()[0] in ("PRIMARY", "UNIQUE", "FOREIGN", "CONSTRAINT"))
    return [part for part in parts if part not in others] + others, options.strip()


def test_the_migrations_lead_to_the_very_tables_of_the_schema(tmp_path: Path) -> None:
    opened_and_closed(tmp_path)
    at_once = engine_of(tmp_path / "at once.db")
    metadata.create_all(at_once)
    at_once.dispose()
    assert tables(tmp_path / FILE_NAME) == tables(tmp_path / "at once.db")
    assert len(tables(tmp_path / FILE_NAME)) == len(metadata.tables)


def test_the_schema_is_that_of_the_last_migration_and_the_numbers_have_no_gap() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)
    assert script.get_current_head() == SCHEMA_VERSION
    numbers = sorted(revision.revision for revision in script.walk_revisions())
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]


def test_every_primary_key_begins_with_the_project() -> None:
    firsts = {name: next(column.name for column in table.primary_key) for name, table in metadata.tables.items()}
    assert set(firsts.values()) == {"project_id"}


def test_every_other_unique_key_begins_with_the_project() -> None:
    uniques = [each for table in metadata.tables.values() for each in table.constraints]
    firsts = {next(iter(each.columns)).name for each in uniques if isinstance(each, UniqueConstraint)}
    assert firsts == {"project_id"}


def test_a_database_of_a_newer_storyworld_is_refused_and_left_alone(tmp_path: Path) -> None:
    opened_and_closed(tmp_path)
    engine = engine_of(tmp_path / FILE_NAME)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    before = tables(tmp_path / FILE_NAME)
    with pytest.raises(SchemaTooNew, match="9999"):
        opened_and_closed(tmp_path)
    assert tables(tmp_path / FILE_NAME) == before


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("DELETE FROM alembic_version", "does not say of which version"),
        ("DROP TABLE alembic_version", "does not say of which version"),
        ("INSERT INTO alembic_version VALUES ('0003')", "does not say of which version"),
        ("UPDATE alembic_version SET version_num = '0000'", "does not say of which version"),
        ("UPDATE alembic_version SET version_num = 'newest'", "does not say of which version"),
        ("DROP TABLE seats", "lacks the table seats"),
    ],
)
def test_a_database_whose_version_and_tables_do_not_go_together_is_damaged_and_left_alone(
    tmp_path: Path, damage: str, said: str
) -> None:
    opened_and_closed(tmp_path)
    engine = engine_of(tmp_path / FILE_NAME)
    with engine.begin() as connection:
        connection.exec_driver_sql(damage)
    engine.dispose()
    before = tables(tmp_path / FILE_NAME)
    with pytest.raises(IntegrityFailed, match=said):
        opened_and_closed(tmp_path)
    assert tables(tmp_path / FILE_NAME) == before


def test_an_up_to_date_database_is_opened_without_loading_the_migrations(tmp_path: Path) -> None:
    assert [printed(OPEN, tmp_path) for _ in range(2)] == ["True\n", "False\n"]


def test_processes_that_open_a_new_folder_at_once_all_succeed(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    openers = [start(OPEN, folder) for _ in range(4)]
    for opener in openers:
        opener.communicate(timeout=WAIT_S)
    assert [opener.returncode for opener in openers] == [0] * 4
    assert tables(folder / FILE_NAME).keys() == metadata.tables.keys()
