"""Who is on stage in a beat, and what is said of everyone else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from storyworld.core import limits
from storyworld.core.seating import Seating, Skipped, fill_seats, in_declared_order
from storyworld.core.session import Story
from storyworld.core.trigger import Event, Turn
from storyworld.core.world import Settings
from tests.core.builders import package, story

SEATS = limits.WORLD_TURN_MAX_ROLES.value


def cast(count: int, **options: Any) -> Story:
    roles = [
        {"id": f"r{number}", "name": f"Role {number}", "description": "Waits.", "goals": [], "secrets": []}
        for number in range(count)
    ]
    return story(package(roles=roles, establishedFacts=[], initialRelations=[]), **options)


def skipped(seating: Seating) -> dict[str, str]:
    return {entry.role_id: entry.code for entry in seating.skipped}


def focus(*role_ids: str) -> Turn:
    return Turn("advance", focus_roles=role_ids)


@pytest.mark.parametrize("count", [1, SEATS, SEATS + 1, 24])
def test_three_roles_at_most_are_seated_and_the_others_are_told_that_the_seats_were_taken(count: int) -> None:
    seating = fill_seats(cast(count), Turn("advance"))
    assert seating.seats == tuple(f"r{number}" for number in range(min(count, SEATS)))
    assert skipped(seating) == {f"r{number}": "role_cap_reached" for number in range(SEATS, count)}


@pytest.mark.parametrize("named", [("r7", "r2", "r5"), ("r2", "r5", "r7"), ("r5", "r7", "r2")])
def test_a_focus_seats_whom_it_names_in_the_order_of_the_package(named: Sequence[str]) -> None:
    seating = fill_seats(cast(9), focus(*named))
    assert seating.seats == ("r2", "r5", "r7")
    assert set(skipped(seating).values()) == {"not_in_focus"}
    assert list(skipped(seating)) == ["r0", "r1", "r3", "r4", "r6", "r8"]


def test_a_focus_of_more_than_three_leaves_the_later_declared_without_a_seat() -> None:
    seating = fill_seats(cast(6), focus("r5", "r4", "r3", "r1"))
    assert seating.seats == ("r1", "r3", "r4")
    assert skipped(seating) == {"r0": "not_in_focus", "r2": "not_in_focus", "r5": "role_cap_reached"}


def test_an_event_wakes_those_who_subscribe_to_it() -> None:
    tale = cast(6, subscriptions={"r5": ["bell"], "r1": ["fire", "bell"], "r2": ["fire"]})
    seating = fill_seats(tale, Event("e1", "bell"))
    assert seating.seats == ("r1", "r5")
    assert skipped(seating) == dict.fromkeys(["r0", "r2", "r3", "r4"], "not_subscribed")


def test_of_five_who_are_woken_three_have_a_seat() -> None:
    tale = cast(7, subscriptions={f"r{number}": ["bell"] for number in (0, 2, 3, 5, 6)})
    seating = fill_seats(tale, Event("e1", "bell"))
    assert seating.seats == ("r0", "r2", "r3")
    assert skipped(seating) == {
        "r1": "not_subscribed",
        "r4": "not_subscribed",
        "r5": "role_cap_reached",
        "r6": "role_cap_reached",
    }


def test_an_event_that_wakes_nobody_says_so_of_every_role() -> None:
    assert fill_seats(cast(3), Event("e1", "bell")) == Seating(
        (), tuple(Skipped(f"r{number}", "not_subscribed") for number in range(3))
    )


def test_an_event_that_is_not_to_wake_anyone_says_nothing_of_anyone() -> None:
    tale = cast(3, subscriptions={"r0": ["bell"]})
    assert fill_seats(tale, Event("e1", "bell", wake=False)) == Seating()


@pytest.mark.parametrize("seats_max", [1, 2, 3])
def test_a_deliberation_may_ask_for_fewer_seats(seats_max: int) -> None:
    seating = fill_seats(cast(4), focus("r0", "r1", "r2"), seats_max=seats_max)
    assert seating.seats == ("r0", "r1", "r2")[:seats_max]
    assert skipped(seating) == {
        **dict.fromkeys(("r0", "r1", "r2")[seats_max:], "role_cap_reached"),
        "r3": "not_in_focus",
    }


MENTIONS = Settings(focus="mentions")


def test_a_message_focuses_whom_it_names_where_the_world_asks_for_it() -> None:
    message = Turn("message", text="Dot, did you see Ben?")
    assert fill_seats(story(settings=MENTIONS), message).seats == ("ben", "dot")
    assert fill_seats(story(), message).seats == ("ada", "ben", "cy")


def test_a_message_that_names_nobody_leaves_everyone_eligible() -> None:
    assert fill_seats(story(settings=MENTIONS), Turn("message", text="Who is there?")).seats == ("ada", "ben", "cy")
    assert fill_seats(story(settings=MENTIONS), Turn("advance")).seats == ("ada", "ben", "cy")


def test_an_explicit_focus_wins_over_names_in_the_message() -> None:
    turn = Turn("message", text="Dot?", focus_roles=("cy",))
    assert fill_seats(story(settings=MENTIONS), turn).seats == ("cy",)


def test_skipped_roles_stand_in_the_order_of_the_package() -> None:
    entries = [Skipped("dot", "not_in_focus"), Skipped("ada", "model_failed"), Skipped("cy", "not_in_focus")]
    assert [entry.role_id for entry in in_declared_order(story(), entries)] == ["ada", "cy", "dot"]
