"""Random worlds, moves, operations and replies: most are sound, and every form comes up."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from storyworld.core.branching import BranchOption
from storyworld.core.call import Call, Failure, Performance
from storyworld.core.errors import Refusal
from storyworld.core.patch import Fallen, Powers, Working, apply_operations, propose
from storyworld.core.playtest.draws import Draws
from storyworld.core.playtest.expressions import Things
from storyworld.core.playtest.improvisation import improvise, random_operation, random_reply
from storyworld.core.playtest.moves import Begin, Move, random_move
from storyworld.core.playtest.worlds import random_story
from storyworld.core.prompt.brief import FixedPart, Prompt
from storyworld.core.session import Head, Story
from storyworld.core.state import initial_state
from storyworld.core.trigger import End, Event, Turn
from storyworld.core.trigger_door import judge_ids, read_event_shape, read_turn_shape
from storyworld.core.world import Model

PROMPT = Prompt(FixedPart("en", (), "sha256:0", 0), (), (), 1)
STORIES = [random_story(seed) for seed in range(60)]


def head_of(story: Story) -> Head:
    """The head of a session that has just opened, with every branch of the story as an option."""
    options = tuple(BranchOption(branch.id, branch.label, branch.to_node_id) for branch in story.package.branches)
    return Head("ses_1", 1, "active", 3, "sha256:0", initial_state(story.package), options, 0)


def moves(count: int = 60) -> list[tuple[Story, Move]]:
    return [
        (story, random_move(draws, story, head_of(story)))
        for seed, story in enumerate(STORIES)
        for draws in [Draws(seed)]
        for _ in range(count)
    ]


def test_the_same_seed_makes_the_same_story_in_the_same_world() -> None:
    one, other = random_story(11), random_story(11)
    assert (one.package, one.world, one.world_digest) == (other.package, other.world, other.world_digest)
    assert one.world_digest != random_story(12).world_digest


def test_random_worlds_have_every_setting() -> None:
    worlds = [story.world for story in STORIES]
    assert {world.settings.branching for world in worlds} == {"roles", "director"}
    assert {world.settings.focus for world in worlds} == {"declared", "mentions"}
    assert {0, 12, 50} <= {world.settings.memory_beats for world in worlds}
    assert any(story.human_roles for story in STORIES)
    assert any(binding.agent.context_window for world in worlds for binding in world.bindings)
    assert {bool(story.subscribers.get("storm")) for story in STORIES} == {False}
    assert any(story.subscribers for story in STORIES)


def test_every_kind_of_move_comes_up() -> None:
    made = [move for _, move in moves()]
    assert {type(move) for move in made} == {Turn, Event, Begin, End}
    turns = [move for move in made if isinstance(move, Turn)]
    assert {turn.kind for turn in turns} == {"message", "choice", "advance"}
    assert {turn.focus_roles is None for turn in turns} == {True, False}
    assert any(turn.lines for turn in turns)
    events = [move for move in made if isinstance(move, Event)]
    assert {event.wake for event in events} == {True, False}
    assert any(event.effects for event in events)
    assert any(event.data for event in events)


def test_every_random_turn_and_event_has_the_shape_that_a_client_may_send() -> None:
    for _, move in moves(20):
        if isinstance(move, Turn):
            assert read_turn_shape(move.to_json()) == move
        elif isinstance(move, Event):
            sent = {name: value for name, value in move.to_json().items() if name != "kind"}
            assert read_event_shape(sent) == move


def test_some_random_turns_name_what_there_is_not() -> None:
    judged = Counter(
        isinstance(judge_ids(move, story), Refusal) for story, move in moves() if isinstance(move, Turn | Event)
    )
    assert 0 < judged[True] < judged[False] / 10


def test_an_event_comes_once() -> None:
    ids = [move.event_id for story, move in moves() if story is STORIES[0] and isinstance(move, Event)]
    assert len(set(ids)) == len(ids) > 0


def test_most_random_effects_can_be_applied_and_every_operation_comes_up() -> None:
    draws = Draws(5)
    ops: Counter[str] = Counter()
    applied = fallen = 0
    for story in STORIES:
        things = Things.of(story.package)
        head = head_of(story)
        for _ in range(60):
            effect = random_operation(draws, things, head, None)
            ops[effect.get("op", "none")] += 1
            proposal = propose(Powers(None, options=tuple(option.branch_id for option in head.options)), effect)
            outcome = apply_operations(story.package, Working(head.state), [proposal])
            if isinstance(outcome, Fallen):
                fallen += 1
            else:
                applied += 1
                head = replace(head, state=outcome.state)
    assert applied > fallen
    assert min(ops.values()) > 0
    assert len(ops) >= 11


def test_replies_are_mostly_the_json_that_was_asked_for_and_sometimes_anything_else() -> None:
    story = STORIES[3]
    draws = Draws(8)
    role = story.package.roles[0]
    replies = [random_reply(draws, story, head_of(story), role.id) for _ in range(1000)]
    as_asked = [text for text in replies if text.startswith('{"') and text.endswith("}")]
    assert 600 < len(as_asked) < 950
    for part in ("```json", "<think>", "台词", "Here is", "\ud800"):
        assert any(part in text for text in replies), part
    assert any(text.count("addNote") + text.count('"op"') > 20 for text in replies)
    assert any(len(text) > 2000 for text in replies)


def test_a_role_with_a_secret_tells_it_now_and_then() -> None:
    story, role = next((story, role) for story in STORIES for role in story.package.roles if role.secrets)
    draws = Draws(9)
    mark = role.secrets[0][:16]
    told = sum(mark in random_reply(draws, story, head_of(story), role.id) for _ in range(800))
    assert 0 < told < 80


def test_an_improvised_answer_follows_from_the_draw_alone() -> None:
    story = STORIES[0]
    head = head_of(story)
    role_id = story.package.roles[0].id

    def answer(number: int) -> Performance | Failure:
        return improvise(story, head, Call(role_id, 4, number, PROMPT, Model("rehearsal")))

    answers = [answer(number) for number in range(400)]
    assert answers == [answer(number) for number in range(400)]
    assert {type(one) for one in answers} == {Performance, Failure}
    assert {one.timed_out for one in answers if isinstance(one, Failure)} == {True, False}
    assert {one.cut for one in answers if isinstance(one, Performance)} == {True, False}
