"""The candidate itself: content in the shape of a story package, where each part of it comes from, and what was left
out.

Nothing is dropped or cut to fit a limit: a script with 30 speakers makes 30 roles, and judging the content says that
they are too many. Dialogue stays out of a package, which cites its source: the lines of a role are those where it
speaks, the lines of a node all those of its scene.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from storyworld.core.candidate.citations import Citations
from storyworld.core.candidate.ids import ids_for, numbered
from storyworld.core.candidate.language import language_of
from storyworld.core.candidate.portraits import Portrait, portraits_of
from storyworld.core.candidate.scenes import Scene, scenes_of
from storyworld.core.candidate.speakers import Speakers, speakers_of
from storyworld.core.canonical import canonical_bytes, digest
from storyworld.core.errors import word
from storyworld.core.screenplay import ElementKind
from storyworld.core.script import LeftOut, Lines, Script, ScriptElement, TitleField

_BETWEEN_NAMES: Final = " · "
_DRAFT_KEYS: Final = ("draft date", "date", "revision", "version")
_KEPT_KEYS: Final = ("title", "language", *_DRAFT_KEYS)
_NOWHERE: Final = Lines(0, 0)
"""The lines of what follows from no line."""


@dataclass(frozen=True)
class Candidate:
    """What a script makes: the content of a story package, not judged yet.

    `sources` has a JSON Pointer into the content for each item and each text that the script gave, with the lines of
    the script (both included, from 1) that it comes from, in order and not overlapping; it is empty for what follows
    from no line, such as a title that the file's name gives. `left_out` names the lines that became nothing, in order.
    """

    content: dict[str, Any]
    sources: dict[str, list[list[int]]]
    left_out: tuple[LeftOut, ...]

    def to_json(self) -> dict[str, Any]:
        """The candidate as a JSON value; what was left out is said in words."""
        return {
            "content": self.content,
            "sources": self.sources,
            "leftOut": [
                {"lines": [entry.lines.first, entry.lines.last], "code": entry.code, "message": word(entry.code)}
                for entry in self.left_out
            ],
        }


def candidate_of(script: Script, *, named: str | None = None) -> Candidate:
    """Make a candidate of a script. `named` is what the script is called where it has no title of its own."""
    scenes, front = scenes_of(script)
    speakers = speakers_of(script)
    cited = Citations()
    title = _titled(script, scenes, named)
    titles = [_named(scene) or title.value for scene in scenes]
    node_ids = numbered("node", len(scenes))
    content = {
        **_head(script, title, cited),
        **({"startNodeId": node_ids[0]} if node_ids else {}),
        "roles": _roles(portraits_of(speakers.speakers, script.elements), cited),
        **_scenes_and_nodes(script, scenes, titles, node_ids, cited),
        "branches": _branches(scenes, titles, node_ids, cited),
    }
    return Candidate(content, dict(cited.to_json()), _left_out(script, front, speakers))


def _titled(script: Script, scenes: list[Scene], named: str | None) -> TitleField:
    """The title that the script gives itself; else what it is called; else its first heading."""
    found = _field(script, ("title",))
    if found is not None:
        # A title that is set in several lines is one title.
        return TitleField("title", " ".join(found.value.split()), found.lines)
    if named:
        return TitleField("title", named, _NOWHERE)
    headings = [element for scene in scenes for element in scene.named_by]
    return TitleField("title", headings[0].text, headings[0].lines) if headings else TitleField("title", "", _NOWHERE)


def _field(script: Script, keys: tuple[str, ...]) -> TitleField | None:
    """The first field of the title page by one of these keys, in their order."""
    by_key = {entry.key: entry for entry in reversed(script.title_page) if entry.value}
    return next((by_key[key] for key in keys if key in by_key), None)


def _head(script: Script, title: TitleField, cited: Citations) -> dict[str, Any]:
    """What the package is called, its language and what it was made from."""
    language, draft = _field(script, ("language",)), _field(script, _DRAFT_KEYS)
    titled = [title.lines] if title.lines is not _NOWHERE else []
    cited.cite("/title", titled)
    cited.cite("/language", [language.lines] if language else [])
    cited.cite("/source", [*titled, *([draft.lines] if draft else [])])
    told = language.value if language else script.language
    return {
        "title": title.value,
        "language": told or language_of(element.text for element in script.elements),
        "source": {"title": title.value, "version": draft.value if draft else _version(script)},
    }


def _version(script: Script) -> str:
    """A version for a script that names none: the digest of its elements."""
    return digest(canonical_bytes([[element.kind, element.text] for element in script.elements]))


def _roles(portraits: list[Portrait], cited: Citations) -> list[dict[str, Any]]:
    """A role for each speaker, with what the script says of it."""
    ids = ids_for([one.name for one in portraits], "role", [one.role_id for one in portraits])
    for at, portrait in enumerate(portraits):
        cited.cite(f"/roles/{at}", portrait.lines)
        cited.cite(f"/roles/{at}/description", portrait.described)
    return [
        {"id": role_id, "name": one.name, "description": one.description, "goals": [], "secrets": []}
        for role_id, one in zip(ids, portraits, strict=True)
    ]


def _scenes_and_nodes(
    script: Script, scenes: list[Scene], titles: list[str], node_ids: list[str], cited: Citations
) -> dict[str, list[dict[str, Any]]]:
    """A scene for each place, and a node for each scene of the script.

    In formats whose headings name places, a heading that comes again is the same place; the scenes of a play are
    numbered, and each is a place of its own.
    """
    places: list[dict[str, Any]] = []
    nodes: list[dict[str, Any]] = []
    place_by_heading: dict[str, int] = {}
    for at, scene in enumerate(scenes):
        heading = scene.heading.text if scene.heading is not None and script.format != "plain" else f"{at}"
        place = place_by_heading.setdefault(heading, len(places))
        if place == len(places):
            title = titles[at] if scene.heading is None or script.format == "plain" else scene.heading.text
            places.append({"id": f"scene-{place + 1}", "title": title, "description": _described(scene, title)})
            setting = scene.setting
            cited.cite(f"/scenes/{place}/description", _lines(scene.named_by) if setting is None else [setting.lines])
        cited.cite(f"/scenes/{place}", _lines(scene.named_by))
        purpose = scene.synopses
        objective = "\n".join(one.text for one in purpose) or titles[at]
        nodes.append(
            {
                "id": node_ids[at],
                "sceneId": places[place]["id"],
                "title": titles[at],
                "objective": objective,
                "preconditions": [],
            }
        )
        cited.cite(f"/nodes/{at}", scene.lines)
        cited.cite(f"/nodes/{at}/objective", _lines(purpose or scene.named_by))
    return {"scenes": places, "nodes": nodes}


def _described(scene: Scene, title: str) -> str:
    return title if scene.setting is None else scene.setting.text


def _branches(scenes: list[Scene], titles: list[str], node_ids: list[str], cited: Citations) -> list[dict[str, Any]]:
    """A way from each scene to the next, which is called as the next one is."""
    for at, scene in enumerate(scenes[1:]):
        cited.cite(f"/branches/{at}", _lines(scene.named_by))
    return [
        {
            "id": f"branch-{at}",
            "fromNodeId": node_ids[at - 1],
            "toNodeId": node_ids[at],
            "label": titles[at],
            "conditions": [],
            "repeatable": False,
        }
        for at in range(1, len(scenes))
    ]


def _named(scene: Scene) -> str:
    """The heading of a scene, after the sections that it stands in."""
    return _BETWEEN_NAMES.join(element.text for element in scene.named_by)


def _lines(elements: Iterable[ScriptElement]) -> list[Lines]:
    return [element.lines for element in elements]


def _left_out(script: Script, front: list[ScriptElement], speakers: Speakers) -> tuple[LeftOut, ...]:
    """All that became nothing, in the order of the script."""
    notes = (element for element in script.elements if element.kind is ElementKind.NOTE)
    return tuple(
        sorted(
            (
                *script.left_out,
                *(LeftOut("script_note_left_out", note.lines) for note in notes),
                *(
                    LeftOut("script_front_matter_left_out", element.lines)
                    for element in front
                    if element.kind is not ElementKind.NOTE
                ),
                *(
                    LeftOut("script_title_field_left_out", entry.lines)
                    for entry in script.title_page
                    if entry.key not in _KEPT_KEYS
                ),
                *(LeftOut("script_cast_entry_left_out", entry.lines) for entry in speakers.silent_entries),
                *(LeftOut("script_speech_of_several_left_out", lines) for lines in speakers.of_several),
            ),
            key=lambda entry: (entry.lines, entry.code),
        )
    )
