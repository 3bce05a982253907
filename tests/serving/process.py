"""A server as its users meet it: `storyworld serve` in a process of its own, on a port that was free."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

WAIT_S = 60
_ADDRESS = re.compile(r"storyworld serves (http://\S+) from")


def environment(**more: str) -> dict[str, str]:
    """This process's environment without what could change how a server serves."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("STORYWORLD_", "COV_"))}
    return {**kept, **more}


class ServerProcess:
    """A running server. What it writes is kept; its address is that which it printed."""

    def __init__(self, data: Path, *options: str, **environ: str) -> None:
        self.data = data
        self._errors = data.with_suffix(f".{time.monotonic_ns()}.log")
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "storyworld", "serve", "--port", "0", "--data", str(data), *options],
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=data.parent,
                env=environment(**environ),
                start_new_session=True,
            )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()
        self.url = self._address()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as written:
            for line in written:
                self._lines.put(line.decode())
        self._lines.put("")

    def _address(self) -> str:
        line = self._lines.get(timeout=WAIT_S)
        found = _ADDRESS.match(line)
        assert found is not None, f"{line!r}; {self.log()}"
        return found[1]

    def log(self) -> str:
        """Everything that the server has logged."""
        return self._errors.read_text("utf-8")

    def signal(self, name: signal.Signals) -> None:
        """Send a signal."""
        self._process.send_signal(name)

    def end(self) -> int:
        """Wait for the end; the exit code."""
        code = self._process.wait(WAIT_S)
        self._reading.join(WAIT_S)
        return code

    def stop(self) -> int:
        """Stop as an operator does."""
        if self._process.poll() is None:
            self.signal(signal.SIGTERM)
        return self.end()

    def kill(self) -> None:
        """Kill without a word."""
        self._process.kill()
        self.end()


@contextlib.contextmanager
def serving(data: Path, *options: str, **environ: str) -> Iterator[ServerProcess]:
    """A server for as long as the block lasts."""
    server = ServerProcess(data, *options, **environ)
    try:
        yield server
    finally:
        server.kill()


def command(*arguments: str, folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command of storyworld to its end."""
    return subprocess.run(
        [sys.executable, "-m", "storyworld", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=WAIT_S,
        env=environment(**environ),
        check=False,
    )


def new_key(data: Path, *, project: str = "Salt", scope: str = "write") -> str:
    """A key of a project, made on the command line."""
    made = command("key", "create", "--project", project, "--scope", scope, "--data", str(data), folder=data.parent)
    assert made.returncode == 0, made.stderr
    return made.stdout.strip().splitlines()[-1]
