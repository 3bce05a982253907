"""What is answered: problems (one thing, one place) and refusals (a use case that did nothing)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from storyworld.core.errors.catalogue import CATALOGUE
from storyworld.core.errors.entry import Kind


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem or warning. `path` is a JSON Pointer; `actual` is a count, a type or an id, never a text."""

    path: str
    code: str
    message: str
    message_zh: str
    limit: int | None
    actual: int | str | None
    reason: str
    remedy: str

    def to_json(self) -> dict[str, Any]:
        """The problem as a JSON value; `limit` and `actual` are left out where there is none."""
        value: dict[str, Any] = {"path": self.path, "code": self.code, "message": self.message}
        value["messageZh"] = self.message_zh
        if self.limit is not None:
            value["limit"] = self.limit
        if self.actual is not None:
            value["actual"] = self.actual
        value["reason"] = self.reason
        value["remedy"] = self.remedy
        return value


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a use case did nothing: one code of the catalogue, in words, with the problems that led to it."""

    code: str
    kind: Kind
    message: str
    message_zh: str
    remedy: str
    problems: tuple[Problem, ...] = ()
    more_problems: int = 0
    facts: dict[str, Any] = field(default_factory=dict)


def problem(
    code: str,
    path: str,
    *,
    limit: int | None = None,
    actual: int | str | None = None,
    reason: str | None = None,
    **words: object,
) -> Problem:
    """Word one problem. `field` in a template is the path without its first slash; `reason` overrides the entry's.

    Raises KeyError where the code or a word of its template is unknown: that is a bug, not an answer.
    """
    entry = CATALOGUE[code]
    named = {"field": path.removeprefix("/"), "path": path, "limit": limit, "actual": actual, **words}
    return Problem(
        path=path,
        code=code,
        message=entry.message.format_map(named),
        message_zh=entry.message_zh.format_map(named),
        limit=limit,
        actual=actual,
        reason=entry.reason.format_map(named) if reason is None else reason,
        remedy=entry.remedy.format_map(named),
    )


def refusal(
    code: str,
    *,
    problems: tuple[Problem, ...] = (),
    more_problems: int = 0,
    facts: dict[str, Any] | None = None,
    **words: object,
) -> Refusal:
    """Word one refusal. `facts` are machine-readable (ids, counts); `words` fill the templates."""
    entry = CATALOGUE[code]
    return Refusal(
        code=code,
        kind=entry.kind,
        message=entry.message.format(**words),
        message_zh=entry.message_zh.format(**words),
        remedy=entry.remedy.format(**words),
        problems=problems,
        more_problems=more_problems,
        facts={} if facts is None else facts,
    )


def word(code: str, **words: object) -> str:
    """The English wording of a code, for texts that are worded when read (skips, rejected operations)."""
    return CATALOGUE[code].message.format(**words)
