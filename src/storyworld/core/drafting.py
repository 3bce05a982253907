"""A session, or a part of one, as a screenplay; and the outline of a story that nobody has played.

What is drafted was heard or seen by everyone on stage: lines and actions, places, the ways that were taken, endings.
Secrets, notes, goals and what a role was asked to bring about have no place in it. Every element names its beat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from storyworld.core.beat import Record
from storyworld.core.screenplay import CastMember, Element, ElementKind, Screenplay
from storyworld.core.story import StoryPackage

_BRACKETS: Final = {"(": ")", "（": "）", "[": "]", "【": "】", "〔": "〕"}


@dataclass(frozen=True, slots=True)
class _Words:
    the_end: str
    end_of_episode: str
    event: str


_ENGLISH: Final = _Words("THE END", "End of {title}", "Event: {type}")
_WORDS: Final[Mapping[str, _Words]] = {
    "zh": _Words("剧终", "《{title}》完", "事件：{type}"),
    "zh-hant": _Words("劇終", "《{title}》完", "事件：{type}"),
    "ja": _Words("終", "「{title}」終わり", "出来事：{type}"),
    "ko": _Words("끝", "〈{title}〉 끝", "사건: {type}"),
}


def draft(package: StoryPackage, records: Iterable[Record], *, node_before: str | None, source: str) -> Screenplay:
    """The screenplay of committed beats that follow each other.

    `node_before` is the node where the beat before the first of them ended, None where there is none. A scene's heading
    stands wherever the story comes to another node, with what the place is like when it is first seen. `source` says in
    a few words what was drafted.
    """
    drafting = _Drafting(package, node_before)
    elements = tuple(element for record in records for element in drafting.elements_of(record))
    speaking = {element.role_id for element in elements}
    return Screenplay(
        title=_on_one_line(package.title),
        language=package.language,
        cast=tuple(CastMember(role.id, _on_one_line(role.name)) for role in package.roles if role.id in speaking),
        elements=elements,
        source=source,
    )


def outline(package: StoryPackage) -> Screenplay:
    """A story before it is played: a heading for each node, what is to be brought about there and where it leads."""
    elements: list[Element] = []
    for episode in package.series:
        elements.append(Element(ElementKind.SECTION, _on_one_line(episode.title)))
        elements.append(Element(ElementKind.SYNOPSIS, _on_one_line(episode.objective)))
    seen: set[str] = set()
    for node in package.nodes:
        elements.append(Element(ElementKind.SCENE_HEADING, _heading(package, node.id)))
        elements.append(Element(ElementKind.SYNOPSIS, _on_one_line(node.objective)))
        scene = package.scene_by_id[node.scene_id]
        if scene.id not in seen and scene.description != scene.title:
            elements.append(Element(ElementKind.ACTION, scene.description))
        seen.add(scene.id)
        elements += [
            Element(ElementKind.NOTE, f"→ {_on_one_line(branch.label)}: {_heading(package, branch.to_node_id)}")
            for branch in package.branches
            if branch.from_node_id == node.id
        ]
    for ending in package.endings:
        elements.append(Element(ElementKind.CENTERED, _on_one_line(ending.title)))
        elements.append(Element(ElementKind.ACTION, ending.description))
    cast = tuple(CastMember(role.id, _on_one_line(role.name)) for role in package.roles)
    return Screenplay(_on_one_line(package.title), package.language, cast, tuple(elements))


class _Drafting:
    """Follows the beats of one draft: where the story is, and which places have been described."""

    def __init__(self, package: StoryPackage, node_before: str | None) -> None:
        self._package = package
        self._words = _words_for(package.language)
        self._node_id = node_before
        self._headed: str | None = None
        self._described: set[str] = set()

    def elements_of(self, record: Record) -> Iterator[Element]:
        """The elements of the next beat, in the order in which things happened in it."""
        beat: int = record["beat"]
        for kind, text, role_id in self._happenings(record):
            yield Element(kind, text, role_id, beat)

    def _happenings(self, record: Record) -> Iterator[tuple[ElementKind, str, str | None]]:
        yield from self._triggered(record)
        yield from self._headings(record)
        for line in record["lines"]:
            role_id = line["roleId"]
            yield ElementKind.CHARACTER, _on_one_line(self._package.role_by_id[role_id].name), role_id
            if "action" in line:
                yield ElementKind.PARENTHETICAL, _without_brackets(line["action"]), role_id
            yield ElementKind.DIALOGUE, line["text"], role_id
        if record["patch"]["status"] == "applied":
            yield from self._taken(record["patch"]["operations"])
        self._node_id = record["nodeId"]
        yield from self._ended(record)

    def _triggered(self, record: Record) -> Iterator[tuple[ElementKind, str, str | None]]:
        trigger: Mapping[str, Any] = record["trigger"]
        kind = trigger["kind"]
        if kind in {"opening", "episode"}:
            self._node_id = record["nodeId"]
        if kind == "episode":
            episode = self._package.episode_by_id[trigger["episodeId"]]
            yield ElementKind.SECTION, _on_one_line(episode.title), None
        elif kind == "message":
            yield from self._headings(record)
            yield ElementKind.ACTION, trigger["text"], None
        elif kind == "choice":
            yield from self._taken(({"op": "takeBranch", "branchId": trigger["branchId"]},))
        elif kind == "event":
            yield ElementKind.NOTE, self._words.event.format(type=trigger["type"]), None
            yield from self._taken(trigger.get("effects", ()))

    def _taken(self, operations: Iterable[Mapping[str, Any]]) -> Iterator[tuple[ElementKind, str, str | None]]:
        """The ways that were taken: each is told once, though several roles agreed on it."""
        taken = dict.fromkeys(operation["branchId"] for operation in operations if operation["op"] == "takeBranch")
        for branch_id in taken:
            branch = self._package.branch_by_id[branch_id]
            yield ElementKind.NOTE, f"→ {_on_one_line(branch.label)}", None
            self._node_id = branch.to_node_id

    def _headings(self, record: Record) -> Iterator[tuple[ElementKind, str, str | None]]:
        """Where the beat plays, if that was not told yet and anything happens there."""
        node_id = self._node_id
        if node_id is None or node_id == self._headed:
            return
        if record["trigger"]["kind"] == "end":
            return
        self._headed = node_id
        yield ElementKind.SCENE_HEADING, _heading(self._package, node_id), None
        scene = self._package.scene_by_id[self._package.node_by_id[node_id].scene_id]
        if scene.id not in self._described and scene.description != scene.title:
            yield ElementKind.ACTION, scene.description, None
        self._described.add(scene.id)

    def _ended(self, record: Record) -> Iterator[tuple[ElementKind, str, str | None]]:
        run: Mapping[str, Any] | None = record["episodeRun"]
        if run is not None and "ended" in run:
            if "endingId" in run["ended"]:
                yield from self._ending(run["ended"]["endingId"])
            episode = self._package.episode_by_id[run["episodeId"]]
            text = self._words.end_of_episode.format(title=_on_one_line(episode.title))
            yield ElementKind.CENTERED, text, None
        if record["ending"] is not None:
            yield from self._ending(record["ending"]["endingId"])
        if record["ending"] is not None or record["trigger"]["kind"] == "end":
            yield ElementKind.CENTERED, self._words.the_end, None

    def _ending(self, ending_id: str) -> Iterator[tuple[ElementKind, str, str | None]]:
        ending = self._package.ending_by_id[ending_id]
        yield ElementKind.CENTERED, _on_one_line(ending.title), None
        yield ElementKind.ACTION, ending.description, None


def _heading(package: StoryPackage, node_id: str) -> str:
    """The place, and what happens there."""
    node = package.node_by_id[node_id]
    place, title = _on_one_line(package.scene_by_id[node.scene_id].title), _on_one_line(node.title)
    return place if place == title else f"{place} - {title}"


def _words_for(language: str) -> _Words:
    tag = language.lower()
    traditional = tag.startswith(("zh-hant", "zh-tw", "zh-hk", "zh-mo"))
    return _WORDS.get("zh-hant" if traditional else tag.split("-")[0], _ENGLISH)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _without_brackets(action: str) -> str:
    """An action as it stands between the brackets of a parenthetical: one that brought its own loses them."""
    closing = _BRACKETS.get(action[:1])
    inner = action[1:-1].strip()
    if closing is None or not action.endswith(closing) or not inner or action[0] in inner or closing in inner:
        return action
    return inner
