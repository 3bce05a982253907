"""Every statement, by name. They are the same on every database, and each finds its rows project first.

They are built once: what differs from call to call is a parameter. `at_x` is the place of a row, `x` what is put there.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Select, Table, Update, and_, bindparam, insert, select, update

from storyworld.application.ports import WorkKind
from storyworld.store.caps import ACTIVE_MAX
from storyworld.store.schema import AGENTS, ANSWERS, BEATS, EVENTS, PROJECTS, REVISIONS, SEATS, SESSIONS, WORKS


def _at(table: Table, *names: str) -> ColumnElement[bool]:
    """The rows whose project and named columns are those of the place."""
    return and_(*(table.c[name] == bindparam(f"at_{name}") for name in ("project_id", *names)))


def at(**values: object) -> dict[str, object]:
    """The parameters of a place."""
    return {f"at_{name}": value for name, value in values.items()}


def _with_beat(table: Table) -> ColumnElement[bool]:
    """What joins the row of a beat to a table that names it."""
    return and_(*(BEATS.c[name] == table.c[name] for name in ("project_id", "session_id", "beat")))


def _page(rows: Select[Any], id_column: Column[Any]) -> Select[Any]:
    """Up to `page_limit` rows in the order of their ids, after `page_after`; the empty text stands before every id."""
    after = id_column > bindparam("page_after")
    return rows.where(after).order_by(id_column).limit(bindparam("page_limit"))


INSERT_PROJECT: Final = insert(PROJECTS)
SELECT_PROJECT: Final = select(PROJECTS.c.project_id).where(_at(PROJECTS))
SELECT_PROJECT_IDS: Final = select(PROJECTS.c.project_id).order_by(PROJECTS.c.project_id)

INSERT_AGENT: Final = insert(AGENTS)
SELECT_AGENT: Final = select(AGENTS).where(_at(AGENTS, "agent_id"))
LOCK_AGENT: Final = SELECT_AGENT.with_for_update()
UPDATE_AGENT: Final = (
    update(AGENTS).where(_at(AGENTS, "agent_id")).values(content=bindparam("content"), revision=AGENTS.c.revision + 1)
)

_ACTIVE: Final[Mapping[WorkKind, Column[Any]]] = MappingProxyType(
    {WorkKind.PACKAGE: PROJECTS.c.active_packages, WorkKind.WORLD: PROJECTS.c.active_worlds}
)


def _take_place(kind: WorkKind) -> Update:
    """Count one more active; changes no row where there is no place left. A race for the last one is decided here."""
    counter = _ACTIVE[kind]
    return update(PROJECTS).where(_at(PROJECTS), counter < ACTIVE_MAX[kind]).values({counter: counter + 1})


def _leave_place(kind: WorkKind) -> Update:
    counter = _ACTIVE[kind]
    return update(PROJECTS).where(_at(PROJECTS)).values({counter: counter - 1})


TAKE_PLACE: Final[Mapping[WorkKind, Update]] = MappingProxyType({kind: _take_place(kind) for kind in WorkKind})
LEAVE_PLACE: Final[Mapping[WorkKind, Update]] = MappingProxyType({kind: _leave_place(kind) for kind in WorkKind})

INSERT_WORK: Final = insert(WORKS)
SELECT_WORK: Final = select(WORKS).where(_at(WORKS, "kind", "work_id"))
SELECT_WORKS: Final = _page(select(WORKS).where(_at(WORKS, "kind")), WORKS.c.work_id)
LOCK_WORK: Final = SELECT_WORK.with_for_update()
ARCHIVE_WORK: Final = update(WORKS).where(_at(WORKS, "kind", "work_id")).values(archived=bindparam("archived"))
NUMBER_REVISION: Final = (
    update(WORKS)
    .where(_at(WORKS, "kind", "work_id"))
    .values(latest_revision=WORKS.c.latest_revision + 1)
    .returning(WORKS.c.latest_revision)
)
INSERT_REVISION: Final = insert(REVISIONS)
SELECT_REVISION: Final = select(REVISIONS).where(_at(REVISIONS, "kind", "work_id", "revision"))

INSERT_ANSWER: Final = insert(ANSWERS)
SELECT_ANSWER: Final = select(ANSWERS).where(_at(ANSWERS, "session_id", "key"))

# A session whose last beat is missing is damaged; it is still there to be told so.
_HEADS: Final = select(SESSIONS, BEATS.c.record).outerjoin(BEATS, _with_beat(SESSIONS))
INSERT_SESSION: Final = insert(SESSIONS)
SELECT_SESSION: Final = _HEADS.where(_at(SESSIONS, "session_id"))
# One row for all that a beat is judged by. A key that is None has no answer.
SELECT_STANDING: Final = (
    _HEADS.add_columns(
        ANSWERS.c.key.label("answer_key"),
        ANSWERS.c.body_digest.label("answer_digest"),
        ANSWERS.c.beat.label("answer_beat"),
    )
    .outerjoin(ANSWERS, _at(ANSWERS, "session_id", "key"))
    .where(_at(SESSIONS, "session_id"))
)
SELECT_SESSIONS: Final = _page(_HEADS.where(_at(SESSIONS)), SESSIONS.c.session_id)
SELECT_BRANCH: Final = select(
    SESSIONS.c.session_id, SESSIONS.c.beat, SESSIONS.c.parent_id, SESSIONS.c.parent_beat
).where(_at(SESSIONS, "session_id"))
# A beat may be appended where the head is the one that it was made on and its key has no answer. That is decided where
# the head is moved; why it was not moved is asked afterwards.
MOVE_HEAD: Final = (
    update(SESSIONS)
    .where(
        _at(SESSIONS, "session_id", "beat", "hash"),
        SESSIONS.c.status == "active",
        ~SELECT_ANSWER.exists(),
    )
    .values(
        hash=bindparam("hash"),
        beat=bindparam("beat"),
        state=bindparam("state"),
        status=bindparam("status"),
        episode_runs=SESSIONS.c.episode_runs + bindparam("runs_started"),
    )
)

INSERT_BEAT: Final = insert(BEATS)
SELECT_BEATS: Final = (
    select(BEATS)
    .where(_at(BEATS, "session_id"), BEATS.c.beat.between(bindparam("first"), bindparam("last")))
    .order_by(BEATS.c.beat)
)

INSERT_SEATS: Final = insert(SEATS)
SELECT_REMEMBERED: Final = (
    select(BEATS.c.record)
    .select_from(SEATS.join(BEATS, _with_beat(SEATS)))
    .where(_at(SEATS, "session_id", "role_id"), SEATS.c.beat <= bindparam("last"))
    .order_by(SEATS.c.beat.desc())
    .limit(bindparam("beats_max"))
)

INSERT_EVENT: Final = insert(EVENTS)
SELECT_EVENT: Final = select(EVENTS).where(_at(EVENTS, "session_id", "event_id"), EVENTS.c.beat <= bindparam("last"))
