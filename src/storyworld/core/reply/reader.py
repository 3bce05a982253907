"""Reading a reply: from whatever text a model gave to what a role says, does and proposes.

The order is: reasoning goes, JSON is found and read, the object that is the reply is chosen, its parts are taken and
judged again. There must be an object: prose alone is no line, since nobody can tell it from a refusal or a remark of
the model. This file owns that order; it must not know the story, and judges no operation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from storyworld.core import limits
from storyworld.core.reply.choosing import Candidate, candidates, choose
from storyworld.core.reply.documents import Document, documents
from storyworld.core.reply.keys import Part, folded
from storyworld.core.reply.operations import take_operations
from storyworld.core.reply.parts import pointer, said, text_weight
from storyworld.core.reply.reading import LeftOut, Reading
from storyworld.core.reply.reasoning import without_reasoning
from storyworld.core.reply.speech import whole_sentences

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_FENCE: Final = re.compile(r"(?:```|~~~)[\w-]{0,20}")


def read_reply(text: str, *, role_name: str, role_id: str, cut: bool = False) -> Reading:
    """Read the raw reply of a role. Pure, the same for the same text, and never raises.

    `cut` says that the provider ended the answer before the model was done. `line` is None where the text holds no
    object with a line that can be said; what was mended or left out is told all the same.
    """
    too_long = len(text) - limits.REPLY_MAX_CHARS.value
    text = _SURROGATE.sub("\ufffd", text[: limits.REPLY_MAX_CHARS.value]).removeprefix("\ufeff")
    body = without_reasoning(text)
    repairs = ["cut"] if cut or too_long > 0 else []
    left_out = [LeftOut("reply_too_long", characters=too_long)] if too_long > 0 else []
    if body != text:
        repairs.append("reasoning_removed")
    names = frozenset({folded(role_name), folded(role_id)})
    body, found, quoted = _find(body, names)
    if not found:
        return Reading(None, repairs=_once(repairs), left_out=tuple(left_out))
    if quoted:
        repairs.append("wrapper_removed")
    chosen = choose(found, names)
    fenced, beside = _beside(body, chosen, found)
    if fenced:
        repairs.append("fence_removed")
    return _take(chosen, names, repairs, [*left_out, *beside])


def _find(body: str, names: frozenset[str]) -> tuple[str, list[Candidate], bool]:
    """The objects that could be the reply, the text they stand in, and whether that was quoted as a whole."""
    read, found = _search(body, names)
    if found or len(read) != 1 or not isinstance(read[0].value, str):
        return body, found, False
    inner = without_reasoning(read[0].value)
    return inner, _search(inner, names)[1], True


def _search(body: str, names: frozenset[str]) -> tuple[list[Document], list[Candidate]]:
    """What can be read of a text, and what in it could be the reply. A guess is made only where nothing else serves."""
    read: list[Document] = []
    found: list[Candidate] = []
    for group in documents(body):
        read += group
        found += [candidate for document in group for candidate in candidates(document)]
        if any(candidate.speaker is None or candidate.speaker in names for candidate in found):
            break
    return read, sorted(found, key=lambda candidate: candidate.document.span)


def _take(chosen: Candidate, names: frozenset[str], repairs: list[str], left_out: list[LeftOut]) -> Reading:
    """The parts of the object that was chosen: all of them or, where its line cannot be said, none.

    `repairs` and `left_out` are what was mended and left out on the way to the object; its own are told after these.
    """
    fields, keys, document = chosen.fields, chosen.keys, chosen.document
    repairs += document.repairs
    if chosen.way or chosen.quoted:
        repairs.append("wrapper_removed")
    if any(keys[part] != part for part in keys if part is not Part.SPEAKER):
        repairs.append("keys_renamed")
    left_out += [*chosen.left_beside(), *_unknown(chosen, names)]
    line = _speech(chosen, Part.LINE, limits.LINE_MAX_CHARS.value, repairs, left_out)
    if line is None:
        return Reading(None, repairs=_once(repairs), left_out=_bounded(left_out))
    action = _speech(chosen, Part.ACTION, limits.ACTION_MAX_CHARS.value, repairs, left_out)
    operations: tuple[object, ...] = ()
    if Part.OPERATIONS in keys:
        operations, unreadable = take_operations(fields[keys[Part.OPERATIONS]])
        left_out += unreadable
        if operations and document.in_item and _was_cut_in(chosen, Part.OPERATIONS):
            operations = operations[:-1]
            left_out.append(LeftOut("cut_off", f"/operations/{len(operations)}"))
    return Reading(line, action, operations, _once(repairs), _bounded(left_out))


def _was_cut_in(chosen: Candidate, part: Part) -> bool:
    """Whether the document ended within this part: it is the last one then."""
    return chosen.at_end and [*chosen.fields][-1] == chosen.keys[part]


def _speech(chosen: Candidate, part: Part, chars_max: int, repairs: list[str], left_out: list[LeftOut]) -> str | None:
    """The text of a line or an action, its whole sentences where it is too long; None where it cannot be taken."""
    value = chosen.fields[chosen.keys[part]] if part in chosen.keys else None
    if value is None or value == "":
        return None
    spoken = said(value)
    if spoken is None:
        left_out.append(LeftOut("not_speakable", f"/{part}", text_weight(value)))
        return None
    if part is Part.ACTION and chosen.document.in_text and _was_cut_in(chosen, part):
        left_out.append(LeftOut("cut_off", f"/{part}", len(spoken.text)))
        return None
    repairs += spoken.repairs
    if len(spoken.text) <= chars_max:
        return spoken.text
    kept = whole_sentences(spoken.text, chars_max)
    left_out.append(LeftOut("too_long", f"/{part}", len(spoken.text) - len(kept or "")))
    return kept


def _unknown(chosen: Candidate, names: frozenset[str]) -> Iterator[LeftOut]:
    """The keys of the object that are no part of a reply, and a speaker that is somebody else."""
    for key, value in chosen.fields.items():
        if key not in chosen.keys.values():
            yield LeftOut("unknown_key", pointer((*chosen.steps, key)), text_weight(value))
    if chosen.speaker is not None and chosen.speaker not in names:
        yield LeftOut("speaker_differs", pointer((*chosen.steps, chosen.keys[Part.SPEAKER])))


def _beside(body: str, chosen: Candidate, found: Sequence[Candidate]) -> tuple[bool, list[LeftOut]]:
    """Whether there were code fences, and what else the text holds beside the document that was chosen."""
    if len(found) == 1 and chosen.document.span == (0, len(body)):
        return False, []
    left_out = []
    pieces = []
    at = 0
    spans = sorted({candidate.document.span for candidate in found})
    for span in spans:
        if span.start < at:
            continue
        pieces.append(body[at : span.start])
        at = span.end
        if span != chosen.document.span:
            left_out.append(LeftOut("other_object", characters=span.end - span.start))
    pieces.append(body[at:])
    bare = [_FENCE.sub("", piece) for piece in pieces]
    characters = sum(len(piece.strip()) for piece in bare)
    if characters:
        left_out.append(LeftOut("text_outside", characters=characters))
    return bare != pieces, left_out


def _bounded(left_out: Sequence[LeftOut]) -> tuple[LeftOut, ...]:
    told_max = limits.REPLY_MAX_LEFT_OUT.value
    if len(left_out) <= told_max:
        return tuple(left_out)
    rest = sum(entry.characters or 0 for entry in left_out[told_max:])
    return (*left_out[:told_max], LeftOut("more_left_out", characters=rest))


def _once(codes: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(codes))
