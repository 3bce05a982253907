"""Import a script with the help of a model: bounded, judged like any other candidate, and never published by itself."""

from __future__ import annotations

from storyworld.application.faults import faults_refused
from storyworld.application.house import House
from storyworld.core import limits
from storyworld.core.candidate import Candidate
from storyworld.core.errors import Refusal, refusal


@faults_refused
async def import_with_model(house: House, project_id: str, script: str) -> Candidate | Refusal:
    """A candidate that a model drew from a script of at most `SCRIPT_IMPORT_MAX_CHARS` code points.

    Refusals: `script_empty`, `script_too_long`; `assist_unavailable` where no model is set up; those of the assistant.
    """
    if not script.strip():
        return refusal("script_empty")
    limit = limits.SCRIPT_IMPORT_MAX_CHARS.value
    if len(script) > limit:
        return refusal(
            "script_too_long", facts={"limit": limit, "actual": len(script)}, limit=limit, actual=len(script)
        )
    if house.assistant is None:
        return refusal("assist_unavailable")
    return await house.assistant.candidate_of(project_id, script)
