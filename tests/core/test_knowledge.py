"""Who knows what, and since which beat."""

from __future__ import annotations

from storyworld.core.knowledge import Knowledge, secrets_of
from tests.core.builders import StageHand, reply, story


def follow(play: StageHand) -> Knowledge:
    """What a session gave, with its last state for every beat: facts never go."""
    knowledge = Knowledge(play.story.package)
    for record, _ in play.beats:
        knowledge.follow(record, play.state)
    return knowledge


def since(knowledge: Knowledge, role_id: str) -> dict[str, int]:
    return {f"{given['kind']} {given['id']}": given["since"] for given in knowledge.to_json()[role_id]}


def test_from_the_start_a_role_has_its_secrets_the_canon_and_the_facts_it_is_among() -> None:
    knowledge = Knowledge(story().package)
    assert since(knowledge, "ada") == {
        "secret ada/0": 0,
        "canon law": 0,
        "establishedFact dry": 0,
        "establishedFact debt": 0,
    }
    assert since(knowledge, "cy") == {"canon law": 0, "establishedFact dry": 0}


def test_canon_that_a_role_is_not_among_is_not_given() -> None:
    from tests.core.builders import package

    hidden = [{"id": "law", "text": "T", "knownBy": ["ada"]}]
    knowledge = Knowledge(package(canon=hidden))
    assert "canon law" not in since(knowledge, "ben")


def test_a_beat_gives_its_seats_the_beat_its_facts_and_the_secrets_told_in_it() -> None:
    play = StageHand(story())
    play.turn()
    fact = {"op": "establishFact", "id": "wet", "text": "It rains."}
    play.turn(ada=reply("the rope is cut", fact))
    knowledge = Knowledge(play.story.package)
    for record, _ in play.beats[:2]:
        knowledge.follow(record, StageHand(story()).state)
    knowledge.follow(play.beats[2][0], play.state)
    assert since(knowledge, "ben")["reveal ada/0"] == 2
    assert since(knowledge, "ben")["fact wet"] == 2
    assert since(knowledge, "ben")["beat 1"] == 1
    assert not {"reveal ada/0", "fact wet", "beat 1"} & since(knowledge, "dot").keys()
    assert knowledge.is_granted("ben", "ada/0")
    assert knowledge.is_granted("ada", "ada/0")
    assert not knowledge.is_granted("dot", "ada/0")


def test_what_was_given_once_keeps_its_first_beat() -> None:
    play = StageHand(story())
    play.turn(ada=reply("the rope is cut"))
    play.turn(ada=reply("the rope is cut"))
    assert since(follow(play), "ben")["reveal ada/0"] == 1


def test_secrets_are_named_by_role_and_place() -> None:
    assert dict(secrets_of(story().package)) == {
        "ada/0": "the rope is cut",
        "ben/0": "he sold the bucket",
        "dot/0": "she saw Ben",
    }
