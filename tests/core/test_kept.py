"""What is kept is what would be made, and is made once."""

from __future__ import annotations

from storyworld.core.kept import KEPT_MAX, kept


def test_what_follows_from_the_same_values_is_made_once() -> None:
    made: list[str] = []

    @kept
    def shout(words: list[str], mark: str) -> str:
        made.append(words[0])
        return words[0].upper() + mark

    value, equal = ["salt"], ["salt"]
    assert [shout(value, "!") for _ in range(3)] == ["SALT!"] * 3
    assert made == ["salt"]
    assert shout(value, "?") == "SALT?"
    assert shout(equal, "!") == "SALT!"
    assert made == ["salt"] * 3


def test_a_new_value_never_gets_what_was_made_of_one_that_is_gone() -> None:
    @kept
    def first(numbers: list[int]) -> int:
        return numbers[0]

    # A list that nobody holds leaves its place in memory to the next one.
    for number in range(3 * KEPT_MAX):
        assert first([number]) == number


def test_no_more_than_the_last_results_are_kept() -> None:
    made: list[int] = []

    @kept
    def note(value: tuple[int]) -> None:
        made.append(value[0])

    values = [(number,) for number in range(KEPT_MAX + 1)]
    for value in (*values, values[-1]):
        note(value)
    assert made == [*range(KEPT_MAX + 1)]
    note(values[0])
    assert made == [*range(KEPT_MAX + 1), 0]
