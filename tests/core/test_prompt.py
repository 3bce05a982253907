from __future__ import annotations

import dataclasses
from dataclasses import replace
from pathlib import Path

import pytest

from storyworld.core import limits
from storyworld.core.prompt.brief import Brief, Cue, FixedBrief, Prompt, Refused
from storyworld.core.prompt.compose import (
    TEMPLATE_VERSION,
    compose,
    digest_of,
    estimated_tokens,
    fit,
    prepare,
)
from tests.core.prompt_makers import (
    BARE_ENVELOPE,
    BARE_FIXED,
    CHINESE_ENVELOPE,
    CHINESE_FIXED,
    ENVELOPE,
    FIXED,
    MEMORY,
    as_text,
    brief,
    worded,
)

GOLDEN = Path(__file__).parent / "golden"

BRIEFS = {
    "english": brief(),
    "bare": Brief(prepare(BARE_FIXED), (), BARE_ENVELOPE, "seed"),
    "simplified": Brief(prepare(CHINESE_FIXED), worded(MEMORY, "zh-Hans"), CHINESE_ENVELOPE, "seed"),
    "traditional": Brief(prepare(replace(CHINESE_FIXED, language="zh-TW")), (), CHINESE_ENVELOPE, "seed"),
    "french": Brief(prepare(replace(FIXED, language="fr-CA")), (), replace(ENVELOPE, may_branch=False), "seed"),
}


def text_of(prompt: Prompt, kind: str) -> str:
    return next(section.text for section in prompt.sections if section.kind == kind)


@pytest.mark.parametrize("name", BRIEFS)
def test_a_template_version_never_changes_a_byte(name: str) -> None:
    golden = GOLDEN / f"prompt-v{TEMPLATE_VERSION}-{name}.txt"
    assert as_text(compose(BRIEFS[name])) == golden.read_text(encoding="utf-8")


def test_sections_stand_in_the_order_of_the_domain() -> None:
    prompt = compose(brief())
    assert [section.kind for section in prompt.fixed.sections] == [
        "persona", "story", "constraints", "canon", "facts", "sheet", "reply_format",
    ]  # fmt: skip
    assert [section.kind for section in prompt.memory] == ["memory"]
    assert [section.kind for section in prompt.envelope] == [
        "scene", "node", "objective", "new_facts", "notes", "flags", "options", "relation_ids", "entity_ids", "refused",
        "trigger", "lines",
    ]  # fmt: skip


def test_an_empty_section_is_absent() -> None:
    prompt = compose(BRIEFS["bare"])
    assert [section.kind for section in prompt.sections] == [
        "story", "sheet", "reply_format", "scene", "node", "objective", "trigger",
    ]  # fmt: skip
    assert all(section.text for section in prompt.sections)


def test_the_fixed_part_is_the_same_in_every_beat() -> None:
    first = compose(brief())
    other = compose(Brief(first.fixed, (), BARE_ENVELOPE, "another seed"))
    assert other.fixed == first.fixed
    assert "~~~" not in as_text(replace(other, memory=(), envelope=()))


def test_the_reply_asked_for_names_every_operation_and_how_many() -> None:
    asked = text_of(compose(brief()), "reply_format")
    for operation in (
        "setFlag", "putEntity", "removeEntity", "setRelation", "removeRelation", "addNote", "removeNote",
        "establishFact", "takeBranch",
    ):  # fmt: skip
        assert f'"op":"{operation}"' in asked
    assert f"at most {limits.WORLD_PATCH_ASKED_OPERATIONS.value}" in asked


def test_the_value_of_a_text_flag_is_not_shown() -> None:
    flags = text_of(compose(brief()), "flags")
    assert flags.split("\n")[1:] == [
        "- lamp-lit (boolean) = false: the lamp is lit",
        "- fare (integer) = -3: what is asked for the crossing",
        "- password (text): what the far bank calls back",
    ]


def test_the_brief_says_how_many_ids_it_leaves_out() -> None:
    prompt = compose(brief())
    assert text_of(prompt, "relation_ids").endswith("bram, chen (and 3 more)")
    assert text_of(prompt, "entity_ids").endswith("boat, case (and 1 more)")
    whole = compose(brief(relations_left_out=0, entities_left_out=0))
    assert text_of(whole, "relation_ids").endswith("bram, chen")
    assert text_of(whole, "entity_ids").endswith("boat, case")


