"""Bring a database to the tables of this version, in the transaction of whoever opens it.

Alembic is loaded only where there is something to do: an up-to-date database is told by one row.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from storyworld.application.ports import IntegrityFailed, SchemaTooNew
from storyworld.store.schema import SCHEMA_VERSION, metadata

MIGRATIONS: Final = Path(__file__).parent / "migrations"
_VERSION_TABLE = "alembic_version"
_VERSION_FORM = re.compile(r"(?!0000)[0-9]{4}")
_SELECT_VERSION = text("SELECT version_num FROM alembic_version")


def upgrade(connection: Connection) -> None:
    """Run the migrations that are missing. Leaves the database unchanged and raises SchemaTooNew for one of a later
    version, IntegrityFailed for one whose version and tables do not go together.
    """
    found = schema_version(connection)
    if found == SCHEMA_VERSION:
        return
    # Versions are numbers of the same width, so they compare as texts.
    if found is not None and found > SCHEMA_VERSION:
        raise SchemaTooNew(f"the database has schema {found}; this storyworld knows {SCHEMA_VERSION}. Use a newer one.")
    _migrate(connection)


def schema_version(connection: Connection) -> str | None:
    """The last migration that ran; None for a new database. Raises IntegrityFailed where it cannot be told."""
    tables = set(inspect(connection).get_table_names())
    versions = connection.scalars(_SELECT_VERSION).all() if _VERSION_TABLE in tables else []
    if not versions and tables.isdisjoint(metadata.tables):
        return None
    if len(versions) != 1 or not _VERSION_FORM.fullmatch(versions[0]):
        raise IntegrityFailed("the database has tables and does not say of which version they are")
    missing = sorted(metadata.tables.keys() - tables)
    if missing and versions[0] == SCHEMA_VERSION:
        raise IntegrityFailed(f"the database lacks the table {missing[0]}")
    return str(versions[0])


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    # The value is a format: a percent sign of the path stands for itself only when doubled.
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    command.upgrade(config, "head")
