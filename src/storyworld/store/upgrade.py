"""Bring a database to the tables of this version, in the transaction of whoever opens it.

Alembic is loaded only where there is something to do: an up-to-date database is told by one row.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from storyworld.application.ports import SchemaTooNew
from storyworld.store.schema import SCHEMA_VERSION

MIGRATIONS: Final = Path(__file__).parent / "migrations"
_VERSION_TABLE = "alembic_version"
_SELECT_VERSION = text("SELECT version_num FROM alembic_version")


def upgrade(connection: Connection) -> None:
    """Run the migrations that are missing. Raises SchemaTooNew for a database of a later version, unchanged."""
    found = schema_version(connection)
    if found == SCHEMA_VERSION:
        return
    # Versions are numbers of the same width, so they compare as texts.
    if found is not None and found > SCHEMA_VERSION:
        raise SchemaTooNew(f"the database has schema {found}; this storyworld knows {SCHEMA_VERSION}. Use a newer one.")
    _migrate(connection)


def schema_version(connection: Connection) -> str | None:
    """The last migration that ran; None for a new database."""
    if not inspect(connection).has_table(_VERSION_TABLE):
        return None
    return connection.execute(_SELECT_VERSION).scalar_one_or_none()


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    # The value is a format: a percent sign of the path stands for itself only when doubled.
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    command.upgrade(config, "head")
