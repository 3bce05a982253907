"""Whether the content of a story package may be published: the one way from bytes to a package.

It owns the order of the steps: parse, normalize, schema, references, conditions, rules at the start, canonical bytes,
size. Each step judges what it can, so that every problem is told at once. It must not know who asks, or where content
is stored: what is stored is never judged again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from storyworld.core import limits
from storyworld.core.analysis import analyse
from storyworld.core.canonical import (
    Malformed,
    canonical_bytes,
    canonical_bytes_of_parsed,
    canonical_object,
    digest,
    parse,
)
from storyworld.core.conditions import Conditions, view
from storyworld.core.errors import Problem
from storyworld.core.judge import Finding, find_in_package, report
from storyworld.core.normalize import normalize_package, normalize_package_in_place
from storyworld.core.references import condition_sources, declared_for_conditions, find_faults
from storyworld.core.state import initial_state
from storyworld.core.story import StoryPackage, read_package


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one content.

    `problems` are at most `PROBLEMS_MAX_REPORTED`, and `more_problems` counts those beyond. Without problems there is
    a `package`, and `warnings` say where it will disappoint. `content` is the normalized content, None where no object
    was sent; `canonical` are its bytes, `size_bytes` their number and `digest` their digest, of content with problems
    too. All three are empty where the bytes were no JSON.
    """

    problems: tuple[Problem, ...]
    more_problems: int
    warnings: tuple[Problem, ...]
    content: dict[str, Any] | None
    canonical: bytes
    size_bytes: int
    digest: str
    package: StoryPackage | None


def judge_package_bytes(data: bytes) -> Judged:
    """Judge the content of a story package as somebody sent it: JSON in UTF-8."""
    try:
        value = parse(data)
    except Malformed as malformed:
        return Judged((malformed.problem,), 0, (), None, b"", 0, "", None)
    return _judge(normalize_package_in_place(value), canonical_bytes_of_parsed)


def judge_package(value: Any) -> Judged:
    """Judge the content of a story package, as a JSON value that holds no float. It is not changed."""
    return _judge(normalize_package(value), canonical_bytes)


def _judge(content: Any, write: Callable[[Any], bytes]) -> Judged:
    """Judge normalized content; `write` gives canonical bytes."""
    fields = {name: write(part) for name, part in content.items()} if isinstance(content, dict) else {}
    canonical = canonical_object(fields) if isinstance(content, dict) else write(content)
    findings: list[Finding | Problem] = [*find_in_package(content, canonical)]
    conditions = Conditions(declared_for_conditions(content if isinstance(content, dict) else {}))
    if isinstance(content, dict):
        findings.extend(_faults_within(content, conditions, findings))
    if len(canonical) > limits.STORY_PACKAGE_MAX_BYTES.value:
        findings.append(_too_large(len(canonical)))
    told = report(findings, content)
    package = None if findings else read_package(content)
    sizes = {name: len(written) for name, written in fields.items()}
    return Judged(
        problems=told.problems,
        more_problems=told.more,
        warnings=() if package is None else analyse(package, content, sizes, len(canonical), conditions),
        content=content if isinstance(content, dict) else None,
        canonical=canonical,
        size_bytes=len(canonical),
        digest=digest(canonical),
        package=package,
    )


def _faults_within(
    content: Mapping[str, Any], conditions: Conditions, misshapen: list[Finding | Problem]
) -> list[Finding | Problem]:
    """What the parts of the content say wrongly of each other, judged wherever they are well-formed."""
    found: list[Finding | Problem] = [*find_faults(content), *conditions.check(condition_sources(content))]
    faulty = {finding.path for finding in (*misshapen, *found)}
    return [*found, *_rules_broken(content, conditions, faulty)]


def _too_large(size_bytes: int) -> Finding:
    limit = limits.STORY_PACKAGE_MAX_BYTES
    return Finding("", "package_too_large", limit=limit.value, actual=size_bytes, reason=limit.reason)


# The parts of a package that its state at the start is made of, and for the other parts, nothing.
_START: Final = ("flags", "initialRelations", "establishedFacts", "startNodeId")
_NOTHING_ELSE: Final[Mapping[str, Any]] = {
    "title": "",
    "language": "",
    **{name: [] for name in ("roles", "scenes", "nodes", "branches", "endings", "canon", "constraints", "series")},
}


def _rules_broken(content: Mapping[str, Any], conditions: Conditions, faulty: set[str]) -> list[Finding]:
    """The rules of constraints that do not hold in the state at the start, where that state and the rule are sound."""
    if any(path.split("/")[1] in _START for path in faulty if path):
        return []
    rules = [
        (path, text)
        for path, text in condition_sources({"constraints": content.get("constraints")})
        if path not in faulty
    ]
    if not rules:
        return []
    start = read_package({**_NOTHING_ELSE, **{name: content[name] for name in _START}})
    seen = view(initial_state(start), start, 0, 0)
    return [
        Finding(source[0], "rule_broken_at_start") for source in rules if not conditions.judge((source,), seen).holds
    ]
