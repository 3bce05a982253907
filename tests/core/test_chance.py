"""Chance follows from the seed, the beat and a label, and from nothing else."""

from __future__ import annotations

from itertools import product

from storyworld.core.chance import draw, fence_seed, performance_draw


def test_a_draw_stays_the_same_for_ever() -> None:
    assert draw(7, 1, "perform/ada/0") == performance_draw(7, 1, "ada", 0) == 17645362532698626744
    assert fence_seed(7, 1, "ada") == "68397dba3be1f590"


def test_every_seed_beat_role_and_candidate_has_a_draw_of_its_own() -> None:
    draws = {performance_draw(*key) for key in product((0, 7, 2**53 - 1), (0, 1, 11), ("ada", "ben"), (0, 1, 2))}
    assert len(draws) == 54
    assert all(0 <= number < 2**64 for number in draws)


def test_a_seed_and_a_beat_are_not_run_together() -> None:
    assert draw(1, 11, "x") != draw(11, 1, "x")


def test_candidates_of_one_moment_share_the_fence_and_nothing_else_does() -> None:
    fences = {fence_seed(*key) for key in product((0, 7), (0, 1), ("ada", "ben"))}
    assert len(fences) == 8
    assert {len(fence) for fence in fences} == {16}
