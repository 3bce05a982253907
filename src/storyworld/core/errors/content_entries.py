"""Codes of one area: content."""

from __future__ import annotations

from storyworld.core.errors.entry import Entry

ENTRIES: tuple[Entry, ...] = ()
