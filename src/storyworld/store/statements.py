"""Every statement, by name. They are the same on every database, and each finds its rows project first.

They are built once: what differs from call to call is a parameter. `at_x` is the place of a row, `x` what is put there.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Integer,
    Select,
    Table,
    Text,
    Update,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    select,
    update,
)

from storyworld.application.ports import WorkKind
from storyworld.store.caps import ACTIVE_MAX
from storyworld.store.schema import (
    AGENTS,
    ANSWERS,
    BEATS,
    DELIBERATIONS,
    DRAFTS,
    EVENTS,
    KEYS,
    OUTCOMES,
    PROJECTS,
    REVISIONS,
    RUNS,
    SEATS,
    SESSIONS,
    WORKS,
)


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
    """Up to `page_limit` rows in the order of their ids or numbers, after `page_after`. The empty text stands before
    every id, and 0 before every number.
    """
    after = id_column > bindparam("page_after")
    return rows.where(after).order_by(id_column).limit(bindparam("page_limit"))


INSERT_PROJECT: Final = insert(PROJECTS)
SELECT_PROJECT: Final = select(PROJECTS).where(_at(PROJECTS))
SELECT_PROJECTS: Final = _page(select(PROJECTS), PROJECTS.c.project_id)

INSERT_KEY: Final = insert(KEYS)
SELECT_KEY: Final = select(KEYS).where(_at(KEYS, "key_id"))
SELECT_KEYS: Final = _page(select(KEYS).where(_at(KEYS)), KEYS.c.key_id)
REVOKE_KEY: Final = (
    update(KEYS).where(_at(KEYS, "key_id"), KEYS.c.revoked_at.is_(None)).values(revoked_at=bindparam("revoked_at"))
)

INSERT_AGENT: Final = insert(AGENTS)
SELECT_AGENT: Final = select(AGENTS).where(_at(AGENTS, "agent_id"))
SELECT_AGENTS: Final = _page(select(AGENTS).where(_at(AGENTS)), AGENTS.c.agent_id)
DELETE_AGENT: Final = delete(AGENTS).where(_at(AGENTS, "agent_id"))
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
    .values(latest_revision=WORKS.c.latest_revision + 1, updated_at=bindparam("updated_at"))
    .returning(WORKS.c.latest_revision)
)
INSERT_REVISION: Final = insert(REVISIONS)
SELECT_REVISION: Final = select(REVISIONS).where(_at(REVISIONS, "kind", "work_id", "revision"))

SELECT_REVISIONS: Final = _page(
    select(
        REVISIONS.c.work_id,
        REVISIONS.c.revision,
        REVISIONS.c.digest,
        func.length(REVISIONS.c.content).label("size_bytes"),
        REVISIONS.c.created_at,
    ).where(_at(REVISIONS, "kind", "work_id")),
    REVISIONS.c.revision,
)

# Of writers that expect the same etag (None: no draft) exactly one changes a row here.
MOVE_DRAFT: Final = (
    update(WORKS)
    .where(_at(WORKS, "kind", "work_id"), WORKS.c.draft_etag.is_not_distinct_from(bindparam("expected_etag")))
    .values(draft_etag=bindparam("draft_etag"), updated_at=bindparam("updated_at"))
)
INSERT_DRAFT: Final = insert(DRAFTS)
UPDATE_DRAFT: Final = (
    update(DRAFTS)
    .where(_at(DRAFTS, "kind", "work_id"))
    .values(content=bindparam("content"), updated_at=bindparam("updated_at"))
)
SELECT_DRAFT: Final = (
    select(DRAFTS, WORKS.c.draft_etag)
    .join(WORKS, and_(*(DRAFTS.c[name] == WORKS.c[name] for name in ("project_id", "kind", "work_id"))))
    .where(_at(DRAFTS, "kind", "work_id"))
)

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
        tokens_spent=SESSIONS.c.tokens_spent + bindparam("tokens"),
    )
)
SPEND_TOKENS: Final = (
    update(SESSIONS)
    .where(_at(SESSIONS, "session_id"))
    .values(tokens_spent=SESSIONS.c.tokens_spent + bindparam("tokens"))
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

# The head was moved before: the number of the run that starts is the count of runs in it.
INSERT_RUN: Final = insert(RUNS).values(
    project_id=bindparam("project_id"),
    session_id=bindparam("session_id"),
    number=select(SESSIONS.c.episode_runs).where(_at(SESSIONS, "session_id")).scalar_subquery(),
    run_id=bindparam("run_id"),
    episode_id=bindparam("episode_id"),
    first_beat=bindparam("first_beat"),
)
END_RUN: Final = update(RUNS).where(_at(RUNS, "session_id", "run_id")).values(last_beat=bindparam("last_beat"))
# What a fork at `fork_beat` has of the runs of its parent. One that ended later goes on in the fork.
INHERIT_RUNS: Final = insert(RUNS).from_select(
    ["project_id", "session_id", "number", "run_id", "episode_id", "first_beat", "last_beat"],
    select(
        RUNS.c.project_id,
        bindparam("fork_id", type_=Text),
        RUNS.c.number,
        RUNS.c.run_id,
        RUNS.c.episode_id,
        RUNS.c.first_beat,
        case((RUNS.c.last_beat <= bindparam("fork_beat", type_=Integer), RUNS.c.last_beat)),
    ).where(_at(RUNS, "session_id"), RUNS.c.first_beat <= bindparam("fork_beat", type_=Integer)),
)
SELECT_RUN: Final = select(RUNS).where(_at(RUNS, "session_id", "run_id"))
SELECT_RUNS: Final = _page(select(RUNS).where(_at(RUNS, "session_id")), RUNS.c.number)

INSERT_DELIBERATION: Final = insert(DELIBERATIONS)
INSERT_OUTCOMES: Final = insert(OUTCOMES)
_SUMMARIES: Final = select(
    DELIBERATIONS.c.deliberation_id,
    DELIBERATIONS.c.after_beat,
    DELIBERATIONS.c.after_hash,
    DELIBERATIONS.c.committed_beat,
    DELIBERATIONS.c.created_at,
    SESSIONS.c.hash,
).join(SESSIONS, and_(*(DELIBERATIONS.c[name] == SESSIONS.c[name] for name in ("project_id", "session_id"))))
SELECT_DELIBERATION: Final = _SUMMARIES.add_columns(DELIBERATIONS.c.request).where(
    _at(DELIBERATIONS, "session_id", "deliberation_id")
)
SELECT_DELIBERATIONS: Final = _page(_SUMMARIES.where(_at(DELIBERATIONS, "session_id")), DELIBERATIONS.c.deliberation_id)
SELECT_OUTCOMES: Final = select(OUTCOMES.c.candidate, OUTCOMES.c.outcome).where(
    _at(OUTCOMES, "session_id", "deliberation_id")
)
COMMIT_DELIBERATION: Final = (
    update(DELIBERATIONS)
    .where(_at(DELIBERATIONS, "session_id", "deliberation_id", "after_hash"))
    .values(committed_beat=bindparam("committed_beat"))
)
