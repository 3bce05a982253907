"""The tables, declared once for every database. Migrations lead to exactly these.

Every primary key begins with the project, so that rows of one project are reached through it and may live on one shard.
What is hashed is stored as bytes, never as text or JSON that a database might write in another way. Ids compare byte by
byte on every database.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)

SCHEMA_VERSION: Final = "0001"
"""The migration that leads to the tables below."""

metadata: Final = MetaData()

_ID = Text().with_variant(Text(collation="C"), "postgresql")
_NUMBER = Integer().with_variant(BigInteger(), "postgresql")


def _id(name: str, *, nullable: bool = False) -> Column[str]:
    return Column(name, _ID, nullable=nullable)


def _number(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, _NUMBER, nullable=nullable)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _bytes(name: str) -> Column[bytes]:
    return Column(name, LargeBinary, nullable=False)


PROJECTS: Final = Table(
    "projects",
    metadata,
    _id("project_id"),
    _text("name"),
    # How many are active is counted here, so that one guarded update decides a race for the last place.
    _number("active_packages"),
    _number("active_worlds"),
    _text("created_at"),
    PrimaryKeyConstraint("project_id"),
    sqlite_strict=True,
)

AGENTS: Final = Table(
    "agents",
    metadata,
    _id("project_id"),
    _id("agent_id"),
    _number("revision"),
    _bytes("content"),
    _text("created_at"),
    PrimaryKeyConstraint("project_id", "agent_id"),
    ForeignKeyConstraint(["project_id"], ["projects.project_id"]),
    sqlite_strict=True,
)

WORKS: Final = Table(
    "works",
    metadata,
    _id("project_id"),
    _text("kind"),
    _id("work_id"),
    _number("latest_revision"),  # 0 before the first
    _number("archived"),
    _text("created_at"),
    PrimaryKeyConstraint("project_id", "kind", "work_id"),
    ForeignKeyConstraint(["project_id"], ["projects.project_id"]),
    CheckConstraint("kind IN ('package', 'world')", name="kind_is_known"),
    CheckConstraint("archived IN (0, 1)", name="archived_or_not"),
    sqlite_strict=True,
)

REVISIONS: Final = Table(
    "revisions",
    metadata,
    _id("project_id"),
    _text("kind"),
    _id("work_id"),
    _number("revision"),
    _text("digest"),
    _text("created_at"),
    _bytes("content"),
    PrimaryKeyConstraint("project_id", "kind", "work_id", "revision"),
    ForeignKeyConstraint(["project_id", "kind", "work_id"], ["works.project_id", "works.kind", "works.work_id"]),
    sqlite_strict=True,
)

SESSIONS: Final = Table(
    "sessions",
    metadata,
    _id("project_id"),
    _id("session_id"),
    _id("world_id"),
    _number("world_revision"),
    _number("seed"),
    _text("status"),
    _number("beat"),
    _text("hash"),
    _number("episode_runs"),
    _id("parent_id", nullable=True),
    _number("parent_beat", nullable=True),
    Column("parent_hash", Text),
    _text("created_at"),
    _bytes("state"),
    PrimaryKeyConstraint("project_id", "session_id"),
    ForeignKeyConstraint(["project_id"], ["projects.project_id"]),
    ForeignKeyConstraint(["project_id", "parent_id"], ["sessions.project_id", "sessions.session_id"]),
    CheckConstraint("status IN ('active', 'ended')", name="status_is_known"),
    sqlite_strict=True,
)

BEATS: Final = Table(
    "beats",
    metadata,
    _id("project_id"),
    _id("session_id"),
    _number("beat"),
    _text("hash"),
    _text("created_at"),
    _bytes("record"),
    _bytes("replies"),
    PrimaryKeyConstraint("project_id", "session_id", "beat"),
    ForeignKeyConstraint(["project_id", "session_id"], ["sessions.project_id", "sessions.session_id"]),
    sqlite_strict=True,
)

# The role stands before the beat: the last beats that a role heard lie side by side, however long the history is.
SEATS: Final = Table(
    "seats",
    metadata,
    _id("project_id"),
    _id("session_id"),
    _id("role_id"),
    _number("beat"),
    PrimaryKeyConstraint("project_id", "session_id", "role_id", "beat"),
    ForeignKeyConstraint(["project_id", "session_id", "beat"], ["beats.project_id", "beats.session_id", "beats.beat"]),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)


def _once(name: str, key: str) -> Table:
    """A table of what must happen only once in a session: the key, the digest of its body, the beat it led to."""
    return Table(
        name,
        metadata,
        _id("project_id"),
        _id("session_id"),
        _id(key),
        _text("body_digest"),
        _number("beat"),
        PrimaryKeyConstraint("project_id", "session_id", key),
        ForeignKeyConstraint(
            ["project_id", "session_id", "beat"], ["beats.project_id", "beats.session_id", "beats.beat"]
        ),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


ANSWERS: Final = _once("answers", "key")
EVENTS: Final = _once("events", "event_id")
