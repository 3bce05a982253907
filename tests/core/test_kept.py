"""What is kept is what would be made, and is made once."""

from __future__ import annotations

from storyworld.core.kept import KEPT_MAX, Kept


def test_what_follows_from_a_value_is_made_once() -> None:
    made: list[str] = []

    def shout(words: list[str]) -> str:
        made.append(words[0])
        return words[0].upper()

    kept: Kept[str] = Kept()
    value, equal = ["salt"], ["salt"]
    assert [kept.of(value, shout) for _ in range(3)] == ["SALT"] * 3
    assert made == ["salt"]
    assert kept.of(equal, shout) == "SALT"
    assert made == ["salt", "salt"]


def test_a_new_value_never_gets_what_was_made_of_one_that_is_gone() -> None:
    kept: Kept[int] = Kept()
    # Lists that nobody holds leave their place in memory to the next one.
    for number in range(3 * KEPT_MAX):
        assert kept.of([number], lambda numbers: numbers[0]) == number


def test_no_more_than_the_last_values_are_kept() -> None:
    made: list[int] = []

    def note(value: tuple[int]) -> int:
        made.append(value[0])
        return value[0]

    kept: Kept[int] = Kept()
    values = [(number,) for number in range(KEPT_MAX + 1)]
    for value in values:
        kept.of(value, note)
    kept.of(values[-1], note)
    assert len(made) == len(values)
    kept.of(values[0], note)
    assert made[-1] == 0
    assert len(made) == len(values) + 1
