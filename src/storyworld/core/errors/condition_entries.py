"""Codes of one area: condition."""

from __future__ import annotations

from storyworld.core.errors.entry import Entry

ENTRIES: tuple[Entry, ...] = ()
