"""What the product writes about itself is what lies in `docs/`."""

from __future__ import annotations

from tools.generate_docs import DOCS, documents
from tools.pages import stale


def test_no_generated_document_is_stale() -> None:
    assert stale(DOCS, documents()) == [], "run `make docs`"
