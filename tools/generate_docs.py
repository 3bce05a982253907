"""Write the documents that the product writes about itself: `python -m tools.generate_docs`, or `make docs`.

A house test compares what lies in `docs/` with what this writes. The pages of limits come from the registry of limits,
the page of errors from the catalogue, the page of commands from the help texts of the command line, the page of
settings from their declarations, and the OpenAPI document from the table of operations.
"""

from __future__ import annotations

import json
from pathlib import Path

from storyworld.api.openapi import openapi_document
from storyworld.api.operations import TABLE
from storyworld.cli import main
from storyworld.core.errors import CATALOGUE
from storyworld.core.limits.page import limits_page
from storyworld.settings import SETTINGS
from tools.pages import commands_page, errors_page, settings_page, stale

DOCS = Path(__file__).resolve().parents[1] / "docs"


def documents() -> dict[str, str]:
    """Every generated document: its name in `docs/` and its text."""
    return {
        "limits.md": limits_page("en"),
        "limits.zh-CN.md": limits_page("zh"),
        "errors.md": errors_page(CATALOGUE),
        "cli.md": commands_page(main),
        "settings.md": settings_page(SETTINGS),
        "openapi.json": json.dumps(openapi_document(TABLE), ensure_ascii=False, indent=1) + "\n",
    }


def write() -> None:
    """Write what is stale and say its name."""
    wanted = documents()
    for name in stale(DOCS, wanted):
        (DOCS / name).write_text(wanted[name], "utf-8")
        print(f"docs/{name}")


if __name__ == "__main__":
    write()
