"""Version 1 of the prompt template: how a brief becomes sections.

What authors wrote stands as it is. What players and models wrote stands quoted between fences, and a text of several
lines keeps its later lines indented, so that no quoted text can look like a part of the prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from storyworld.core import limits
from storyworld.core.prompt.brief import (
    Cue,
    EnvelopeBrief,
    FixedBrief,
    FlagShown,
    HeardLine,
    OptionShown,
    RememberedBeat,
    Section,
)
from storyworld.core.prompt.fence import draw_fence, enclose
from storyworld.core.prompt.words import Words, language_name, words_for

VERSION = 1


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


def changing_sections(
    language: str, memory: tuple[RememberedBeat, ...], envelope: EnvelopeBrief, fence_seed: str
) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
    """The memory and the envelope; what is empty is absent."""
    words = words_for(language)
    fence = draw_fence(fence_seed, _quoted(memory, envelope))
    past = _memory(words, memory, fence)
    explained = bool(past)
    return past, _envelope(words, envelope, fence, explained=explained)


def _memory(words: Words, memory: tuple[RememberedBeat, ...], fence: str) -> tuple[Section, ...]:
    if not memory:
        return ()
    beats = "\n".join(_remembered(words, beat) for beat in memory)
    return (Section("memory", f"{words.memory}\n{words.fence.format(fence=fence)}\n{enclose(beats, fence)}"),)


def _remembered(words: Words, beat: RememberedBeat) -> str:
    parts = [words.remembered_beat.format(beat=beat.beat), _cue_words(words, beat.cue)]
    parts += [f"  {_indented(text)}" for text in _cue_quoted(beat.cue)]
    parts += [_line(words, line) for line in beat.lines]
    return "\n".join(parts)


def _envelope(words: Words, brief: EnvelopeBrief, fence: str, *, explained: bool) -> tuple[Section, ...]:
    quoted = [
        ("refused", _refused(words, brief, fence)),
        ("trigger", _trigger(words, brief.cue, fence)),
        ("lines", _lines(words, brief.lines, fence)),
    ]
    if not explained:
        first = next((place for place, (_, text) in enumerate(quoted) if fence in text), None)
        if first is not None:
            kind, text = quoted[first]
            quoted[first] = (kind, f"{words.fence.format(fence=fence)}\n{text}")
    scene = words.scene.format(title=brief.scene_title, description=brief.scene_description)
    return _present(
        ("scene", scene),
        ("node", words.node.format(title=brief.node_title)),
        ("objective", words.objective.format(objective=brief.objective)),
        ("new_facts", _listed(words.new_facts, brief.new_facts)),
        ("notes", _listed(words.notes, (f"{note.id}{words.colon}{note.text}" for note in brief.notes))),
        ("flags", _listed(words.flags, (_flag(words, flag) for flag in brief.flags))),
        ("options", _listed(_options_heading(words, brief), (_option(words, option) for option in brief.options))),
        ("relation_ids", _ids(words, words.relation_ids, brief.relation_ids, brief.relations_left_out)),
        ("entity_ids", _ids(words, words.entity_ids, brief.entity_ids, brief.entities_left_out)),
        *quoted,
    )


def _flag(words: Words, flag: FlagShown) -> str:
    value = "" if flag.value is None else f" = {str(flag.value).lower()}"
    return f"{flag.id} ({flag.type}){value}{words.colon}{flag.description}"


def _options_heading(words: Words, brief: EnvelopeBrief) -> str:
    return words.options if brief.may_branch else words.options_of_director


def _option(words: Words, option: OptionShown) -> str:
    described = "" if option.description is None else f" — {option.description}"
    return f"{option.branch_id}{words.colon}{option.label}{described}"


def _ids(words: Words, heading: str, ids: tuple[str, ...], left_out: int) -> str:
    if not ids:
        return ""
    more = f" {words.left_out.format(count=left_out)}" if left_out else ""
    return f"{heading} {', '.join(ids)}{more}"


def _refused(words: Words, brief: EnvelopeBrief, fence: str) -> str:
    if brief.refused is None:
        return ""
    if brief.refused.operation is None:
        return words.refused_patch
    operation = f"\n{enclose(_indented(brief.refused.operation), fence)}\n"
    return words.refused_operation.format(operation=operation, code=brief.refused.code)


def _trigger(words: Words, cue: Cue, fence: str) -> str:
    return "\n".join((_cue_words(words, cue), *(enclose(_indented(text), fence) for text in _cue_quoted(cue))))


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


def _lines(words: Words, lines: tuple[HeardLine, ...], fence: str) -> str:
    if not lines:
        return ""
    return f"{words.lines}\n{enclose(chr(10).join(_line(words, line) for line in lines), fence)}"


def _line(words: Words, line: HeardLine) -> str:
    spoken = f"{line.name}{words.colon}{_indented(line.text)}"
    return spoken if line.action is None else f"{spoken}\n({_indented(line.action)})"


def _quoted(memory: tuple[RememberedBeat, ...], envelope: EnvelopeBrief) -> Iterator[str]:
    """Every text that stands between fences, and so may not hold the fence."""
    for beat in memory:
        yield from _cue_quoted(beat.cue)
        yield from _heard(beat.lines)
    if envelope.refused is not None and envelope.refused.operation is not None:
        yield envelope.refused.operation
    yield from _cue_quoted(envelope.cue)
    yield from _heard(envelope.lines)


def _heard(lines: Iterable[HeardLine]) -> Iterator[str]:
    for line in lines:
        yield line.name
        yield line.text
        yield line.action or ""


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")


def _listed(heading: str, items: Iterable[str]) -> str:
    listed = [f"- {_indented(item)}" for item in items]
    return "\n".join((heading, *listed)) if listed else ""


def _present(*sections: tuple[str, str]) -> tuple[Section, ...]:
    return tuple(Section(kind, text) for kind, text in sections if text)
