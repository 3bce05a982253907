"""What is kept is what would be made, and is made once."""

from __future__ import annotations

from weakref import ref

from storyworld.core.kept import KEPT_MAX, kept, kept_apart


class Book:
    """A large value."""

    def __init__(self, title: str) -> None:
        self.title = title


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


def test_of_a_large_value_and_others_one_thing_is_made_once() -> None:
    made: list[str] = []

    @kept_apart
    def quote(book: Book, lines: list[str]) -> str:
        made.append(lines[0])
        return f"{lines[0]} ({book.title})"

    book, other, lines = Book("Salt"), Book("Rain"), ["Nobody asked."]
    assert [quote(book, lines) for _ in range(3)] == ["Nobody asked. (Salt)"] * 3
    assert quote(other, lines) == "Nobody asked. (Rain)"
    assert quote(book, list(lines)) == "Nobody asked. (Salt)"
    assert made == ["Nobody asked."] * 3


def test_a_large_value_is_not_held_by_what_was_made_with_it() -> None:
    @kept_apart
    def title(book: Book, mark: str) -> str:
        return book.title + mark

    book = Book("Salt")
    assert title(book, "!") == "Salt!"
    held = ref(book)
    del book
    assert held() is None


def test_a_new_large_value_never_gets_what_was_made_with_one_that_is_gone() -> None:
    @kept_apart
    def title(book: Book) -> str:
        return book.title

    # A book that nobody holds leaves its place in memory to the next one.
    for number in range(3 * KEPT_MAX):
        assert title(Book(str(number))) == str(number)


def test_no_more_than_the_last_results_with_large_values_are_kept() -> None:
    made: list[str] = []

    @kept_apart
    def note(book: Book) -> None:
        made.append(book.title)

    books = [Book(str(number)) for number in range(KEPT_MAX + 1)]
    for book in (*books, books[-1], books[0]):
        note(book)
    assert made == [*(book.title for book in books), "0"]
