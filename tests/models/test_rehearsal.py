from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from storyworld.core.call import Call
from storyworld.core.chance import performance_draw
from storyworld.core.prompt.brief import Brief, Cue, EnvelopeBrief, FixedBrief, HeardLine, OptionShown, RememberedBeat
from storyworld.core.prompt.compose import compose, estimated_tokens, prepare
from storyworld.core.secrecy import tells
from storyworld.core.state import Note
from storyworld.core.story import Role
from storyworld.core.world import Model
from storyworld.models.rehearsal import Rehearsal, rehearse
from storyworld.models.rehearsal_part import called, part_of, quotable
from tests.core.prompt_makers import BARE_ENVELOPE, CHINESE_ENVELOPE, CHINESE_FIXED, ENVELOPE, FIXED, worded

TRADITIONAL_FIXED = replace(
    CHINESE_FIXED,
    language="zh-Hant",
    role=Role("marta", "阿寧", "擺渡人的女兒。", ("把醫生送過河。",), ("她把另一條船賣掉了。",), "話少，冷淡"),
)
TRADITIONAL_ENVELOPE = replace(
    CHINESE_ENVELOPE,
    objective="決定今晚誰渡河。水位很高。",
    options=(OptionShown("cast-off", "解纜開船"), OptionShown("turn-away", "請旅人回去")),
    cue=Cue("message", "阿寧，把燈點上。"),
    lines=(HeardLine("老卜", "今晚不行。"),),
)
SPOKEN = {
    "en": (FIXED, ENVELOPE),
    "zh-Hans": (CHINESE_FIXED, CHINESE_ENVELOPE),
    "zh-Hant": (TRADITIONAL_FIXED, TRADITIONAL_ENVELOPE),
}
ALONE = replace(ENVELOPE, refused=None, lines=(), relation_ids=("bram",), relations_left_out=0)


def answer(
    fixed: FixedBrief = FIXED,
    envelope: EnvelopeBrief = ALONE,
    *,
    beat: int = 1,
    draw: int = 0,
    memory: tuple[RememberedBeat, ...] = (),
) -> dict[str, Any]:
    """What the rehearsal replies to a composed brief, read as JSON."""
    prompt = compose(Brief(prepare(fixed), worded(memory, fixed.language), envelope, "seed"))
    reply = json.loads(rehearse(prompt, beat, draw))
    assert isinstance(reply, dict)
    return reply


def answers(
    fixed: FixedBrief = FIXED, envelope: EnvelopeBrief = ALONE, *, beat: int = 1, count: int = 150
) -> Iterator[dict[str, Any]]:
    """The replies to the same brief for many draws."""
    for seed in range(count):
        yield answer(fixed, envelope, beat=beat, draw=performance_draw(seed, beat, "marta", 0))


def operations(envelope: EnvelopeBrief, *, beat: int = 1, count: int = 400) -> list[dict[str, Any]]:
    return [
        operation for reply in answers(FIXED, envelope, beat=beat, count=count) for operation in reply["operations"]
    ]


def with_role(**changes: Any) -> FixedBrief:
    return replace(FIXED, role=replace(FIXED.role, **changes))


def test_the_same_call_gives_the_same_reply() -> None:
    prompt = compose(Brief(prepare(FIXED), (), ENVELOPE, "seed"))
    assert rehearse(prompt, 4, 99) == rehearse(prompt, 4, 99)
    assert len({rehearse(prompt, 4, draw) for draw in range(50)}) > 40


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("beat", [1, 3])
def test_a_reply_is_short_and_has_the_asked_form(language: str, beat: int) -> None:
    for reply in answers(*SPOKEN[language], beat=beat):
        assert set(reply) in ({"line", "operations"}, {"line", "action", "operations"})
        assert len(reply["line"]) <= 450
        assert len(reply["operations"]) <= 4
        assert "{" not in reply["line"]
        assert reply["line"].strip() == reply["line"] != ""


def test_each_language_is_spoken_in_its_own_script() -> None:
    spoken = {language: "".join(reply["line"] for reply in answers(*SPOKEN[language])) for language in SPOKEN}
    assert not any("\u4e00" <= character <= "\u9fff" for character in spoken["en"])
    simplified_only, traditional_only = set("这说过们听见话没谁为"), set("這說過們聽見話沒誰為")
    assert simplified_only <= set(spoken["zh-Hans"])
    assert traditional_only.isdisjoint(spoken["zh-Hans"])
    assert traditional_only <= set(spoken["zh-Hant"])
    assert simplified_only.isdisjoint(spoken["zh-Hant"])


def test_a_story_in_another_language_is_rehearsed_in_english() -> None:
    french = replace(FIXED, language="fr")
    assert [reply["line"] for reply in answers(french, count=20)] == [reply["line"] for reply in answers(count=20)]


