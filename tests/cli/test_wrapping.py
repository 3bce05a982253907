"""How texts are broken into the lines of a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from storyworld.cli.wrapping import laid_out


def lines(text: str, columns: int | None) -> list[str]:
    return laid_out(Text(text), columns).plain.split("\n")


def test_chinese_begins_beside_the_name_and_no_stop_begins_a_line() -> None:
    spoken = "  托马斯: 伊内斯，什么时候轮到你做主了？要么算数，要么作罢。“好。”"
    assert lines(spoken, 26) == [
        "  托马斯: 伊内斯，什么时候",
        "    轮到你做主了？要么算",
        "    数，要么作罢。“好。”",
    ]


def test_english_is_broken_at_spaces_and_a_word_that_fits_no_line_is_broken_anywhere() -> None:
    assert lines("  Ines: It costs nothing.", 16) == ["  Ines: It costs", "    nothing."]
    assert lines("abcdef gh", 4) == ["abcd", "ef", "gh"]
    assert lines("  abcdefgh", 6) == ["  abcd", "efgh"]


def test_a_line_break_in_a_text_never_leaves_its_paragraph() -> None:
    for columns in (None, 40):
        assert lines("  Ines: Aye.\nBeat 9\n", columns) == ["  Ines: Aye.", "    Beat 9", "    "]


def test_what_a_program_reads_is_as_long_as_it_is() -> None:
    assert lines("  " + "长" * 500, None) == ["  " + "长" * 500]


def test_a_style_stays_with_what_it_was_given_to() -> None:
    laid = laid_out(Text.assemble(("成交成交", "bold"), "店换了主人", style="blue"), 8)
    assert laid.style == "blue"
    assert [laid.plain[span.start : span.end] for span in laid.spans if span.style == "bold"] == ["成交成交"]


@pytest.mark.parametrize("text", ["", " ", "    ", "\u200d\u200d", "👩\u200d🚀", "é́́"])
def test_texts_of_no_width_are_kept(text: str) -> None:
    assert "".join(lines(text, 1)).strip() == text.strip()


@given(st.text(alphabet="ab ，。（x长\u200d\n", max_size=60), st.integers(2, 20))
def test_no_line_is_too_long_and_nothing_but_spaces_is_lost(text: str, columns: int) -> None:
    laid = lines(text, columns)
    assert all(cell_len(line.rstrip()) <= columns for line in laid)
    assert "".join(laid).replace(" ", "") == text.replace(" ", "").replace("\n", "")
