"""A link of a document leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

from tests.house.sources import REPOSITORY

LINK = re.compile(r"\[[^\]]*\]\((?![a-z]+://|#)([^)#\s]+)")


def broken_links(document: Path) -> list[str]:
    """The relative links of a Markdown file whose target is not there."""
    targets = LINK.findall(document.read_text("utf-8"))
    return [f"{document.name}: {target}" for target in targets if not (document.parent / target).exists()]


def test_every_link_leads_somewhere() -> None:
    documents = [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")]
    assert [fault for document in sorted(documents) for fault in broken_links(document)] == []


def test_a_link_to_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("[b](b.md) [a](a.md#x) [out](https://example.org/c.md) [here](#d)", "utf-8")
    assert broken_links(tmp_path / "a.md") == ["a.md: b.md"]
