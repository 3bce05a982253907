"""Databases as an older storyworld has left them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, text

from storyworld.application.ports import StoredAnswer
from storyworld.store.memory import MemoryStore
from storyworld.store.memory_sessions import SessionRows
from storyworld.store.sqlite import FILE_NAME, library
from storyworld.store.upgrade import MIGRATIONS

Row = Mapping[str, Any]


def engine_of(path: Path) -> Engine:
    """A plain engine for a file."""
    return create_engine(f"sqlite:///{path}", module=library())


def write_0001(folder: Path, project_id: str, store: MemoryStore) -> None:
    """Make a database of version 0001 in a folder, with what a store in memory has of a project."""
    engine = engine_of(folder / FILE_NAME)
    with engine.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS))
        config.set_main_option("path_separator", "os")
        command.upgrade(config, "0001")
        for table, row in _rows_0001(project_id, store):
            _insert(connection, table, row)
    engine.dispose()


def _insert(connection: Connection, table: str, row: Row) -> None:
    names, values = ", ".join(row), ", ".join(f":{name}" for name in row)
    connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({values})"), row)


def _rows_0001(project_id: str, store: MemoryStore) -> Iterator[tuple[str, Row]]:
    """Each row with the table that it goes into, rows that others refer to first."""
    rows = store._projects[project_id]
    project, told = {"project_id": project_id}, rows.told()
    counts = {"active_packages": told.active_packages, "active_worlds": told.active_worlds}
    yield "projects", {**project, **counts, "name": told.name, "created_at": told.created_at}
    for agent in rows.agents.values():
        more = {"revision": agent.revision, "content": agent.content, "created_at": agent.created_at}
        yield "agents", {**project, **more, "agent_id": agent.agent_id}
    for work in rows.works.values():
        place = {**project, "kind": work.kind.value, "work_id": work.work_id}
        more = {"latest_revision": work.latest_revision or 0, "archived": int(work.archived)}
        yield "works", {**place, **more, "created_at": work.created_at}
        for stored in rows.revisions.get((work.kind, work.work_id), []):
            more = {"revision": stored.revision, "digest": stored.digest, "content": stored.content}
            yield "revisions", {**place, **more, "created_at": stored.created_at}
    for session in rows.sessions.values():
        yield from _session_0001(project, session)


def _session_0001(project: Row, rows: SessionRows) -> Iterator[tuple[str, Row]]:
    head, fork = rows.head, rows.head.forked_from
    place = {**project, "session_id": head.session_id}
    names = ("world_id", "world_revision", "seed", "status", "beat", "hash", "episode_runs", "created_at", "state")
    parent = {
        "parent_id": None if fork is None else fork.session_id,
        "parent_beat": None if fork is None else fork.beat,
        "parent_hash": None if fork is None else fork.hash,
    }
    yield "sessions", {**place, **parent, **{name: getattr(head, name) for name in names}}
    for beat in rows.beats:
        more = {"beat": beat.beat, "hash": beat.hash, "record": beat.record, "replies": beat.replies}
        yield "beats", {**place, **more, "created_at": head.created_at}
    for role_id, beats in rows.seats.items():
        for number in beats:
            yield "seats", {**place, "role_id": role_id, "beat": number}
    for once in rows.answers.values():
        yield "answers", {**place, **_once(once), "key": once.key}
    for once in rows.events.values():
        yield "events", {**place, **_once(once), "event_id": once.key}


def _once(once: StoredAnswer) -> Row:
    return {"body_digest": once.body_digest, "beat": once.beat}
