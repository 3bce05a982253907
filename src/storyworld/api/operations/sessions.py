"""Sessions: how they begin, how they stand, and everything that can be read of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from storyworld.api.operation import Access, Answer, Answered, Asked, Operation, Parameter, body
from storyworld.api.pages import PAGED, PAGED_BY_NUMBER, page
from storyworld.api.shapes import sessions as shapes
from storyworld.application import browse, retrace
from storyworld.application.begin import Begun, fork_session, start_session
from storyworld.application.ports import WorkKind
from storyworld.application.verify import verify_session
from storyworld.application.works import read_work
from storyworld.core import limits
from storyworld.core.beat import Record
from storyworld.core.errors import Refusal
from storyworld.core.schema.parts import Schema, identifier, integer, resource_id

SESSION_ID: Final = Parameter("path", "id", resource_id("The session."), "session_unknown")
_WORLD_ID: Final = Parameter("path", "id", resource_id("The world."), "world_unknown")
_BEAT: Final = Parameter("path", "n", integer(limits.INTEGER_MAX, "The beat.", minimum=0))
_ROLE: Final = Parameter("path", "roleId", identifier("The role."), "prompt_unknown")
_RUN: Final = Parameter("path", "runId", resource_id("The episode run."), "episode_run_unknown")
_AT: Final = Parameter("query", "beat", integer(limits.INTEGER_MAX, "After which beat; absent: the last.", minimum=0))
BUDGET: Final[Schema] = integer(
    limits.INTEGER_MAX, "How many tokens it may spend; absent: as many as it takes.", minimum=1
)
STORY_REFUSALS: Final = ("world_unknown", "package_unknown")
_REPLAY_REFUSALS: Final = (*STORY_REFUSALS, "rules_unknown")

_START: Final = body(
    "SessionRequest",
    "A new session.",
    {
        "worldRevision": integer(limits.INTEGER_MAX, "The revision to be pinned to; absent: the latest.", minimum=1),
        "seed": integer(limits.SEED_MAX, "What chance is drawn from; absent: drawn, and told.", minimum=0),
        "tokenBudget": BUDGET,
    },
    optional=("worldRevision", "seed", "tokenBudget"),
    required=False,
)
_FORK: Final = body(
    "ForkRequest",
    "Where to fork.",
    {"beat": integer(limits.INTEGER_MAX, "The last beat that both share.", minimum=0), "tokenBudget": BUDGET},
    optional=("tokenBudget",),
)
_NOTHING: Final = body("Nothing", "Nothing.", {}, required=False)


async def session_missing(asked: Asked) -> Refusal | None:
    """The refusal of a session that is not there."""
    found = await browse.read_session(asked.house, asked.project_id, asked.path["id"])
    return found if isinstance(found, Refusal) else None


async def _world_missing(asked: Asked) -> Refusal | None:
    found = await read_work(asked.house, asked.project_id, WorkKind.WORLD, asked.path["id"])
    return found if isinstance(found, Refusal) else None


async def _start(asked: Asked) -> Answer | Refusal:
    begun = await start_session(
        asked.house,
        asked.project_id,
        asked.path["id"],
        revision=asked.body.get("worldRevision"),
        seed=asked.body.get("seed"),
        token_budget=asked.body.get("tokenBudget"),
    )
    return await _begun(asked, begun)


async def _fork(asked: Asked) -> Answer | Refusal:
    budget = asked.body.get("tokenBudget")
    place = (asked.project_id, asked.path["id"], asked.body["beat"])
    return await _begun(asked, await fork_session(asked.house, *place, token_budget=budget))


async def _begun(asked: Asked, begun: Begun | Refusal) -> Answer | Refusal:
    if isinstance(begun, Refusal):
        return begun
    found = await browse.read_session(asked.house, asked.project_id, begun.session_id)
    return found if isinstance(found, Refusal) else Answer(201, shapes.session(found))


async def _list(asked: Asked) -> Answer | Refusal:
    async def fetch(limit: int, after: str | None) -> Sequence[browse.SessionView] | Refusal:
        return await browse.list_sessions(asked.house, asked.project_id, limit, after)

    return await page(asked, fetch, shapes.session, lambda found: found.stored.session_id)


async def _read(asked: Asked) -> Answer | Refusal:
    found = await browse.read_session(asked.house, asked.project_id, asked.path["id"])
    return found if isinstance(found, Refusal) else Answer(200, shapes.session(found))


async def _list_beats(asked: Asked) -> Answer | Refusal:
    async def fetch(limit: int, after: int | None) -> Sequence[Record] | Refusal:
        return await browse.list_beats(asked.house, asked.project_id, asked.path["id"], limit, after)

    def written(record: Record) -> dict[str, Any]:
        return dict(record)

    return await page(asked, fetch, written, lambda record: int(record["beat"]))


async def _read_beat(asked: Asked) -> Answer | Refusal:
    found = await browse.read_beat(asked.house, asked.project_id, asked.path["id"], asked.path["n"])
    return found if isinstance(found, Refusal) else Answer(200, found)


async def _state(asked: Asked) -> Answer | Refusal:
    place = (asked.house, asked.project_id, asked.path["id"])
    beat = asked.query["beat"]
    if beat is None:
        head = await browse.read_head_state(*place)
        return head if isinstance(head, Refusal) else Answer(200, {"beat": head[0], "state": head[1]})
    state = await retrace.state_at(*place, beat)
    return state if isinstance(state, Refusal) else Answer(200, {"beat": beat, "state": state})


async def _prompt(asked: Asked) -> Answer | Refusal:
    place = (asked.project_id, asked.path["id"], asked.path["n"], asked.path["roleId"])
    found = await retrace.prompt_of(asked.house, *place)
    return found if isinstance(found, Refusal) else Answer(200, shapes.prompt(found))


async def _knowledge(asked: Asked) -> Answer | Refusal:
    found = await retrace.knowledge_of(asked.house, asked.project_id, asked.path["id"])
    return (
        found if isinstance(found, Refusal) else Answer(200, {"beat": found.beat, "roles": found.knowledge.to_json()})
    )


async def _leaks(asked: Asked) -> Answer | Refusal:
    found = await retrace.leaks_of(asked.house, asked.project_id, asked.path["id"])
    if isinstance(found, Refusal):
        return found
    value: dict[str, Any] = {"leaks": [leak.to_json() for leak in found.leaks]}
    if found.difference is not None:
        value["firstDifference"] = found.difference.to_json()
    return Answer(200, value)


async def _verify(asked: Asked) -> Answer | Refusal:
    found = await verify_session(asked.house, asked.project_id, asked.path["id"])
    return found if isinstance(found, Refusal) else Answer(200, found.to_json())


async def _list_runs(asked: Asked) -> Answer | Refusal:
    async def fetch(limit: int, after: int | None) -> Sequence[browse.RunView] | Refusal:
        return await browse.list_runs(asked.house, asked.project_id, asked.path["id"], limit, after)

    return await page(asked, fetch, shapes.run, lambda found: found.stored.number)


async def _read_run(asked: Asked) -> Answer | Refusal:
    found = await browse.read_run(asked.house, asked.project_id, asked.path["id"], asked.path["runId"])
    return found if isinstance(found, Refusal) else Answer(200, shapes.run(found))


_ONE: Final = "/v1/sessions/{id}"
_READ: Final = Access.READ
OPERATIONS: Final = (
    Operation(
        "POST", "/v1/worlds/{id}/sessions", "startSession", "Sessions", "Start a session of a world.", Access.WRITE,
        _start, {201: Answered("The session, with its first options.", shapes.SESSION)},
        ("world_archived", "world_unpublished", "package_unknown"), (_WORLD_ID,), _START, _world_missing,
    ),
    Operation(
        "GET", "/v1/sessions", "listSessions", "Sessions", "The sessions of the project.", _READ, _list,
        {200: Answered("A page of sessions.", shapes.SESSION_PAGE)}, (), PAGED,
    ),
    Operation(
        "GET", _ONE, "getSession", "Sessions", "One session, and where it stands.", _READ, _read,
        {200: Answered("The session.", shapes.SESSION)}, (), (SESSION_ID,),
    ),
    Operation(
        "GET", f"{_ONE}/beats", "listBeats", "Sessions", "Its beats, oldest first; before a fork its parents'.",
        _READ, _list_beats, {200: Answered("A page of beats.", shapes.BEAT_PAGE)}, (), (SESSION_ID, *PAGED_BY_NUMBER),
    ),
    Operation(
        "GET", f"{_ONE}/beats/{{n}}", "getBeat", "Sessions", "One beat.", _READ, _read_beat,
        {200: Answered("The beat.", shapes.BEAT)}, ("beat_unknown",), (SESSION_ID, _BEAT),
    ),
    Operation(
        "GET", f"{_ONE}/beats/{{n}}/prompts/{{roleId}}", "getPrompt", "Sessions",
        "The exact prompt of a role in a beat.", _READ, _prompt, {200: Answered("The prompt.", shapes.PROMPT)},
        (*_REPLAY_REFUSALS, "beat_unknown"), (SESSION_ID, _BEAT, _ROLE),
    ),
    Operation(
        "GET", f"{_ONE}/state", "getState", "Sessions", "The state after its last beat, or an earlier one.", _READ,
        _state, {200: Answered("The state.", shapes.STATE)}, (*_REPLAY_REFUSALS, "beat_unknown"), (SESSION_ID, _AT),
    ),
    Operation(
        "GET", f"{_ONE}/knowledge", "getKnowledge", "Sessions", "Who knows what, and since when.", _READ, _knowledge,
        {200: Answered("What every role was given.", shapes.KNOWLEDGE)}, _REPLAY_REFUSALS, (SESSION_ID,),
    ),
    Operation(
        "GET", f"{_ONE}/leaks", "getLeaks", "Sessions", "Every secret that stands where it was not granted.", _READ,
        _leaks, {200: Answered("The report.", shapes.LEAKS)}, STORY_REFUSALS, (SESSION_ID,),
    ),
    Operation(
        "POST", f"{_ONE}/forks", "forkSession", "Sessions", "Start a session that continues this one after a beat.",
        Access.WRITE, _fork, {201: Answered("The fork.", shapes.SESSION)}, (*_REPLAY_REFUSALS, "beat_unknown"),
        (SESSION_ID,), _FORK, session_missing,
    ),
    Operation(
        "POST", f"{_ONE}/replay/verify", "verifySession", "Sessions", "Play every stored beat again, without a model.",
        _READ, _verify, {200: Answered("What was found.", shapes.VERIFICATION)}, STORY_REFUSALS, (SESSION_ID,),
        _NOTHING, session_missing,
    ),
    Operation(
        "GET", f"{_ONE}/episode-runs", "listEpisodeRuns", "Sessions", "The episode runs in it.", _READ, _list_runs,
        {200: Answered("A page of runs.", shapes.RUN_PAGE)}, STORY_REFUSALS, (SESSION_ID, *PAGED_BY_NUMBER),
    ),
    Operation(
        "GET", f"{_ONE}/episode-runs/{{runId}}", "getEpisodeRun", "Sessions", "One episode run.", _READ, _read_run,
        {200: Answered("The run.", shapes.RUN)}, STORY_REFUSALS, (SESSION_ID, _RUN),
    ),
)  # fmt: skip
