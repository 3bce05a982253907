"""Values that are made often are like frozen dataclasses, but for who sees to it that they stay as they are."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from storyworld.core.unchanging import unchanging


@unchanging
class Lamp:
    """A thing with a default."""

    colour: str
    lit: bool = False


def test_a_value_is_made_compared_hashed_and_changed_into_another_like_a_frozen_dataclass() -> None:
    lamp = Lamp("red")
    assert lamp == Lamp("red", lit=False)
    assert lamp != Lamp("red", lit=True)
    assert {lamp: 1}[Lamp(colour="red")] == 1
    assert replace(lamp, lit=True) == Lamp("red", lit=True)
    assert repr(lamp) == "Lamp(colour='red', lit=False)"
    assert [field.name for field in fields(Lamp)] == ["colour", "lit"]


def test_the_type_checker_lets_nobody_change_a_value() -> None:
    lamp = Lamp("red")
    # Were this assignment taken, the type checker would complain of a comment that is not needed.
    lamp.lit = True  # type: ignore[misc]


def test_a_value_has_no_other_fields() -> None:
    with pytest.raises(AttributeError):
        setattr(Lamp("red"), "size", 3)  # noqa: B010 - a name that the type checker cannot see
