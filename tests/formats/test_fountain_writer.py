"""How a screenplay is written as Fountain."""

from __future__ import annotations

from hypothesis import given, settings

from storyworld.core.screenplay import Screenplay
from storyworld.formats.fountain_reader import read_fountain
from storyworld.formats.fountain_return import screenplay_of
from storyworld.formats.fountain_writer import write_fountain
from tests.formats.screenplay_strategies import screenplays


@given(screenplays())
@settings(max_examples=300)
def test_what_is_written_is_read_back_equal(screenplay: Screenplay) -> None:
    assert screenplay_of(read_fountain(write_fountain(screenplay))) == screenplay