def test_a_proposer_is_told_its_own_operation_and_others_only_that_the_patch_fell() -> None:
    assert "flag_unknown" in text_of(compose(brief()), "refused")
    fell = text_of(compose(brief(refused=Refused(None, None))), "refused")
    assert "refused as a whole" in fell
    assert "~~~" not in fell


def test_where_the_director_chooses_no_role_is_asked_to_take_an_option() -> None:
    assert "may be taken with takeBranch" in text_of(compose(brief()), "options")
    shown = text_of(compose(brief(may_branch=False)), "options")
    assert "takeBranch is not yours" in shown
    assert "Cast off" in shown


@pytest.mark.parametrize(
    ("language", "named"),
    [
        ("en", "English"), ("pt-BR", "Portuguese (pt-BR)"), ("eo", "eo"), ("zh", "简体中文"), ("zh-CN", "简体中文"),
        ("zh-Hant", "繁體中文"), ("zh-HK", "繁體中文"), ("ZH-tw", "繁體中文"), ("zh-Hant-MO", "繁體中文"),
    ],
)  # fmt: skip
def test_the_language_to_speak_in_is_named(language: str, named: str) -> None:
    story = text_of(compose(brief(replace(FIXED, language=language))), "story")
    assert story.endswith(named)
    assert ("请使用" in story) is language.lower().startswith("zh")


def test_a_prompt_has_one_digest_and_any_change_makes_another() -> None:
    base = digest_of(compose(brief()))
    assert base == digest_of(compose(brief()))
    changed = [
        compose(brief(replace(FIXED, persona="Someone else."))),
        compose(brief(memory=MEMORY[1:])),
        compose(brief(cue=Cue("advance"))),
        compose(replace(brief(), fence_seed="other")),
        replace(compose(brief()), template_version=TEMPLATE_VERSION + 1),
    ]
    assert len({base, *map(digest_of, changed)}) == 1 + len(changed)
    assert base.startswith("sha256:")


def test_a_text_cannot_move_between_the_parts_without_changing_the_digest() -> None:
    prompt = compose(brief())
    moved = replace(prompt, memory=(), envelope=prompt.memory + prompt.envelope)
    assert moved.sections == prompt.sections
    assert digest_of(moved) != digest_of(prompt)


def test_tokens_are_bytes_by_three_rounded_up() -> None:
    for prompt in map(compose, BRIEFS.values()):
        size_bytes = sum(len(section.text.encode()) for section in prompt.sections)
        assert estimated_tokens(prompt) == size_bytes // 3 + (size_bytes % 3 > 0)


def test_the_oldest_memory_gives_way_first_and_nothing_else() -> None:
    whole = compose(brief())
    without_oldest = compose(brief(memory=MEMORY[1:]))
    window = estimated_tokens(without_oldest) + 100
    fitted = fit(brief(), window, 100)
    assert fitted is not None
    assert fitted.memory_left_out == 1
    assert fitted.prompt == without_oldest
    assert fitted.prompt.envelope == whole.envelope


def test_a_prompt_fits_to_the_last_token() -> None:
    needed = estimated_tokens(compose(brief())) + 1024
    exact, short = fit(brief(), needed, 1024), fit(brief(), needed - 1, 1024)
    assert exact is not None
    assert exact.memory_left_out == 0
    assert short is not None
    assert short.memory_left_out == 1


def test_a_prompt_that_is_too_large_even_without_memory_is_not_made() -> None:
    least = estimated_tokens(compose(brief(memory=()))) + 10
    fitted = fit(brief(), least, 10)
    assert fitted is not None
    assert fitted.memory_left_out == len(MEMORY)
    assert fit(brief(), least - 1, 10) is None


def test_without_a_declared_window_everything_fits() -> None:
    fitted = fit(brief(), None, 1024)
    assert fitted is not None
    assert fitted.memory_left_out == 0


def test_a_brief_has_no_place_for_the_cast() -> None:
    names = {field.name for kind in (Brief, FixedBrief, type(ENVELOPE)) for field in dataclasses.fields(kind)}
    assert names.isdisjoint({"roles", "cast", "seats", "known_by", "skipped_roles", "package", "story"})
