"""What the rehearsal proposes: at most 4 operations, each legal by what stands in the prompt, far below every cap."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import Any

from storyworld.core import limits
from storyworld.core.playtest.draws import Draws
from storyworld.core.prompt.brief import FlagShown, OptionShown
from storyworld.core.prompt.reading import EnvelopeRead
from storyworld.models.rehearsal_part import Part
from storyworld.models.rehearsal_speech import Choice, Speech, announcement

TAKES_EVERY_BEATS = 3
"""In every beat whose number is a multiple of this an option is taken, so that a story moves and ends."""

_OPERATIONS_MAX = 4
_NOTES_MAX = 12
_ENTITIES_MAX = 10
# 24 roles that know so many facts each stay below the 200 that a session may have.
_FACTS_MAX = 8
# Kinds of relations are not shown, so that a proposal may make a new one: only where there are few.
_RELATIONS_MAX = 3
_RELATION_KIND = "trust"
_RELATION_VALUES = (-20, -10, 10, 20, 30, 40)
_INTEGER_MIDDLE = 5


def choose(part: Part, envelope: EnvelopeRead, beat: int, draws: Draws) -> Choice | None:
    """The option to take, in every third beat.

    Who speaks first chooses by draw and announces it, and whoever hears the announcement agrees. Where it cannot be
    announced all choose by what all of them see, since two options taken in one beat would undo everything proposed.
    """
    options = envelope.branches
    if beat % TAKES_EVERY_BEATS or not options:
        return None
    if envelope.lines:
        heard = envelope.lines[0].text
        announced = [option for option in options if option.label in heard]
        if announced:
            return Choice(max(announced, key=lambda option: len(option.label)).branch_id, None, agreed=True)
    else:
        option = options[draws.below(len(options))]
        said = announcement(part, option)
        if said is not None:
            return Choice(option.branch_id, said, agreed=False)
    return Choice(_by_what_all_see(options, beat), None, agreed=False)


def _by_what_all_see(options: tuple[OptionShown, ...], beat: int) -> str:
    seen = "\n".join([str(beat), *(option.branch_id for option in options)])
    return options[int.from_bytes(sha256(seen.encode()).digest()[:8]) % len(options)].branch_id


def propose(
    part: Part, envelope: EnvelopeRead, beat: int, draws: Draws, speech: Speech, choice: Choice | None
) -> list[dict[str, Any]]:
    """The operations of one reply."""
    taken = [] if choice is None else [{"op": "takeBranch", "branchId": choice.branch_id}]
    # An event's effects count with the roles' operations, and how many there were is not shown.
    if envelope.cue == "event":
        return taken
    proposed = _changes(part, envelope, beat, draws, speech)
    return taken + list(islice(proposed, _OPERATIONS_MAX - len(taken)))


def _changes(part: Part, envelope: EnvelopeRead, beat: int, draws: Draws, speech: Speech) -> Iterator[dict[str, Any]]:
    words = part.phrases
    if draws.once_in(5):
        if len(envelope.notes) < _NOTES_MAX:
            named = bool(envelope.lines) and draws.once_in(2)
            text = speech.pick(words.notes_named, name=envelope.lines[-1].name) if named else speech.pick(words.notes)
            yield {"op": "addNote", "text": text}
        else:
            yield {"op": "removeNote", "id": envelope.notes[0].id}
    # After a refusal, whatever it was for, nothing is risked that could be refused again.
    if envelope.refused:
        return
    if envelope.flags and draws.once_in(3):
        flag = envelope.flags[draws.below(len(envelope.flags))]
        yield {"op": "setFlag", "flagId": flag.id, "value": _flag_value(flag, words.flag_texts, draws)}
    relations = envelope.relations
    if relations.ids and relations.total <= _RELATIONS_MAX and draws.once_in(5):
        to_role_id = relations.ids[draws.below(len(relations.ids))]
        value = _RELATION_VALUES[draws.below(len(_RELATION_VALUES))]
        yield {"op": "setRelation", "toRoleId": to_role_id, "kind": _RELATION_KIND, "value": value}
    own_id = f"{beat}-{sha256(part.name.encode()).hexdigest()[:8]}"
    if envelope.lines and len(envelope.facts) < _FACTS_MAX and draws.once_in(12):
        text = speech.pick(words.facts, name=envelope.lines[-1].name)
        yield {"op": "establishFact", "id": f"heard-{own_id}", "text": text}
    if envelope.entities.total < _ENTITIES_MAX and draws.once_in(12):
        name = speech.pick(words.keepsakes)
        yield {"op": "putEntity", "id": f"found-{own_id}", "kind": "keepsake", "name": name, "attributes": {}}


def _flag_value(flag: FlagShown, texts: tuple[str, ...], draws: Draws) -> bool | int | str:
    if flag.type == "text":
        return texts[draws.below(len(texts))]
    if flag.type == "boolean":
        return not flag.value if draws.once_in(4) else True
    # Numbers move by one, more often towards the middle, so that small thresholds are met and none runs away.
    value = flag.value or 0
    upwards = draws.once_in(3) != (value < _INTEGER_MIDDLE)
    most = limits.INTEGER_MAX.value
    return max(-most, min(most, value + 1 if upwards else value - 1))
