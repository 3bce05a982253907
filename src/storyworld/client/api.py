"""Every operation of the API as a call: `client.send(api.create_agent(…))`, for lists `client.each(api.sessions())`.

A function here sends nothing: it returns a call, which either client sends. Names and fields are those of the API's own
document, `/openapi.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from storyworld.client.answers import (
    Agent,
    Beat,
    Candidate,
    CreatedWork,
    Draft,
    Json,
    NewKey,
    NewProject,
    Page,
    Published,
    ScriptDraft,
    Session,
    Validated,
    Verification,
    Work,
)
from storyworld.client.call import Call, as_bytes, ask, at, delete, get, given, make, once, put

Content = Mapping[str, Any]
Scope = Literal["read", "write"]
Written = Literal["fountain", "fdx", "md", "pdf"]


def limits() -> Call[Json]:
    """Every limit, with its reason in English and Chinese."""
    return get(Json, "limits")


def create_project(name: str) -> Call[NewProject]:
    """A new project with its first key; needs the operator's key."""
    return make(NewProject, {"name": name}, "projects")


def projects(*, limit: int | None = None, cursor: str | None = None) -> Call[Page[Json]]:
    """All projects; needs the operator's key."""
    return get(Page[Json], "projects", limit=limit, cursor=cursor)


def create_key(scope: Scope) -> Call[NewKey]:
    """Another key of the project; its secret is answered once."""
    return make(NewKey, {"scope": scope}, "keys")


def keys(*, limit: int | None = None, cursor: str | None = None) -> Call[Page[Json]]:
    """The keys of the project."""
    return get(Page[Json], "keys", limit=limit, cursor=cursor)


def revoke_key(key_id: str) -> Call[None]:
    """Revoke a key for ever."""
    return delete("keys", key_id)


def create_agent(
    name: str, persona: str, model: Mapping[str, Any], *, context_window: int | None = None
) -> Call[Agent]:
    """A new agent; the providers "rehearsal" and "human" are built in."""
    return make(Agent, _agent(name, persona, model, context_window), "agents")


def agents(*, limit: int | None = None, cursor: str | None = None) -> Call[Page[Agent]]:
    """The agents of the project."""
    return get(Page[Agent], "agents", limit=limit, cursor=cursor)


def agent(agent_id: str) -> Call[Agent]:
    """One agent."""
    return get(Agent, "agents", agent_id)


def replace_agent(
    agent_id: str, name: str, persona: str, model: Mapping[str, Any], *, context_window: int | None = None
) -> Call[Agent]:
    """Change an agent; worlds that are published keep it as it was."""
    return put(Agent, _agent(name, persona, model, context_window), "agents", agent_id)


def delete_agent(agent_id: str) -> Call[None]:
    """Delete an agent; worlds that are published play on with their copy of it."""
    return delete("agents", agent_id)


def _agent(name: str, persona: str, model: Mapping[str, Any], context_window: int | None) -> dict[str, object]:
    return given(name=name, persona=persona, model=dict(model), contextWindow=context_window)


class Works:
    """The calls that story packages and worlds share: `api.packages.create(…)`, `api.worlds.publish(…)`."""

    def __init__(self, place: str) -> None:
        self._place = place

    def create(self, content: Content) -> Call[CreatedWork]:
        """Publish content as the first revision of a new one."""
        return make(CreatedWork, {"content": dict(content)}, self._place)

    def create_draft(self, draft: Content) -> Call[CreatedWork]:
        """Save work in progress as a new one, whatever is wrong with it."""
        return make(CreatedWork, {"draft": dict(draft)}, self._place)

    def validate(self, content: Content) -> Call[Validated]:
        """Judge content as publishing would, and store nothing."""
        return ask(Validated, {"content": dict(content)}, self._place, "validate")

    def all(self, *, limit: int | None = None, cursor: str | None = None) -> Call[Page[Work]]:
        """All of the project."""
        return get(Page[Work], self._place, limit=limit, cursor=cursor)

    def get(self, work_id: str) -> Call[Work]:
        """One of them."""
        return get(Work, self._place, work_id)

    def draft(self, work_id: str) -> Call[Draft]:
        """The draft, its etag, and what publishing it would say."""
        return get(Draft, self._place, work_id, "draft")

    def save_draft(self, work_id: str, content: Content, *, etag: str | None) -> Call[Draft]:
        """Save the draft in place of the one with this etag; None where there is none yet."""
        headers = {"If-None-Match": "*"} if etag is None else {"If-Match": f'"{etag}"'}
        return put(Draft, {"content": dict(content)}, self._place, work_id, "draft", headers=headers)

    def publish(self, work_id: str, content: Content | None = None) -> Call[Published]:
        """Publish the draft, or this content, as the next revision."""
        body = {} if content is None else {"content": dict(content)}
        return make(Published, body, self._place, work_id, "publish")

    def archive(self, work_id: str) -> Call[Work]:
        """Archive it."""
        return ask(Work, {}, self._place, work_id, "archive")

    def restore(self, work_id: str) -> Call[Work]:
        """Make it active again."""
        return ask(Work, {}, self._place, work_id, "restore")

    def revisions(self, work_id: str, *, limit: int | None = None, cursor: str | None = None) -> Call[Page[Json]]:
        """Its revisions, without their content."""
        return get(Page[Json], self._place, work_id, "revisions", limit=limit, cursor=cursor)

    def revision(self, work_id: str, revision: int) -> Call[Json]:
        """One revision, whole."""
        return get(Json, self._place, work_id, "revisions", revision)


packages = Works("story-packages")
worlds = Works("worlds")


