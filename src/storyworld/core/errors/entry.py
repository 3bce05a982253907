"""What an error is: a catalogue entry with a code, a kind, a wording and a remedy, in English and Chinese.

Wording order: where, what was found, what is allowed; then why (`reason`) and what to do (`remedy`). A wording never
holds an offending text, only ids, counts, types and limits. The core names kinds; the API maps them to statuses and the
command line to exit codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What sort of thing went wrong, for whoever has to answer it."""

    CONTENT = "content"  # what was sent cannot be taken
    LIMIT = "limit"  # what was sent is over a limit
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"  # it cannot be done now
    MISMATCH = "mismatch"  # a key or event id came back with another body
    UNAUTHORIZED = "unauthorized"  # no key opens this
    FORBIDDEN = "forbidden"  # the key allows less
    PRECONDITION = "precondition"  # what was to be replaced is not what was expected
    PRECONDITION_MISSING = "precondition_missing"  # it has to be said what is to be replaced
    BODY_TOO_LARGE = "body_too_large"
    MEDIA_TYPE = "media_type"  # the body comes in another form than JSON
    METHOD = "method"
    MODEL = "model"  # no model gave a line
    TIMEOUT = "timeout"
    BUSY = "busy"
    STORAGE = "storage"
    STORAGE_FULL = "storage_full"
    INTEGRITY = "integrity"  # what is stored is not what was written
    FAULT = "fault"  # a bug
    OPERATION = "operation"  # an operation of a role is refused inside a beat
    SKIP = "skip"  # a role does not speak in a beat
    REPAIR = "repair"  # a reply was mended
    LEFT_OUT = "left_out"  # a part of a reply was left out
    WARNING = "warning"  # a package or world can be published and will disappoint


@dataclass(frozen=True, slots=True)
class Entry:
    """One code of the catalogue. Texts are `str.format` templates over the named words of a problem."""

    code: str
    kind: Kind
    message: str
    message_zh: str
    reason: str
    reason_zh: str
    remedy: str
    remedy_zh: str
