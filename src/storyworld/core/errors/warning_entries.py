"""Codes of one area: warning."""

from __future__ import annotations

from storyworld.core.errors.entry import Entry

ENTRIES: tuple[Entry, ...] = ()
