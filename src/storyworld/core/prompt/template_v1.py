"""Version 1 of the prompt template: how a brief becomes sections.

What authors wrote stands as it is. What players and models wrote stands quoted between fences, and a text of several
lines keeps its later lines indented, so that no quoted text can look like a part of the prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from storyworld.core import limits
from storyworld.core.kept import kept
from storyworld.core.prompt.brief import (
    Cue,
    EnvelopeBrief,
    FixedBrief,
    FlagShown,
    HeardLine,
    OptionShown,
    Refused,
    RememberedBeat,
    Section,
)
from storyworld.core.prompt.fence import draw_fence, enclose
from storyworld.core.prompt.words import Words, language_name, words_for
from storyworld.core.unchanging import unchanging

VERSION = 1
_LATER_LINE = "\n  "
_ITEM = "\n- "


def fixed_sections(brief: FixedBrief) -> tuple[Section, ...]:
    """Persona, story, constraints, canon, facts, sheet and reply format; what is empty is absent."""
    words = words_for(brief.language)
    story = f"{words.story.format(title=brief.title)}\n{words.language.format(language=language_name(brief.language))}"
    reply_format = words.reply_format.format(operations=limits.WORLD_PATCH_ASKED_OPERATIONS.value)
    return _present(
        ("persona", brief.persona),
        ("story", story),
        ("constraints", _listed(words.constraints, brief.constraints)),
        ("canon", _listed(words.canon, brief.canon)),
        ("facts", _listed(words.facts, brief.facts)),
        ("sheet", _sheet(words, brief)),
        ("reply_format", reply_format),
    )


def _sheet(words: Words, brief: FixedBrief) -> str:
    role = brief.role
    parts = [words.name.format(name=role.name), words.description.format(description=role.description)]
    if role.voice is not None:
        parts.append(words.voice.format(voice=role.voice))
    parts += [_listed(words.goals, role.goals), _listed(words.secrets, role.secrets)]
    return "\n".join(filter(None, parts))


@unchanging
class _Quotes:
    """What stands between fences in one prompt, as it stands there: later lines of each text indented."""

    beats: str
    operation: str
    cue: tuple[str, ...]
    lines: str


def changing_sections(
    language: str, memory: tuple[str, ...], envelope: EnvelopeBrief, fence_seed: str
) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
    """The memory, whose beats are worded already, and the envelope; what is empty is absent."""
    words = words_for(language)
    refused = envelope.refused
    quotes = _Quotes(
        beats="\n".join(memory),
        operation="" if refused is None or refused.operation is None else _indented(refused.operation),
        cue=tuple(map(_indented, _cue_quoted(envelope.cue))),
        lines="\n".join([_line(words, line) for line in envelope.lines]),
    )
    fence = draw_fence(fence_seed, (quotes.beats, quotes.operation, *quotes.cue, quotes.lines))
    explanation = words.fence.format(fence=fence)
    if not quotes.beats:
        return (), _envelope(words, envelope, quotes, fence, explanation)
    past = Section("memory", f"{words.memory}\n{explanation}\n{enclose(quotes.beats, fence)}")
    return (past,), _envelope(words, envelope, quotes, fence, None)


def remembered_beat(language: str, beat: RememberedBeat) -> str:
    """What a memory tells of one beat: its number, what set it off, and its lines."""
    words = words_for(language)
    parts = [words.remembered_beat.format(beat=beat.beat), _cue_words(words, beat.cue)]
    parts += [f"  {_indented(text)}" for text in _cue_quoted(beat.cue)]
    parts += [_line(words, line) for line in beat.lines]
    return "\n".join(parts)


def _envelope(
    words: Words, brief: EnvelopeBrief, quotes: _Quotes, fence: str, explanation: str | None
) -> tuple[Section, ...]:
    quoted = [
        ("refused", _refused(words, brief.refused, quotes.operation, fence)),
        ("trigger", "\n".join([_cue_words(words, brief.cue), *(enclose(text, fence) for text in quotes.cue)])),
        ("lines", f"{words.lines}\n{enclose(quotes.lines, fence)}" if quotes.lines else ""),
    ]
    if explanation is not None:
        # Without memory the fence is explained where it first stands; a prompt that quotes nothing has none.
        first = next((place for place, (_, text) in enumerate(quoted) if fence in text), None)
        if first is not None:
            kind, text = quoted[first]
            quoted[first] = (kind, f"{explanation}\n{text}")
    return (
        *_place(words, brief.scene_title, brief.scene_description, brief.node_title, brief.objective),
        *_present(
            ("new_facts", _listed(words.new_facts, brief.new_facts)),
            ("notes", _listed(words.notes, [f"{note.id}{words.colon}{note.text}" for note in brief.notes])),
        ),
        *_flags(words, brief.flags),
        *_options(words, brief.options, brief.may_branch),
        *_present(
            ("relation_ids", _ids(words, words.relation_ids, brief.relation_ids, brief.relations_left_out)),
            ("entity_ids", _ids(words, words.entity_ids, brief.entity_ids, brief.entities_left_out)),
            *quoted,
        ),
    )


# The seats of a beat are shown the same place, flags and options, so these are worded once.


@kept
def _place(
    words: Words, scene_title: str, scene_description: str, node_title: str, objective: str
) -> tuple[Section, ...]:
    return _present(
        ("scene", words.scene.format(title=scene_title, description=scene_description)),
        ("node", words.node.format(title=node_title)),
        ("objective", words.objective.format(objective=objective)),
    )


@kept
def _flags(words: Words, flags: tuple[FlagShown, ...]) -> tuple[Section, ...]:
    return _present(("flags", _listed(words.flags, [_flag(words, flag) for flag in flags])))


def _flag(words: Words, flag: FlagShown) -> str:
    value = "" if flag.value is None else f" = {str(flag.value).lower()}"
    return f"{flag.id} ({flag.type}){value}{words.colon}{flag.description}"


@kept
def _options(words: Words, options: tuple[OptionShown, ...], may_branch: bool) -> tuple[Section, ...]:
    heading = words.options if may_branch else words.options_of_director
    return _present(("options", _listed(heading, [_option(words, option) for option in options])))


def _option(words: Words, option: OptionShown) -> str:
    described = "" if option.description is None else f" — {option.description}"
    return f"{option.branch_id}{words.colon}{option.label}{described}"


def _ids(words: Words, heading: str, ids: tuple[str, ...], left_out: int) -> str:
    if not ids:
        return ""
    return f"{heading}{', '.join(ids)}{words.left_out.format(count=left_out) if left_out else ''}"


def _refused(words: Words, refused: Refused | None, operation: str, fence: str) -> str:
    if refused is None:
        return ""
    if not operation:
        return words.refused_patch
    return words.refused_operation.format(operation=enclose(operation, fence), code=refused.code)


def _cue_words(words: Words, cue: Cue) -> str:
    if cue.kind == "message":
        return words.cue_message
    if cue.kind == "choice":
        return words.cue_choice
    return words.cue_advance if cue.kind == "advance" else words.cue_event.format(event_type=cue.event_type)


def _cue_quoted(cue: Cue) -> Iterator[str]:
    for text in (cue.text, cue.event_data):
        if text is not None:
            yield text


def _line(words: Words, line: HeardLine) -> str:
    spoken = f"{_indented(line.name)}{words.colon}{_indented(line.text)}"
    return spoken if line.action is None else f"{spoken}\n({_indented(line.action)})"


def _indented(text: str) -> str:
    return text.replace("\n", _LATER_LINE)


def _listed(heading: str, items: Iterable[str]) -> str:
    listed = [f"{_ITEM}{_indented(item)}" for item in items]
    return "".join((heading, *listed)) if listed else ""


def listed_size(text: str) -> int:
    """How many UTF-8 bytes a text adds to a list, whatever else stands in it. Nothing is composed to find that out."""
    indented = (len(_LATER_LINE) - 1) * text.count("\n") if "\n" in text else 0
    return len(_ITEM) + len(text.encode()) + indented


def _present(*sections: tuple[str, str]) -> tuple[Section, ...]:
    return tuple([Section(kind, text) for kind, text in sections if text])