@pytest.mark.parametrize(
    ("language", "goal", "objective"),
    [
        ("en", "get the doctor across", "settle whether anyone crosses tonight"),
        ("zh-Hans", "把医生送过河", "决定今晚谁渡河"),
        ("zh-Hant", "把醫生送過河", "決定今晚誰渡河"),
    ],
)
def test_lines_are_drawn_from_the_roles_goals_and_the_nodes_objective(language: str, goal: str, objective: str) -> None:
    lines = [reply["line"].lower() for reply in answers(*SPOKEN[language])]
    assert sum(goal in line for line in lines) > 15
    assert sum(objective in line for line in lines) > 5


def test_lines_answer_the_player_and_who_spoke_before() -> None:
    asked = [reply["line"] for reply in answers(FIXED, replace(ALONE, cue=Cue("message", "Who has the oars?")))]
    assert any("“Who has the oars”" in line for line in asked)
    heard = replace(ALONE, lines=(HeardLine("Nesta Garrow", "It will not be cheap tonight."),))
    replies = [reply["line"] for reply in answers(FIXED, heard)]
    assert sum("Nesta" in line for line in replies) > 20
    assert not any("Garrow" in line for line in replies)
    assert any("“It will not be cheap tonight”" in line for line in replies)


@pytest.mark.parametrize(
    ("cue", "said"),
    [
        (Cue("advance"), "Where were we?"),
        (Cue("choice", "Cast off"), "Well, it's done now."),
        (Cue("event", None, "bell", '{"times":2}'), "Did you hear that?"),
    ],
)
def test_lines_answer_what_set_the_beat_off(cue: Cue, said: str) -> None:
    assert any(said in reply["line"] for reply in answers(FIXED, replace(ALONE, cue=cue)))


def test_voices_sound_unlike_each_other() -> None:
    spoken = {}
    for voice in ("curt, dry", "formal, exact English", "warm and gentle", "blunt and loud", "nervous, evasive", None):
        fixed = with_role(voice=voice, goals=())
        spoken[voice] = [reply["line"] for reply in answers(fixed)]
    lengths = {voice: sum(map(len, lines)) / len(lines) for voice, lines in spoken.items()}
    assert min(lengths, key=lambda voice: lengths[voice]) == "curt, dry"
    for voice, lines in spoken.items():
        others = {line for other, theirs in spoken.items() if other not in {voice, None} for line in theirs}
        if voice is not None:
            assert len(others & set(lines)) < len(set(lines)) / 3


def test_a_role_without_a_voice_keeps_one_mood() -> None:
    nesta, ada = with_role(voice=None, name="Nesta"), with_role(voice=None, name="Ada")
    assert part_of(prepare(nesta)).mood == part_of(prepare(nesta)).mood
    moods = {part_of(prepare(with_role(voice=None, name=name))).mood for name in "abcdefghijklmnop"}
    assert len(moods) > 2
    assert part_of(prepare(ada)).name == "Ada"


def test_a_goal_is_not_spoken_where_it_would_sound_as_if_another_spoke() -> None:
    goals = (
        "Find out who killed her father.",
        "Be the sort of person Marta was.",
        "x" * 300,
        "To keep the oars: he wants them.",
    )
    part = part_of(prepare(with_role(goals=goals)))
    assert [aim.words for aim in part.aims] == ["keep the oars"]
    apart = part_of(prepare(with_role(goals=("The second boat, whole and paid for.",), secrets=())))
    assert [(aim.words, aim.is_deed) for aim in apart.aims] == [("The second boat, whole and paid for", False)]
    assert any(
        "The second boat" in reply["line"] for reply in answers(with_role(goals=("The second boat.",), secrets=()))
    )


def test_who_is_spoken_to_is_called_by_the_first_name_unless_it_is_a_title() -> None:
    part = part_of(prepare(FIXED))
    assert [called(part, name) for name in ("Nesta Garrow", "Old Bram", "Dr. Chen", "Pet")] == [
        "Nesta", "Old Bram", "Dr. Chen", "Pet",
    ]  # fmt: skip
    assert called(part_of(prepare(CHINESE_FIXED)), "欧阳 娜") == "欧阳 娜"


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("Light the lamp, Marta.", "Light the lamp"),
        ("Go.", None),
        ("He said “light the lamp” to me", None),
        ("word " * 30, None),
        ("a zero\u200bwidth sign here", None),
        ("we know she has sold the second boat", None),
    ],
)
def test_a_few_plain_words_are_quoted_or_none(said: str, quoted: str | None) -> None:
    assert quotable(part_of(prepare(FIXED)), said) == quoted


