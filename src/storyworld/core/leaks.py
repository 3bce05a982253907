"""The leak report: every secret that stands where it was not granted.

Each prompt is composed again and searched, with every line, option, note and fact, for the secrets of roles that the
reader was never given. A role that tells its own secret reveals it, which is no leak; a secret found anywhere else is
one. Nothing is blocked here: the report says what happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from storyworld.core.beat import Record
from storyworld.core.knowledge import Knowledge, secret_id, secrets_of, texts_of
from storyworld.core.prompt.brief import Prompt
from storyworld.core.replay import Difference, Replies, Worldline
from storyworld.core.secrecy import secrets_in, tells
from storyworld.core.session import Story
from storyworld.core.state import State

Place = Literal["prompt", "line", "option", "note", "fact"]


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret (`roleId/index`) that stands in a place of a beat where the role `role_id` could read it ungranted.

    For an option, which everyone may read, `role_id` is None.
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


def report_leaks(story: Story, beats: Iterable[tuple[Record, Replies]]) -> LeakReport:
    """Follow a worldline from beat 0 on and look for every secret in everything that each role was shown."""
    prompts: list[tuple[str, Prompt]] = []
    knowledge = Knowledge(story.package)
    worldline = Worldline(story, on_prompt=lambda beat, role_id, prompt: prompts.append((role_id, prompt)))
    secrets = tuple(secrets_of(story.package))
    leaks: dict[Leak, None] = {}
    for record, replies in beats:
        prompts.clear()
        difference = worldline.check(record, replies)
        if difference is not None:
            return LeakReport(tuple(leaks), knowledge, difference)
        told_before = dict(_prompt_leaks(knowledge, secrets, record, prompts))
        state = None if worldline.head is None else worldline.head.state
        if state is not None:
            knowledge.follow(record, state)
        leaks.update(told_before)
        leaks.update(_beat_leaks(knowledge, secrets, record, state))
    return LeakReport(tuple(leaks), knowledge)


_Secrets = tuple[tuple[str, str], ...]
_Found = Iterator[tuple[Leak, None]]


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
