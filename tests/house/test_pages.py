"""The pages that the product writes about itself, over small catalogues and commands."""

from __future__ import annotations

from pathlib import Path

import click

from storyworld.core.errors import Entry, Kind
from tools.pages import commands_page, errors_page, stale


def test_a_document_that_is_missing_or_differs_is_found(tmp_path: Path) -> None:
    (tmp_path / "same.md").write_text("a\n", "utf-8")
    (tmp_path / "old.md").write_text("a\n", "utf-8")
    assert stale(tmp_path, {"same.md": "a\n", "old.md": "b\n", "new.md": "c\n"}) == ["old.md", "new.md"]


def test_the_page_of_errors_shows_both_languages_and_no_markup() -> None:
    entry = Entry(
        "too_loud", Kind.LIMIT, "{field} <b>", "{field}太吵", "It is late.", "夜深了。", "Whisper.", "小声些。"
    )
    page = errors_page({"too_loud": entry})
    assert (
        "### too_loud\n\n- {field} &lt;b>\n  It is late.\n  Whisper.\n- {field}太吵\n  夜深了。\n  小声些。\n" in page
    )
    assert "(`limit`)" in page
    assert "(`content`)" not in page


def test_the_page_of_commands_shows_every_command_that_is_not_hidden() -> None:
    shown = click.Command("play", help="Play it.")
    page = commands_page(click.Group("storyworld", commands=[shown, click.Command("inner", hidden=True)]))
    assert "## storyworld\n" in page
    assert "### storyworld play\n\n```text\nUsage: storyworld play [OPTIONS]\n\n  Play it.\n" in page
    assert "inner" not in page