def test_a_chinese_quotation_is_counted_in_characters() -> None:
    part = part_of(prepare(CHINESE_FIXED))
    assert quotable(part, "阿宁，把灯点上。") is None
    assert quotable(part, "把灯点上，阿宁。") == "把灯点上"
    assert quotable(part, "灯" * 30) is None


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("beat", [1, 2, 3])
def test_no_secret_is_told_even_when_everything_else_holds_it(language: str, beat: int) -> None:
    fixed, envelope = SPOKEN[language]
    secret = fixed.role.secrets[0]
    told = replace(
        envelope,
        objective=f"{secret}",
        cue=Cue("message", secret),
        lines=(HeardLine(secret, secret, secret),) if beat == 2 else (),
        options=(OptionShown("cast-off", secret),),
    )
    knowing = replace(
        fixed, role=replace(fixed.role, goals=(secret, f"To say that {secret}"), secrets=fixed.role.secrets)
    )
    for reply in answers(knowing, told, beat=beat):
        assert not any(tells(json.dumps(reply, ensure_ascii=False), held) for held in knowing.role.secrets)


def test_not_even_a_piece_of_a_secret_is_spoken() -> None:
    fixed = with_role(
        goals=("Keep quiet about the second boat.", "Get the doctor across."),
        secrets=("She has sold the second boat.",),
    )
    lines = " ".join(reply["line"] for reply in answers(fixed))
    assert "second boat" not in lines
    assert "doctor" in lines


def test_a_secret_with_invisible_signs_is_known_as_the_same() -> None:
    part = part_of(prepare(FIXED))
    assert part.tells("the LAMP oil\u200b is\nwater.")
    assert not part.may_say("the ｌａｍｐ oil is wa")
    assert part.may_say("the lamp is lit")


def test_a_role_whose_secret_stands_in_every_sentence_says_nothing() -> None:
    mute = with_role(secrets=("e",))
    for beat, taken in ((1, []), (3, ["turn-away", "cast-off"])):
        reply = answer(mute, beat=beat)
        assert reply["line"] == "…"
        assert "action" not in reply
        assert all(operation["branchId"] in taken for operation in reply["operations"])
    short = with_role(secrets=("It",), goals=("Get it across.",))
    assert not any(tells(reply["line"], "It") for reply in answers(short))


def test_in_every_third_beat_an_option_of_the_prompt_is_taken() -> None:
    taken: Counter[str] = Counter()
    for beat in range(1, 13):
        for reply in answers(beat=beat, count=20):
            branches = [operation["branchId"] for operation in reply["operations"] if operation["op"] == "takeBranch"]
            assert len(branches) == (1 if beat % 3 == 0 else 0)
            taken.update(branches)
    assert set(taken) == {"cast-off", "turn-away"}


@pytest.mark.parametrize("envelope", [replace(ALONE, may_branch=False), replace(ALONE, options=())])
def test_no_option_is_taken_where_none_is_the_roles_to_take(envelope: EnvelopeBrief) -> None:
    assert not any(operation["op"] == "takeBranch" for operation in operations(envelope, beat=3, count=60))


@pytest.mark.parametrize(
    "labels",
    [
        ("Cast off", "Turn the traveller away", "Cast off alone"),
        ("x" * 200, "y" * 200, "z" * 200),
        ("Cast off!", "She has sold the second boat", "Wait\nhere"),
    ],
)
def test_the_seats_of_one_beat_take_the_same_option(labels: tuple[str, ...]) -> None:
    options = tuple(OptionShown(f"way-{place}", label) for place, label in enumerate(labels))
    chosen = set()
    for seed in range(60):
        lines: tuple[HeardLine, ...] = ()
        taken = []
        for role_id in ("marta", "bram", "chen"):
            fixed = FIXED if role_id == "marta" else with_role(name=role_id.title(), secrets=("The case is empty.",))
            reply = answer(
                fixed, replace(ALONE, options=options, lines=lines), beat=6, draw=performance_draw(seed, 6, role_id, 0)
            )
            taken += [operation["branchId"] for operation in reply["operations"] if operation["op"] == "takeBranch"]
            lines += (HeardLine(role_id.title(), reply["line"], reply.get("action")),)
        assert len(taken) == 3
        assert len(set(taken)) == 1
        chosen.add(taken[0])
    assert chosen


def test_the_first_to_speak_announces_what_is_taken() -> None:
    for reply in answers(beat=3, count=40):
        (taken,) = [operation["branchId"] for operation in reply["operations"] if operation["op"] == "takeBranch"]
        announced = {"cast-off": "Cast off.", "turn-away": "Turn the traveller away."}[taken]
        assert announced in reply["line"]


