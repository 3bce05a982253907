"""Sends voyages out, and surveys what is left of their sessions."""

from __future__ import annotations

import asyncio
import multiprocessing
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext
from pathlib import Path

from storyworld.application.begin import begin_session
from storyworld.application.commit import Committed
from storyworld.application.house import House
from storyworld.application.playable import make_playable
from storyworld.application.verify import verify_session
from storyworld.core.errors import Refusal
from storyworld.core.replay import Verification
from storyworld.store.sqlite import FILE_NAME, library
from storyworld.stories import DEFAULT_STORY, read_story
from storyworld.wiring import LOCAL_PROJECT, SystemClock
from tests.kills import voyage as voyages
from tests.kills.voyage import Voyage, make_beat, open_house

WAIT_S = 60
KILLED = -9


@dataclass(frozen=True)
class Berth:
    """A folder with a session that has only its opening."""

    folder: Path
    session_id: str

    def copy(self, place: Path) -> Berth:
        """The same session in another folder. It is closed, so all of it lies in its file."""
        shutil.copytree(self.folder, place)
        return Berth(place, self.session_id)


@dataclass(frozen=True)
class Logbook:
    """What a voyage told before it ended, and how it ended: 0, or the signal that killed it with a minus."""

    told: tuple[str, ...]
    exit_code: int | None

    @property
    def acknowledged(self) -> dict[int, str]:
        """The hash of each acknowledged beat."""
        acks = [message.split() for message in self.told if message.startswith("ack ")]
        return {int(beat): hash_ for _, beat, hash_ in acks}

    @property
    def refused(self) -> list[str]:
        """The codes of the faults that were answered."""
        return [message.split()[1] for message in self.told if message.startswith("refused ")]


def build(folder: Path) -> Berth:
    """Publish the story that comes along and begin a session of it."""

    async def whole() -> Berth:
        house = await open_house(folder)
        await house.store.create_project(LOCAL_PROJECT, "Local", SystemClock().now())
        playable = await make_playable(house, LOCAL_PROJECT, read_story(DEFAULT_STORY), "rehearsal")
        assert not isinstance(playable, Refusal), playable
        begun = await begin_session(house, LOCAL_PROJECT, playable.world_id, playable.world_revision, seed=11)
        assert not isinstance(begun, Refusal), begun
        await house.store.close()
        return Berth(folder, begun.session_id)

    return asyncio.run(whole())


def _server() -> ForkServerContext:
    """A process that has loaded everything and opened nothing, from which voyages are forked."""
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([voyages.__name__])
    return server


def send(voyage: Voyage, watch: Callable[[int], subprocess.Popen[str]] | None = None) -> Logbook:
    """Send a voyage out and wait for its end. `watch` attaches a tracer to the process before it goes."""
    server = _server()
    here, there = server.Pipe()
    process = server.Process(target=voyages.sail, args=(voyage, there))
    process.start()
    there.close()
    assert here.recv_bytes() == b"ready"
    assert process.pid is not None
    tracer = None if watch is None else watch(process.pid)
    here.send_bytes(b"go")
    told: list[str] = []
    while True:
        try:
            assert here.poll(WAIT_S), "a voyage tells something in time"
            told.append(here.recv_bytes().decode())
        except (EOFError, ConnectionResetError):
            break
    process.join(WAIT_S)
    if tracer is not None:
        tracer.communicate(timeout=WAIT_S)
    return Logbook(tuple(told), process.exitcode)


def attach(strace: str, expressions: Sequence[str], output: Path) -> Callable[[int], subprocess.Popen[str]]:
    """A tracer of the process and its threads, with strace's own expressions."""
    options = [part for expression in expressions for part in ("-e", expression)]

    def watch(process_id: int) -> subprocess.Popen[str]:
        command = [strace, "-f", "-p", str(process_id), "-o", str(output), *options]
        tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert tracer.stderr is not None
        said = tracer.stderr.readline()
        assert "attached" in said, said
        return tracer

    return watch


def survey(berth: Berth, logbook: Logbook) -> int:
    """Reopen the session: everything acknowledged is there, nothing is half there, and the next key has one answer.

    Returns the last beat that was committed when the voyage ended.
    """
    found = asyncio.run(_survey(berth, logbook))
    connection = library().connect(berth.folder / FILE_NAME)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    return found


async def _survey(berth: Berth, logbook: Logbook) -> int:
    house = await open_house(berth.folder)
    found = await _verified(house, berth.session_id)
    beats = await house.project(LOCAL_PROJECT).beats(berth.session_id, 0, found)
    hashes = {beat.beat: beat.hash for beat in beats}
    acknowledged = logbook.acknowledged
    assert acknowledged.items() <= hashes.items(), "every acknowledged beat is there as it was told"
    last = max(acknowledged, default=0)
    assert found in (last, last + 1), "at most the beat that was being made is there unacknowledged"
    retried = await make_beat(house, berth.session_id, last + 1)
    assert isinstance(retried, Committed), retried
    assert retried.record["beat"] == last + 1
    assert retried.replayed is (found == last + 1), "the key runs the beat anew only if it was not committed"
    again = await make_beat(house, berth.session_id, last + 1)
    assert again == Committed(retried.record, replayed=True), "a key has one answer"
    assert await _verified(house, berth.session_id) == last + 1
    await house.store.close()
    return found


async def _verified(house: House, session_id: str) -> int:
    """Verify the session by replay; returns its last beat."""
    verification = await verify_session(house, LOCAL_PROJECT, session_id)
    session = await house.project(LOCAL_PROJECT).session(session_id)
    assert session is not None
    assert verification == Verification("full", session.beat + 1)
    return session.beat
