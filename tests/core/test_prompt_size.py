"""How large a prompt can get: what is added up is what a prompt that is composed takes."""

from __future__ import annotations

import pytest

from storyworld.core.briefing import fixed_brief
from storyworld.core.normalize import normalize_package
from storyworld.core.playtest.packages import random_content
from storyworld.core.prompt.brief import Brief
from storyworld.core.prompt.compose import compose, estimated_tokens, prepare
from storyworld.core.prompt_size import LargestPrompts, _largest_envelope
from storyworld.core.story import StoryPackage, read_package
from tests.core.package_makers import whole


def composed_tokens(package: StoryPackage, role_id: str, persona: str) -> int:
    fixed = prepare(fixed_brief(package, persona, role_id))
    return estimated_tokens(compose(Brief(fixed, (), _largest_envelope(package), "")))


@pytest.mark.parametrize("persona", ["", "Slow to speak.\nNever shouts. 慢"])
@pytest.mark.parametrize("seed", range(12))
def test_what_is_added_up_is_what_a_composed_prompt_takes(seed: int, persona: str) -> None:
    package = read_package(normalize_package(random_content(seed)))
    largest = LargestPrompts(package)
    for role in package.roles:
        assert largest.tokens(role.id, persona) == composed_tokens(package, role.id, persona)


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@pytest.mark.parametrize("field", ["canon", "establishedFacts", "constraints"])
@pytest.mark.parametrize("listed", [[], [None], [["ben"]], [None, [], ["ada", "ben"], ["ada"]]])
def test_texts_of_several_lines_and_lists_that_not_every_role_has_are_added_up_alike(
    field: str, language: str, listed: list[list[str] | None]
) -> None:
    content = {**whole(), "language": language}
    content[field] = [
        {"id": f"x{place}", "text": "一\n二\n\n三", **({} if known_by is None else {"knownBy": known_by})}
        for place, known_by in enumerate(listed)
    ]
    package = read_package(normalize_package(content))
    largest = LargestPrompts(package)
    for role in package.roles:
        assert largest.tokens(role.id, "p") == composed_tokens(package, role.id, "p")
