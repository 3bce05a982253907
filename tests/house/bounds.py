"""Where each limit is proven: the test that takes it at the bound and refuses it one over.

A limit of the registry stands in one of the two tables. A test may prove several limits; it names each of them, in its
own body or in a table of its file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PROVEN: Final[Mapping[str, str]] = {}

# Limits of what this version cannot be asked for yet, with what has to come first.
LATER: Final[Mapping[str, str]] = {
    "DELIBERATION_MAX_CANDIDATES": "deliberations are asked for over HTTP",
    "DELIBERATION_MAX_ROLES": "deliberations are asked for over HTTP",
    "IDEMPOTENCY_KEY_MAX_CHARS": "keys come with HTTP requests",
    "REQUEST_MAX_BYTES": "bodies come with HTTP requests",
    "SCRIPT_DRAFT_MAX_BEATS": "script drafts come with the screenplay formats",
    "SCRIPT_IMPORT_MAX_CHARS": "scripts are read with a model's help once there are real models",
}
