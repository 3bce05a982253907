"""The scripted performer: replies that were written beforehand, each given once, in their order.

It needs no network and has no chance in it: tests and demonstrations say word for word what a model would. It fails
when it runs out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from storyworld.core.call import Call, Failure, Performance, Usage
from storyworld.core.canonical import Malformed, canonical_bytes, parse
from storyworld.core.errors import Problem, Refusal, problem, refusal, word
from storyworld.core.judge import as_id
from storyworld.core.prompt.compose import BYTES_PER_TOKEN, estimated_tokens

PROVIDER = "scripted"

_FIELDS: Final = frozenset({"beat", "roleId", "reply"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One reply of a script: its raw text, and the beat and role that it waits for; None means any."""

    reply: str
    beat: int | None = None
    role_id: str | None = None

    def answers(self, call: Call) -> bool:
        """Whether this is a reply to the call."""
        return self.beat in (None, call.beat) and self.role_id in (None, call.role_id)


class Script:
    """A script behind the port of performers. What was given once is not given again."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self._left = list(entries)

    async def perform(self, call: Call, hear: Callable[[str], None]) -> Performance | Failure:
        """Give the next reply that waits for this beat and role, heard at once; a failure once there is none."""
        prompt_tokens = estimated_tokens(call.prompt)
        place = next((place for place, entry in enumerate(self._left) if entry.answers(call)), None)
        if place is None:
            detail = word("scripted_exhausted", role=call.role_id, beat=call.beat)
            return Failure(detail, _usage(prompt_tokens, 0))
        reply = self._left.pop(place).reply
        hear(reply)
        return Performance(reply, _usage(prompt_tokens, -(-len(reply.encode()) // BYTES_PER_TOKEN)))


def _usage(prompt_tokens: int, completion_tokens: int) -> Usage:
    return Usage(PROVIDER, PROVIDER, prompt_tokens, completion_tokens, attempts=1, ms=0)


def read_script(data: bytes) -> Script | Refusal:
    """Read a file of JSON lines `{beat?, roleId?, reply}`; blank lines are passed over.

    `reply` is the raw text of a reply, or an object that is written as JSON. The first line that is none of these
    refuses the whole script as `script_refused`, by its number.
    """
    entries = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        read = _read_entry(line)
        if isinstance(read, Problem):
            return refusal("script_refused", problems=(read,), facts={"line": number}, line=number)
        entries.append(read)
    return Script(tuple(entries))


def _read_entry(line: bytes) -> Entry | Problem:
    try:
        value: Any = parse(line)
    except Malformed as malformed:
        return malformed.problem
    if not isinstance(value, dict) or not value.keys() <= _FIELDS:
        return problem("script_entry", "")
    reply, beat, role_id = value.get("reply"), value.get("beat"), value.get("roleId")
    if not isinstance(reply, str | dict):
        return problem("script_entry", "/reply")
    if "beat" in value and not (type(beat) is int and beat >= 1):
        return problem("script_entry", "/beat")
    if "roleId" in value and as_id(role_id) is None:
        return problem("script_entry", "/roleId")
    return Entry(reply if isinstance(reply, str) else canonical_bytes(reply).decode(), beat, role_id)