def import_candidate(
    script: str, *, script_format: str = "auto", assist: Literal["rules", "model"] = "rules"
) -> Call[Candidate]:
    """Make a candidate for a story package of a script; nothing is stored."""
    body = {"script": script, "format": script_format, "assist": assist}
    return ask(Candidate, body, "story-packages", "import-candidate")


def start_session(
    world_id: str, *, revision: int | None = None, seed: int | None = None, token_budget: int | None = None
) -> Call[Session]:
    """Start a session of a world, of its latest revision where none is named."""
    body = given(worldRevision=revision, seed=seed, tokenBudget=token_budget)
    return make(Session, body, "worlds", world_id, "sessions")


def sessions(*, limit: int | None = None, cursor: str | None = None) -> Call[Page[Session]]:
    """The sessions of the project."""
    return get(Page[Session], "sessions", limit=limit, cursor=cursor)


def session(session_id: str) -> Call[Session]:
    """One session, and where it stands."""
    return get(Session, "sessions", session_id)


def take_turn(
    session_id: str, trigger: Mapping[str, Any], *, expected_beat: int | None = None, key: str | None = None
) -> Call[Beat]:
    """Move the session on: `{"kind": "message", "text": …}`, `{"kind": "choice", "branchId": …}` or
    `{"kind": "advance"}`.
    """
    body = given(trigger=dict(trigger), expectedBeat=expected_beat)
    return once(Beat, body, key, "sessions", session_id, "turns")


def commit_candidate(session_id: str, deliberation_id: str, candidate: int, *, key: str | None = None) -> Call[Beat]:
    """Make a candidate of a deliberation the next beat, without another call of a model."""
    body = {"deliberationId": deliberation_id, "candidate": candidate}
    return once(Beat, body, key, "sessions", session_id, "turns")


def send_event(session_id: str, event: Mapping[str, Any]) -> Call[Json]:
    """Tell of something that happened; its `eventId` happens once, however often it is sent."""
    return ask(Json, dict(event), "sessions", session_id, "events")


def deliberate(
    session_id: str, trigger: Mapping[str, Any], *, candidates: int | None = None, roles: int | None = None
) -> Call[Json]:
    """Work out candidates for the next beat; nothing is committed."""
    body = given(trigger=dict(trigger), candidates=candidates, roles=roles)
    return make(Json, body, "sessions", session_id, "deliberations")


def deliberation(session_id: str, deliberation_id: str) -> Call[Json]:
    """One deliberation."""
    return get(Json, "sessions", session_id, "deliberations", deliberation_id)


def deliberations(session_id: str, *, limit: int | None = None, cursor: str | None = None) -> Call[Page[Json]]:
    """The deliberations of a session, without their candidates."""
    return get(Page[Json], "sessions", session_id, "deliberations", limit=limit, cursor=cursor)


def start_episode_run(session_id: str, episode_id: str, *, key: str | None = None) -> Call[Json]:
    """Begin to play an episode."""
    return once(Json, {"episodeId": episode_id}, key, "sessions", session_id, "episode-runs")


def episode_runs(session_id: str, *, limit: int | None = None, cursor: str | None = None) -> Call[Page[Json]]:
    """The episode runs of a session."""
    return get(Page[Json], "sessions", session_id, "episode-runs", limit=limit, cursor=cursor)


def episode_run(session_id: str, episode_run_id: str) -> Call[Json]:
    """One episode run."""
    return get(Json, "sessions", session_id, "episode-runs", episode_run_id)


def end_session(session_id: str, *, key: str | None = None) -> Call[Beat]:
    """End the session; it can still be read, verified and forked."""
    return once(Beat, {}, key, "sessions", session_id, "end")


def fork_session(session_id: str, beat: int, *, token_budget: int | None = None) -> Call[Session]:
    """Start a session that continues this one after a beat."""
    return make(Session, given(beat=beat, tokenBudget=token_budget), "sessions", session_id, "forks")


def beats(session_id: str, *, limit: int | None = None, cursor: str | None = None) -> Call[Page[Beat]]:
    """The beats of a session, oldest first."""
    return get(Page[Beat], "sessions", session_id, "beats", limit=limit, cursor=cursor)


def beat(session_id: str, number: int) -> Call[Beat]:
    """One beat."""
    return get(Beat, "sessions", session_id, "beats", number)


def prompt(session_id: str, number: int, role_id: str) -> Call[Json]:
    """The exact prompt of a role in a beat."""
    return get(Json, "sessions", session_id, "beats", number, "prompts", role_id)


def state(session_id: str, *, beat: int | None = None) -> Call[Json]:
    """The state after the last beat, or after an earlier one."""
    return get(Json, "sessions", session_id, "state", beat=beat)


def knowledge(session_id: str) -> Call[Json]:
    """Who knows what, and since when."""
    return get(Json, "sessions", session_id, "knowledge")


def leaks(session_id: str) -> Call[Json]:
    """Every secret that stands where it was not granted."""
    return get(Json, "sessions", session_id, "leaks")


def verify(session_id: str) -> Call[Verification]:
    """Play every stored beat again, without a model."""
    return ask(Verification, {}, "sessions", session_id, "replay", "verify")


def draft_script(
    session_id: str,
    *,
    from_beat: int | None = None,
    to_beat: int | None = None,
    episode_run_id: str | None = None,
) -> Call[ScriptDraft]:
    """Draft beats, or an episode run, as a screenplay."""
    body = given(fromBeat=from_beat, toBeat=to_beat, episodeRunId=episode_run_id)
    return ask(ScriptDraft, body, "sessions", session_id, "script-drafts")


def script_file(session_id: str, draft_id: str, written_as: Written) -> Call[bytes]:
    """A script draft as a file."""
    return Call("GET", at("sessions", session_id, "script-drafts", f"{draft_id}.{written_as}"), as_bytes)
