"""Who may do what: keys, scopes and projects."""

from __future__ import annotations

from storyworld.core.errors.entry import Entry, Kind

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="key_unknown",
        kind=Kind.UNAUTHORIZED,
        message="The request bears no key that opens this.",
        message_zh="请求没有携带可用的密钥。",
        reason="A key is sent as `Authorization: Bearer` and works until it is revoked.",
        reason_zh="密钥以 `Authorization: Bearer` 发送，吊销之前一直有效。",
        remedy="Send a key of the project, or make one with `storyworld key create`.",
        remedy_zh="请发送该项目的密钥，或用 `storyworld key create` 新建一个。",
    ),
    Entry(
        code="scope_missing",
        kind=Kind.FORBIDDEN,
        message="The key may read; this takes one that may write.",
        message_zh="该密钥只能读取；此操作需要可写入的密钥。",
        reason="What changes something asks for the scope `write`.",
        reason_zh="会改变内容的操作需要 `write` 权限。",
        remedy="Send a key with the scope `write`.",
        remedy_zh="请发送带有 `write` 权限的密钥。",
    ),
    Entry(
        code="key_not_found",
        kind=Kind.NOT_FOUND,
        message="The project has no such key, or it was revoked before.",
        message_zh="项目没有这个密钥，或它已被吊销。",
        reason="Keys are found only through their own project, and are revoked once.",
        reason_zh="密钥只能通过其所属项目找到，且只能吊销一次。",
        remedy="Check the id in the list of keys.",
        remedy_zh="请在密钥列表中核对 id。",
    ),
)
