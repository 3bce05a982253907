"""The rehearsal: the built-in performer. It needs no network and gives the same reply for the same call.

It knows what a model would be told, the prompt, and nothing else. It speaks English and Chinese, simplified and
traditional; a story in another language is rehearsed in English.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from storyworld.core.call import Call, Performance, Usage
from storyworld.core.canonical import canonical_bytes
from storyworld.core.playtest.draws import Draws
from storyworld.core.prompt.brief import Prompt
from storyworld.core.prompt.compose import BYTES_PER_TOKEN, estimated_tokens
from storyworld.core.prompt.reading import EnvelopeRead, read_envelope
from storyworld.models.rehearsal_part import Part, part_of, tasks_of
from storyworld.models.rehearsal_proposals import choose, propose
from storyworld.models.rehearsal_speech import Choice, Speech

PROVIDER = "rehearsal"

# A secret of one common word stands in many sentences; so many tries are made before the role says nothing at all.
_TRIES = 6
_SPEECHLESS = "…"
_PIECE_CHARS = 24


def rehearse(prompt: Prompt, beat: int, draw: int) -> str:
    """The reply, as JSON text: a line, in about half of them an action, and operations that the prompt allows.

    No secret of the role stands in it, and no piece of one in what it takes from goals, objective and speakers. In
    every beat whose number is a multiple of 3 it takes an option, where the prompt has any to take.
    """
    part = part_of(prompt.fixed)
    envelope = read_envelope(prompt)
    choice = choose(part, envelope, beat, Draws(draw))
    for attempt in range(1, _TRIES + 1):
        reply = _reply(prompt, part, envelope, choice, beat, Draws(draw + attempt))
        text = canonical_bytes(reply).decode()
        if not part.tells(text):
            return text
    silent: dict[str, Any] = {"line": _SPEECHLESS, "operations": _only(choice)}
    return canonical_bytes(silent).decode()


def _reply(
    prompt: Prompt, part: Part, envelope: EnvelopeRead, choice: Choice | None, beat: int, draws: Draws
) -> dict[str, Any]:
    heard = (words for line in envelope.lines for words in (line.text, line.action or ""))
    seen = "\n".join((*(section.text for section in prompt.memory), *heard))
    speech = Speech(part, envelope, tasks_of(prompt.fixed, envelope.objective), draws, seen)
    reply: dict[str, Any] = {"line": speech.line(choice)}
    action = speech.action()
    if action is not None:
        reply["action"] = action
    reply["operations"] = propose(part, envelope, beat, draws, speech, choice)
    return reply


def _only(choice: Choice | None) -> list[dict[str, Any]]:
    return [] if choice is None else [{"op": "takeBranch", "branchId": choice.branch_id}]


class Rehearsal:
    """The rehearsal behind the port of performers."""

    async def perform(self, call: Call, hear: Callable[[str], None]) -> Performance:
        """Reply at once, heard in a few pieces. Tokens are counted as they are estimated for every prompt; there is no
        failure.
        """
        performance = perform(call)
        for at in range(0, len(performance.text), _PIECE_CHARS):
            hear(performance.text[at : at + _PIECE_CHARS])
        return performance


def perform(call: Call) -> Performance:
    """One performance without an event loop, for playtests."""
    text = rehearse(call.prompt, call.beat, call.draw)
    usage = Usage(
        provider=PROVIDER,
        model=PROVIDER,
        prompt_tokens=estimated_tokens(call.prompt),
        completion_tokens=-(-len(text.encode()) // BYTES_PER_TOKEN),
        attempts=1,
        ms=0,
    )
    return Performance(text, usage)