def test_operations_stay_within_what_the_prompt_shows() -> None:
    found = operations(replace(ALONE, lines=(HeardLine("Dr. Chen", "I can pay you."),)))
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for operation in found:
        by_kind.setdefault(operation["op"], []).append(operation)
    assert set(by_kind) == {"setFlag", "addNote", "setRelation", "establishFact", "putEntity"}
    types = {"lamp-lit": bool, "fare": int, "password": str}
    assert {operation["flagId"] for operation in by_kind["setFlag"]} == set(types)
    assert all(type(operation["value"]) is types[operation["flagId"]] for operation in by_kind["setFlag"])
    assert {operation["value"] for operation in by_kind["setFlag"] if operation["flagId"] == "fare"} == {-2, -4}
    assert all(operation["toRoleId"] == "bram" for operation in by_kind["setRelation"])
    assert all(-100 <= operation["value"] <= 100 for operation in by_kind["setRelation"])
    assert {operation["id"] for operation in by_kind["putEntity"]}.isdisjoint(ENVELOPE.entity_ids)
    assert all(0 < len(operation["text"]) <= 200 for operation in by_kind["addNote"] + by_kind["establishFact"])


def test_a_true_flag_mostly_stays_true_and_a_high_number_falls() -> None:
    flags = tuple(replace(flag, value=True if flag.type == "boolean" else 20) for flag in ENVELOPE.flags[:2])
    values = Counter(
        operation["value"] for operation in operations(replace(ALONE, flags=flags)) if operation["op"] == "setFlag"
    )
    assert values[True] > values[False] > 0
    assert values[19] > values[21] > 0


def test_new_ids_differ_between_roles_and_beats() -> None:
    ids = set()
    for name in ("Marta", "Bram"):
        for beat in (1, 2):
            replies = answers(with_role(name=name), replace(ALONE, entity_ids=(), entities_left_out=0), beat=beat)
            found = {
                operation["id"]
                for reply in replies
                for operation in reply["operations"]
                if operation["op"] == "putEntity"
            }
            assert len(found) == 1
            ids |= found
    assert len(ids) == 4


def test_nothing_is_added_near_a_cap() -> None:
    crowded = replace(
        ALONE,
        lines=(HeardLine("Dr. Chen", "I can pay you."),),
        notes=tuple(Note(f"n{number}", "A note.") for number in range(2, 16)),
        new_facts=tuple(f"Fact {number}." for number in range(8)),
        entity_ids=("boat",),
        entities_left_out=9,
        relation_ids=("a", "b", "c", "d"),
    )
    found = operations(crowded)
    assert {operation["op"] for operation in found} == {"setFlag", "removeNote"}
    assert {operation["id"] for operation in found if operation["op"] == "removeNote"} == {"n2"}


def test_after_a_refusal_nothing_is_risked() -> None:
    found = operations(replace(ALONE, refused=ENVELOPE.refused), count=100)
    assert {operation["op"] for operation in found} == {"addNote"}


def test_beside_the_effects_of_an_event_nothing_is_proposed_but_a_way_on() -> None:
    event = replace(ALONE, cue=Cue("event", None, "bell"))
    assert operations(event, beat=1, count=60) == []
    assert {operation["op"] for operation in operations(event, beat=3, count=60)} == {"takeBranch"}


@pytest.mark.parametrize("language", SPOKEN)
def test_forty_beats_seldom_repeat_a_line(language: str) -> None:
    fixed, envelope = SPOKEN[language]
    memory: list[RememberedBeat] = []
    spoken: list[str] = []
    for beat in range(1, 41):
        cue = Cue("advance") if beat % 2 else envelope.cue
        lines: tuple[HeardLine, ...] = ()
        for name in ("阿宁", "老卜", "陈医生"):
            cast = replace(fixed, role=replace(fixed.role, name=name))
            beat_now = replace(BARE_ENVELOPE, objective=envelope.objective, cue=cue, lines=lines)
            draw = performance_draw(11, beat, name, 0)
            reply = answer(cast, beat_now, beat=beat, draw=draw, memory=tuple(memory[-12:]))
            lines += (HeardLine(name, reply["line"], reply.get("action")),)
            spoken.append(reply["line"])
        memory.append(RememberedBeat(beat, cue, lines))
    assert len(set(spoken)) >= 0.95 * len(spoken)


def test_the_performer_answers_at_once_and_counts_tokens() -> None:
    prompt = compose(Brief(prepare(FIXED), (), ENVELOPE, "seed"))
    heard: list[str] = []
    performance = asyncio.run(Rehearsal().perform(Call("marta", 4, 99, prompt, Model("rehearsal")), heard.append))
    assert "".join(heard) == performance.text
    assert performance.text == rehearse(prompt, 4, 99)
    usage = performance.usage
    assert (usage.provider, usage.model, usage.attempts, usage.ms) == ("rehearsal", "rehearsal", 1, 0)
    assert usage.prompt_tokens == estimated_tokens(prompt)
    assert 0 < usage.completion_tokens < 300
    assert not performance.cut
