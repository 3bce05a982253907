"""The command line as its users meet it: a process of its own, with pipes or with a terminal."""

from __future__ import annotations

import codecs
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WAIT_S = 30
_COMMAND = (sys.executable, "-m", "storyworld")
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def environment(**more: str) -> dict[str, str]:
    """This process's environment without what could change an answer."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("STORYWORLD_", "COV_"))}
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"):
        kept.pop(name, None)
    return {**kept, "TERM": "xterm-256color", **more}


@dataclass(frozen=True)
class Answer:
    """What a command wrote and how it ended."""

    exit_code: int
    out: str
    err: str

    def json_lines(self) -> list[dict[str, Any]]:
        """Each line of the output as a JSON value."""
        return [json.loads(line) for line in self.out.splitlines()]


def storyworld(*arguments: str, folder: Path, given: bytes = b"", environ: Mapping[str, str] | None = None) -> Answer:
    """Run a command in a folder, without a terminal."""
    done = subprocess.run(
        [*_COMMAND, *arguments],
        cwd=folder,
        input=given,
        capture_output=True,
        timeout=WAIT_S,
        env=environment(**(environ or {})),
        check=False,
    )
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


class Terminal:
    """A command at a pseudo-terminal of a given width, that is typed to and read from."""

    def __init__(self, *arguments: str, folder: Path, columns: int = 100, **environ: str) -> None:
        self._near, far = pty.openpty()
        size = environment(COLUMNS=str(columns), LINES="40", **environ)
        self._process = subprocess.Popen(
            [*_COMMAND, *arguments],
            cwd=folder,
            stdin=far,
            stdout=far,
            stderr=far,
            env=size,
            start_new_session=True,
        )
        os.close(far)
        self.raw = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._seen = 0

    def _read(self, deadline: float) -> bool:
        """Read what has come; False at the end of it."""
        ready, _, _ = select.select([self._near], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"nothing came in time after: {self.raw[-500:]}"
        try:
            data = os.read(self._near, 65536)
        except OSError:  # Linux says so when the other side is closed
            return False
        # A character may come in two pieces.
        self.raw += self._decoder.decode(data)
        return bool(data)

    def expect(self, text: str) -> str:
        """Wait until this text has come after what was expected before; everything up to it, without escapes."""
        deadline = time.monotonic() + WAIT_S
        while True:
            plain = _ESCAPE.sub("", self.raw)
            place = plain.find(text, self._seen)
            if place >= 0:
                before, self._seen = self._seen, place + len(text)
                return plain[before : self._seen]
            assert self._read(deadline), f"{text!r} never came after: {plain[self._seen :][-500:]}"

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self._near, text.encode(errors="surrogateescape") + b"\r")

    def press(self, key: bytes) -> None:
        """Press a key."""
        os.write(self._near, key)

    def interrupt(self) -> None:
        """What Ctrl-C does to the process, once it waits for somebody to type.

        The prompt is there some microseconds before the wait begins, and only a program is fast enough to tell.
        """
        deadline = time.monotonic() + WAIT_S
        while Path(f"/proc/{self._process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "S":
            assert time.monotonic() < deadline, "the process never waits"
            time.sleep(0.01)
        self._process.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + WAIT_S
        while self._read(deadline):
            pass
        code = self._process.wait(WAIT_S)
        os.close(self._near)
        return code

    @property
    def text(self) -> str:
        """All that came, without escapes."""
        return _ESCAPE.sub("", self.raw).replace("\r\n", "\n")
