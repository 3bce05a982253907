"""What each transaction on projects, keys and authored works does, as plain functions over an open one.

Each decides first and writes second, so that nothing has to be taken back: where it says no, it has changed nothing.
Rows that a decision rests on are read for update; a database with one writer has done so by beginning.
"""

from __future__ import annotations

from storyworld.application.ports import DraftPut, NewDraft, StoredKey, WorkKind
from storyworld.store import statements
from storyworld.store.driver import Transaction
from storyworld.store.statements import at


def create_project(transaction: Transaction, project_id: str, name: str, created_at: str) -> bool:
    """See `ports.store.Store.create_project`."""
    if transaction.first(statements.SELECT_PROJECT, at(project_id=project_id)) is not None:
        return False
    row = {"project_id": project_id, "name": name, "created_at": created_at}
    transaction.change(statements.INSERT_PROJECT, row | {"active_packages": 0, "active_worlds": 0})
    return True


def assert_project(transaction: Transaction, project_id: str) -> None:
    """Assert that there is such a project: whoever writes into one knows that it exists."""
    found = transaction.first(statements.SELECT_PROJECT, at(project_id=project_id))
    assert found is not None, "rows are written into a project that exists"


def put_key(transaction: Transaction, project_id: str, key: StoredKey) -> bool:
    """See `ports.access.Keys.put_key`."""
    if transaction.first(statements.SELECT_KEY, at(project_id=project_id, key_id=key.key_id)) is not None:
        return False
    assert_project(transaction, project_id)
    row = {
        "project_id": project_id,
        "key_id": key.key_id,
        "digest": key.digest,
        "scope": key.scope.value,
        "created_at": key.created_at,
        "revoked_at": key.revoked_at,
    }
    transaction.change(statements.INSERT_KEY, row)
    return True


def revoke_key(transaction: Transaction, project_id: str, key_id: str, revoked_at: str) -> bool:
    """See `ports.access.Keys.revoke_key`."""
    place = at(project_id=project_id, key_id=key_id)
    return transaction.change(statements.REVOKE_KEY, place | {"revoked_at": revoked_at}) == 1


def put_agent(transaction: Transaction, project_id: str, agent_id: str, content: bytes, created_at: str) -> int:
    """See `ports.works.Works.put_agent`."""
    place = at(project_id=project_id, agent_id=agent_id)
    before = transaction.first(statements.LOCK_AGENT, place)
    if before is not None:
        transaction.change(statements.UPDATE_AGENT, place | {"content": content})
        return int(before.revision) + 1
    assert_project(transaction, project_id)
    row = {"project_id": project_id, "agent_id": agent_id, "content": content, "created_at": created_at}
    transaction.change(statements.INSERT_AGENT, row | {"revision": 1})
    return 1


def delete_agent(transaction: Transaction, project_id: str, agent_id: str) -> bool:
    """See `ports.works.Works.delete_agent`."""
    return transaction.change(statements.DELETE_AGENT, at(project_id=project_id, agent_id=agent_id)) == 1


def create_work(
    transaction: Transaction, project_id: str, kind: WorkKind, work_id: str, created_at: str, draft: NewDraft | None
) -> bool:
    """See `ports.works.Works.create_work`."""
    place = at(project_id=project_id, kind=kind.value, work_id=work_id)
    if transaction.first(statements.SELECT_WORK, place) is not None:
        return True
    if transaction.change(statements.TAKE_PLACE[kind], at(project_id=project_id)) == 0:
        assert_project(transaction, project_id)
        return False
    row = {"project_id": project_id, "kind": kind.value, "work_id": work_id, "updated_at": created_at}
    etag = None if draft is None else draft.etag
    new = {"latest_revision": 0, "archived": 0, "created_at": created_at, "draft_etag": etag}
    transaction.change(statements.INSERT_WORK, {**row, **new})
    if draft is not None:
        transaction.change(statements.INSERT_DRAFT, {**row, "content": draft.content})
    return True


def set_archived(transaction: Transaction, project_id: str, kind: WorkKind, work_id: str, archived: bool) -> bool:
    """See `ports.works.Works.set_archived`."""
    place = at(project_id=project_id, kind=kind.value, work_id=work_id)
    work = transaction.first(statements.LOCK_WORK, place)
    if work is None:
        return False
    if bool(work.archived) is archived:
        return True
    counted = statements.LEAVE_PLACE[kind] if archived else statements.TAKE_PLACE[kind]
    if transaction.change(counted, at(project_id=project_id)) == 0:
        return False
    transaction.change(statements.ARCHIVE_WORK, place | {"archived": int(archived)})
    return True


def put_draft(
    transaction: Transaction,
    project_id: str,
    kind: WorkKind,
    work_id: str,
    draft: NewDraft,
    expected_etag: str | None,
    updated_at: str,
) -> DraftPut:
    """See `ports.works.Works.put_draft`. The etag is moved first; why it was not moved is asked only afterwards."""
    place = at(project_id=project_id, kind=kind.value, work_id=work_id)
    moved = {"expected_etag": expected_etag, "draft_etag": draft.etag, "updated_at": updated_at}
    if transaction.change(statements.MOVE_DRAFT, place | moved) == 0:
        unknown = transaction.first(statements.SELECT_WORK, place) is None
        return DraftPut.UNKNOWN if unknown else DraftPut.MISMATCH
    values: dict[str, object] = {"content": draft.content, "updated_at": updated_at}
    if expected_etag is None:
        row = {"project_id": project_id, "kind": kind.value, "work_id": work_id}
        transaction.change(statements.INSERT_DRAFT, row | values)
    else:
        transaction.change(statements.UPDATE_DRAFT, place | values)
    return DraftPut.SAVED


def add_revision(
    transaction: Transaction,
    project_id: str,
    kind: WorkKind,
    work_id: str,
    content: bytes,
    digest: str,
    created_at: str,
) -> int | None:
    """See `ports.works.Works.add_revision`."""
    place = at(project_id=project_id, kind=kind.value, work_id=work_id)
    numbered = transaction.first(statements.NUMBER_REVISION, place | {"updated_at": created_at})
    if numbered is None:
        return None
    number = int(numbered.latest_revision)
    row = {
        "project_id": project_id,
        "kind": kind.value,
        "work_id": work_id,
        "revision": number,
        "content": content,
        "digest": digest,
        "created_at": created_at,
    }
    transaction.change(statements.INSERT_REVISION, row)
    return number
