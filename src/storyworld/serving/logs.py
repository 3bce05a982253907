"""The log of a server: one line a request, as JSON or for a terminal.

Nothing that anybody sent stands in it but the method: requests are named by their operation, projects and requests by
ids. No key, no prompt and no text of a story ever gets here.
"""

from __future__ import annotations

import logging
import sys
import traceback
from typing import Any, Final, TextIO

import structlog

from storyworld.api.app import Exchange

_MILLISECONDS: Final = 1000


class _Patient:
    """A stream that loses what cannot be written, rather than whoever writes; it counts what it lost."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.dropped = 0

    def write(self, text: str) -> int:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self.dropped += 1
        return len(text)

    def flush(self) -> None:
        pass


class Logs:
    """Keeps the log. Telling it something never fails: what a full disk does not take is counted in `dropped`."""

    def __init__(self, *, as_json: bool, level: str, stream: TextIO | None = None) -> None:
        self._stream = _Patient(stream or sys.stderr)
        renderer: Any = (
            structlog.processors.JSONRenderer(ensure_ascii=False)
            if as_json
            else structlog.dev.ConsoleRenderer(colors=(stream or sys.stderr).isatty())
        )
        target: Any = self._stream
        self._log: Any = structlog.wrap_logger(
            structlog.PrintLogger(target),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
                renderer,
            ],
            wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        )
        self._adopt_uvicorn()

    @property
    def dropped(self) -> int:
        """How many lines could not be written."""
        return self._stream.dropped

    def say(self, event: str, **facts: object) -> None:
        """Tell of the process itself."""
        self._log.info(event, **facts)

    def answered(self, exchange: Exchange) -> None:
        """Tell of a request that was answered."""
        facts: dict[str, object] = {
            "requestId": exchange.request_id,
            "method": exchange.method,
            "operation": exchange.operation,
            "status": exchange.status,
            "ms": round(exchange.seconds * _MILLISECONDS, 1),
        }
        if exchange.project_id:
            facts["projectId"] = exchange.project_id
        if exchange.code is not None:
            facts["code"] = exchange.code
        if exchange.fault is None:
            self._log.info("answered", **facts)
        else:
            # Where the bug is, without the values that it met: an exception's own text may hold what was sent.
            frames = traceback.extract_tb(exchange.fault.__traceback__)
            places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
            self._log.error("fault", **facts, fault=type(exchange.fault).__name__, at=places)

    def _adopt_uvicorn(self) -> None:
        """What uvicorn has to say is told here as well; its lines about single requests are not needed."""
        for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
            logger = logging.getLogger(name)
            logger.handlers = [] if name == "uvicorn.access" else [_Handed(self)]
            logger.propagate = False
            logger.setLevel(logging.WARNING)


class _Handed(logging.Handler):
    """Hands the records of a library on; of an exception only its name, since its text may hold what was sent."""

    def __init__(self, logs: Logs) -> None:
        super().__init__()
        self._logs = logs

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] is not None else None
        facts: dict[str, object] = {"logger": record.name, "level": record.levelname.lower()}
        if fault is not None:
            facts["fault"] = fault
        self._logs.say(str(record.msg).partition("\n")[0], **facts)
