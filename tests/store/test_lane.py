"""Work is done in the thread of its link, in order, and told to whoever still waits for it."""

from __future__ import annotations

import asyncio
from threading import Event, current_thread

import pytest

from storyworld.store.lane import Lane
from tests.store.processes import printed

WAIT_S = 30


class Ledger:
    """A link that writes down what was done with it."""

    def __init__(self) -> None:
        self.entries: list[str] = []
        self.closed = 0

    def write(self, entry: str) -> str:
        self.entries.append(entry)
        return f"{entry} in {current_thread().name}"

    def close(self) -> None:
        self.closed += 1


def test_work_is_done_in_the_thread_of_the_link_in_the_order_in_which_it_was_asked_for() -> None:
    async def write(entry: str) -> str:
        return await lane.hop(lambda link: link.write(entry))

    async def whole() -> list[str]:
        return list(await asyncio.gather(*(write(f"{number}") for number in range(5))))

    ledger = Ledger()
    lane = Lane("scribe", [ledger])
    assert asyncio.run(whole()) == [f"{n} in scribe" for n in range(5)]
    lane.close()
    assert ledger.entries == ["0", "1", "2", "3", "4"]


def test_what_goes_wrong_is_told_and_the_next_work_is_done() -> None:
    async def whole() -> str:
        with pytest.raises(ZeroDivisionError):
            await lane.hop(lambda link: 1 // 0)
        return await lane.hop(lambda link: link.write("on"))

    lane = Lane("scribe", [Ledger()])
    assert asyncio.run(whole()) == "on in scribe"
    lane.close()


def test_two_links_work_at_once() -> None:
    first, second = Event(), Event()

    def meet(mine: Event, other: Event) -> bool:
        mine.set()
        return other.wait(WAIT_S)

    async def whole() -> list[bool]:
        return list(
            await asyncio.gather(lane.hop(lambda link: meet(first, second)), lane.hop(lambda link: meet(second, first)))
        )

    lane = Lane("scribe", [Ledger(), Ledger()])
    assert asyncio.run(whole()) == [True, True]
    lane.close()


@pytest.mark.parametrize("falls", [False, True])
def test_work_whose_asker_has_left_is_done_all_the_same(falls: bool) -> None:
    ledger, go = Ledger(), Event()

    def work(link: Ledger) -> None:
        go.wait(WAIT_S)
        link.write("done")
        assert not falls, "a fault that nobody hears of"

    async def whole() -> None:
        waiting = asyncio.ensure_future(lane.hop(work))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        assert waiting.cancelled()
        go.set()
        assert await lane.hop(lambda link: link.write("next")) == "next in scribe"

    lane = Lane("scribe", [ledger])
    asyncio.run(whole())
    lane.close()
    assert ledger.entries == ["done", "next"]


def test_work_outlives_the_loop_that_asked_for_it() -> None:
    ledger, go = Ledger(), Event()

    def work(link: Ledger) -> None:
        go.wait(WAIT_S)
        link.write("done")

    async def leave() -> None:
        asyncio.ensure_future(lane.hop(work)).add_done_callback(lambda asked: None)
        await asyncio.sleep(0)

    lane = Lane("scribe", [ledger])
    asyncio.run(leave())
    go.set()
    lane.close()
    assert ledger.entries == ["done"]


def test_closing_lets_work_end_and_gives_each_link_back_once() -> None:
    ledgers = [Ledger(), Ledger()]
    lane = Lane("scribe", ledgers)

    async def whole() -> None:
        asked = [asyncio.ensure_future(lane.hop(lambda link: link.write("done"))) for _ in range(20)]
        await asyncio.sleep(0)
        await asyncio.to_thread(lane.close)
        await asyncio.gather(*asked)
        with pytest.raises(AssertionError, match="before it is closed"):
            await lane.hop(lambda link: link.write("late"))

    asyncio.run(whole())
    lane.close()
    assert sum(len(ledger.entries) for ledger in ledgers) == 20
    assert [ledger.closed for ledger in ledgers] == [1, 1]


def test_a_lane_that_nobody_closed_lets_its_process_end() -> None:
    script = """
from storyworld.store.lane import Lane
from tests.store.test_lane import Ledger

lane = Lane("scribe", [Ledger()])
print("the end")
"""
    assert printed(script) == "the end\n"
