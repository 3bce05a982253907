"""The figures of a server, for Prometheus. Labels are operations, statuses and providers: nothing that anybody sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from storyworld.api.app import Exchange
from storyworld.application.house import House
from storyworld.application.ports import Hear, Performer
from storyworld.core.call import Call, Failure, Performance


class Metrics:
    """The figures of one process; each server has a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "storyworld_requests_total",
            "Requests that were answered.",
            ("operation", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "storyworld_request_seconds",
            "How long answers took to their last byte.",
            ("operation",),
            registry=self._registry,
        )
        self._beats = Counter("storyworld_beats_total", "Beats that were committed.", registry=self._registry)
        self._calls = Counter(
            "storyworld_model_calls_total", "Calls of models.", ("provider", "outcome"), registry=self._registry
        )
        self._tokens = Counter(
            "storyworld_tokens_total", "Tokens that calls took.", ("provider", "kind"), registry=self._registry
        )

    def watch(self, house: House, dropped: Callable[[], int]) -> None:
        """Take figures of this house: its running beats, its streams, and the lines that its log lost."""
        gauges: Mapping[str, tuple[str, Callable[[], float]]] = {
            "storyworld_beats_running": ("Beats that are being made.", lambda: len(house.beats)),
            "storyworld_streams_open": ("Streams of sessions that are followed.", lambda: house.watching.count),
            "storyworld_log_lines_dropped": ("Lines of the log that could not be written.", dropped),
        }
        for name, (what, count) in gauges.items():
            Gauge(name, what, registry=self._registry).set_function(count)
        house.watchers = (*house.watchers, self)
        house.performers = {
            provider: _Counted(provider, performer, self) for provider, performer in house.performers.items()
        }

    def written(self) -> bytes:
        """All figures in the text format of Prometheus."""
        return generate_latest(self._registry)

    def answered(self, exchange: Exchange) -> None:
        """A request was answered."""
        operation = exchange.operation or "none"
        self._requests.labels(operation, exchange.status or "none").inc()
        self._seconds.labels(operation).observe(exchange.seconds)

    def committed(self, project_id: str, session_id: str, beat: int) -> None:
        """A beat was committed."""
        self._beats.inc()

    def called(self, provider: str, outcome: Performance | Failure) -> None:
        """A model was called."""
        word = "answered"
        if isinstance(outcome, Failure):
            word = "timed_out" if outcome.timed_out else "failed"
        self._calls.labels(provider, word).inc()
        self._tokens.labels(provider, "prompt").inc(outcome.usage.prompt_tokens)
        self._tokens.labels(provider, "completion").inc(outcome.usage.completion_tokens)


class _Counted:
    """A performer whose calls are counted."""

    def __init__(self, provider: str, performer: Performer, metrics: Metrics) -> None:
        self._provider = provider
        self._performer = performer
        self._metrics = metrics

    async def perform(self, call: Call, hear: Hear) -> Performance | Failure:
        outcome = await self._performer.perform(call, hear)
        self._metrics.called(self._provider, outcome)
        return outcome
