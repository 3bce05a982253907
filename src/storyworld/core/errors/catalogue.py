"""Every code of the product, by code. Each area's entries stand in a file of their own; a code belongs to one area."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from storyworld.core.errors import (
    access_entries,
    casting_entries,
    condition_entries,
    content_entries,
    json_entries,
    operation_entries,
    refusal_entries,
    reply_entries,
    request_entries,
    script_entries,
    skip_entries,
    warning_entries,
    work_entries,
)
from storyworld.core.errors.entry import Entry


def _gather(areas: Iterable[tuple[Entry, ...]]) -> Mapping[str, Entry]:
    found: dict[str, Entry] = {}
    for area in areas:
        for entry in area:
            assert entry.code not in found, f"the code {entry.code} is declared twice"
            found[entry.code] = entry
    return MappingProxyType(found)


CATALOGUE: Mapping[str, Entry] = _gather(
    module.ENTRIES
    for module in (
        json_entries,
        content_entries,
        condition_entries,
        casting_entries,
        warning_entries,
        operation_entries,
        skip_entries,
        reply_entries,
        refusal_entries,
        script_entries,
        request_entries,
        access_entries,
        work_entries,
    )
)
