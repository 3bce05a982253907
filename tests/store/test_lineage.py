from __future__ import annotations

from storyworld.store.lineage import Branch, Segment, segments


def test_a_session_that_never_was_has_no_beats() -> None:
    branches: dict[str, Branch] = {}
    assert list(segments(branches.get, "never")) == []


def test_who_finds_enough_in_the_newest_asks_for_no_parent() -> None:
    asked: list[str] = []
    branches = {"old": Branch("old", 6, None, None), "new": Branch("new", 9, "old", 4)}

    def find(session_id: str) -> Branch | None:
        asked.append(session_id)
        return branches.get(session_id)

    assert next(segments(find, "new")) == Segment("new", 5, 9)
    assert asked == ["new"]


def test_a_parent_without_a_beat_of_its_own_before_the_fork_is_passed_over() -> None:
    branches = {
        "old": Branch("old", 6, None, None),
        "mid": Branch("mid", 8, "old", 4),
        "new": Branch("new", 9, "mid", 2),
    }
    assert list(segments(branches.get, "new")) == [Segment("new", 3, 9), Segment("old", 0, 2)]
