"""What a client sends to move a session on, judged before anything happens.

Shape comes first, by the published schema; then the ids that the story must have. Every problem is reported at once,
and what a stored beat says is never judged here again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storyworld.core import limits
from storyworld.core.canonical import canonical_bytes
from storyworld.core.errors import Problem, Refusal, problem, refusal
from storyworld.core.judge import Finding, find, report
from storyworld.core.normalize import normalize_texts
from storyworld.core.session import Story
from storyworld.core.trigger import Event, Moving, Turn, read_event, read_turn


def read_turn_shape(value: object) -> Turn | Refusal:
    """A turn from a client's JSON value, or `trigger_refused` with every problem of its shape."""
    sent = normalize_texts(value)
    refused = _refused(find("turn_trigger", sent), sent)
    return read_turn(sent) if refused is None else refused


def read_event_shape(value: object) -> Event | Refusal:
    """A trusted event from a client's JSON value, or `trigger_refused`. Its effects are judged when they are
    applied.
    """
    sent = normalize_texts(value)
    refused = _refused([*find("event", sent), *_data(sent)], sent)
    return read_event(sent) if refused is None else refused


def _refused(findings: Sequence[Finding], sent: object) -> Refusal | None:
    if not findings:
        return None
    told = report(findings, sent)
    return refusal("trigger_refused", problems=told.problems, more_problems=told.more)


def judge_ids(trigger: Moving, story: Story) -> Refusal | None:
    """`trigger_refused` with every id that the story does not have, and every line for a role that no person plays."""
    problems = tuple(_unknown_ids(trigger, story))
    return refusal("trigger_refused", problems=problems) if problems else None


def _unknown_ids(trigger: Moving, story: Story) -> Iterator[Problem]:
    if isinstance(trigger, Turn):
        branch_id = trigger.branch_id
        if branch_id is not None and branch_id not in story.package.branch_by_id:
            yield problem("branch_unknown", "/branchId", actual=branch_id)
        for index, role_id in enumerate(trigger.focus_roles or ()):
            if role_id not in story.package.role_by_id:
                yield problem("focus_unknown", f"/focusRoles/{index}", actual=role_id)
    for role_id in trigger.lines:
        if role_id not in story.package.role_by_id:
            yield problem("focus_unknown", f"/lines/{role_id}", actual=role_id)
        elif role_id not in story.human_roles:
            yield problem("line_not_human", f"/lines/{role_id}", actual=role_id)


def _data(sent: object) -> Iterator[Finding]:
    """Event data is bounded as a whole: the characters of its canonical JSON."""
    data = sent.get("data") if isinstance(sent, dict) else None
    if not isinstance(data, dict):
        return
    limit = limits.EVENT_MAX_DATA_CHARS
    characters = len(canonical_bytes(data).decode())
    if characters > limit.value:
        yield Finding("/data", "text_too_long", limit=limit.value, actual=characters, reason=limit.reason)
