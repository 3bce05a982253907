"""The rules have a number, and it is one that this build can replay."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from storyworld.core.rules import ENGINES, KNOWN_RULES, RULES_VERSION


def test_the_rules_by_which_beats_are_made_can_be_replayed() -> None:
    assert RULES_VERSION in KNOWN_RULES


@pytest.mark.parametrize("name", ENGINES)
def test_the_installed_engine_is_the_one_that_the_rules_rest_on(name: str) -> None:
    assert version(name) == ENGINES[name]


def test_the_versions_of_the_engines_cannot_be_changed_while_the_program_runs() -> None:
    with pytest.raises(TypeError):
        ENGINES["jiter"] = "0"  # type: ignore[index]
