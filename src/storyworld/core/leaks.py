"""The leak report: every secret that stands where it was not granted.

Each prompt is composed again and searched, with every line, option, note and fact and with what a script draft says
beside the lines, for the secrets of roles that the reader was never given. A role that tells its own secret reveals it,
which is no leak; a secret found anywhere else is one. Nothing is blocked here: the report says what happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from storyworld.core.beat import Record
from storyworld.core.drafting import draft
from storyworld.core.knowledge import Knowledge, secret_id, secrets_of, texts_of
from storyworld.core.prompt.brief import Prompt
from storyworld.core.replay import Difference, Replies, Worldline
from storyworld.core.secrecy import secrets_in, tells
from storyworld.core.session import Story
from storyworld.core.state import State

Place = Literal["prompt", "line", "option", "note", "fact", "draft"]


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret (`roleId/index`) that stands in a place of a beat where the role `role_id` could read it ungranted.

    For an option or a draft, which everyone may read, `role_id` is None.
    """

    beat: int
    secret: str
    place: Place
    role_id: str | None

    def to_json(self) -> dict[str, Any]:
        """The entry of the report; a secret is named, never quoted."""
        return {"beat": self.beat, "secret": self.secret, "place": self.place, "roleId": self.role_id}


@dataclass(frozen=True, slots=True)
class LeakReport:
    """Every leak in the order of beats, and what every role has been given; `difference` says where the log does not
    hold.
    """

    leaks: tuple[Leak, ...]
    knowledge: Knowledge
    difference: Difference | None = None


_Secrets = tuple[tuple[str, str], ...]
_Found = Iterator[tuple[Leak, None]]


class LeakSearch:
    """Looks for every secret in everything that each role was shown, beat by beat along a worldline."""

    def __init__(self, story: Story) -> None:
        self.worldline = Worldline(
            story, on_prompt=lambda beat, role_id, prompt: self._prompts.append((role_id, prompt))
        )
        self._package = story.package
        self._secrets = tuple(secrets_of(story.package))
        self._knowledge = Knowledge(story.package)
        self._prompts: list[tuple[str, Prompt]] = []
        self._leaks: dict[Leak, None] = {}
        self._node_id: str | None = None

    def follow(self, record: Record) -> None:
        """Search a beat that the worldline has just gone on to."""
        told_before = dict(_prompt_leaks(self._knowledge, self._secrets, record, self._prompts))
        self._prompts.clear()
        head = self.worldline.head
        state = None if head is None else head.state
        if state is not None:
            self._knowledge.follow(record, state)
        self._leaks.update(told_before)
        self._leaks.update(_beat_leaks(self._knowledge, self._secrets, record, state))
        self._leaks.update(self._draft_leaks(record))
        self._node_id = record["nodeId"]

    def _draft_leaks(self, record: Record) -> _Found:
        """Secrets in what a script draft of the beat says beside the lines: everybody may read it."""
        drafted = draft(self._package, [record], node_before=self._node_id, source="")
        text = "\n".join(element.text for element in drafted.elements if element.role_id is None)
        withheld = [
            (secret, words)
            for secret, words in self._secrets
            if not all(self._knowledge.is_granted(role_id, secret) for role_id in self._knowledge.given)
        ]
        for secret in secrets_in(text, withheld):
            yield Leak(record["beat"], secret, "draft", None), None

    def report(self, difference: Difference | None = None) -> LeakReport:
        """What was found so far."""
        return LeakReport(tuple(self._leaks), self._knowledge, difference)


def report_leaks(story: Story, beats: Iterable[tuple[Record, Replies]]) -> LeakReport:
    """Follow a worldline from beat 0 on and look for every secret in everything that each role was shown."""
    search = LeakSearch(story)
    for record, replies in beats:
        difference = search.worldline.check(record, replies)
        if difference is not None:
            return search.report(difference)
        search.follow(record)
    return search.report()


def _prompt_leaks(
    knowledge: Knowledge, secrets: _Secrets, record: Record, prompts: Iterable[tuple[str, Prompt]]
) -> _Found:
    """Secrets in the prompts of a beat: judged by what was granted before it, and by what was told in it before the
    role spoke.
    """
    seats: list[str] = record["seats"]
    for role_id, prompt in prompts:
        before = seats[: seats.index(role_id)]
        told = {
            secret_id(reveal["roleId"], reveal["secretIndex"])
            for reveal in record["reveals"]
            if reveal["roleId"] in before
        }
        text = "\n".join(section.text for section in prompt.sections)
        withheld = [
            (secret, words)
            for secret, words in secrets
            if secret not in told and not knowledge.is_granted(role_id, secret)
        ]
        for secret in secrets_in(text, withheld):
            yield Leak(record["beat"], secret, "prompt", role_id), None


def _beat_leaks(knowledge: Knowledge, secrets: _Secrets, record: Record, state: State | None) -> _Found:
    """Secrets in what a beat left behind, judged by what was granted with it."""
    beat = record["beat"]
    for secret, words in secrets:
        ungranted = [role_id for role_id in knowledge.given if not knowledge.is_granted(role_id, secret)]
        spoken = any(tells(texts_of(line), words) for line in record["lines"])
        for role_id in ungranted:
            if spoken and role_id in record["seats"]:
                yield Leak(beat, secret, "line", role_id), None
            if state is not None:
                yield from _state_leaks(beat, secret, words, role_id, state)
        if ungranted and any(tells(option["label"], words) for option in record["branchOptions"]):
            yield Leak(beat, secret, "option", None), None


def _state_leaks(beat: int, secret: str, words: str, role_id: str, state: State) -> _Found:
    if any(tells(note.text, words) for note in state.notes.get(role_id, ())):
        yield Leak(beat, secret, "note", role_id), None
    if any(fact.is_known_to(role_id) and tells(fact.text, words) for fact in state.facts):
        yield Leak(beat, secret, "fact", role_id), None
