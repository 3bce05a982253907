"""Random operations and replies: what roles may do and say, what they may not, and what no one can read.

It owns their forms. It must not know how a reply is read or an operation judged; most are sound, so that patches apply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from storyworld.core import limits
from storyworld.core.call import Call, Failure, Performance, Usage
from storyworld.core.canonical import canonical_bytes
from storyworld.core.playtest.draws import Draws
from storyworld.core.playtest.expressions import ENTITY_IDS, FLAG_TEXTS, NEW_FACT_IDS, RELATION_KINDS, Things
from storyworld.core.playtest.texts import SCRIPTS, filling, phrase
from storyworld.core.session import Head, Story

_Operation = dict[str, Any]
_UNSOUND: Final[tuple[_Operation, ...]] = (
    {},
    {"op": "fly"},
    {"op": "setFlag"},
    {"op": "setFlag", "flagId": "no-such-flag", "value": True},
    {"op": "addNote", "text": ""},
    {"op": "takeBranch", "branchId": "no-such-branch"},
    {"op": "removeEntity", "id": "no-such-entity"},
    {"op": "putEntity", "id": "Upper Case", "kind": "thing", "name": "x", "attributes": {}},
)
_USAGE: Final = Usage("improvised", "improvised", prompt_tokens=100, completion_tokens=20, attempts=1, ms=1)


def improvise(story: Story, head: Head, call: Call) -> Performance | Failure:
    """What a role answers: now and then nothing. It follows from the story, its head and the call's draw alone."""
    draws = Draws(call.draw)
    if draws.once_in(25):
        return Failure("no answer", _USAGE, timed_out=draws.once_in(2))
    return Performance(random_reply(draws, story, head, call.role_id), _USAGE, cut=draws.once_in(20))


def random_reply(draws: Draws, story: Story, head: Head, role_id: str) -> str:
    """The raw text of a reply: mostly the JSON that was asked for, now and then wrapped, cut, renamed, or no JSON."""
    things = Things.of(story.package)
    value: _Operation = {"line": _line(draws, story.package.role_by_id[role_id].secrets)}
    if draws.once_in(3):
        value["action"] = phrase(draws, draws.pick(tuple(SCRIPTS.values())), limits.ACTION_MAX_CHARS.value)
    if draws.once_in(2):
        count = 21 if draws.once_in(60) else draws.between(1, 3)
        value["operations"] = [random_operation(draws, things, head, role_id) for _ in range(count)]
    text = canonical_bytes(value).decode()
    return draws.pick(_WRAPPINGS)(draws, value, text) if draws.once_in(4) else text


def _line(draws: Draws, secrets: tuple[str, ...]) -> str:
    script = draws.pick(tuple(SCRIPTS.values()))
    if secrets and draws.once_in(20):
        return f"{phrase(draws, script, 50)} {draws.pick(secrets)}"
    if draws.once_in(40):
        return filling(script, 0, limits.LINE_MAX_CHARS.value + draws.between(0, 500))
    return phrase(draws, script, 200) + "."


_Wrapping = Callable[[Draws, Mapping[str, Any], str], str]
_WRAPPINGS: Final[tuple[_Wrapping, ...]] = (
    lambda _draws, _value, text: f"```json\n{text}\n```",
    lambda _draws, _value, text: f"Here is my answer: {text} I hope it helps.",
    lambda _draws, _value, text: f'<think>{{"line": "not this"}}</think>\n{text}',
    lambda draws, _value, text: text[: draws.between(0, len(text))],
    lambda _draws, value, _text: canonical_bytes({"台词": value["line"], "操作": value.get("operations", [])}).decode(),
    lambda _draws, value, _text: str(value["line"]),
    lambda _draws, _value, text: f"[{text}]\ud800\0",
    lambda _draws, _value, text: text.replace('"', "'"),
)


def random_operation(draws: Draws, things: Things, head: Head, role_id: str | None) -> _Operation:
    """One operation of a role, or an effect of a trusted event (`role_id` None). Most can be applied to the state."""
    if draws.once_in(20):
        return draws.pick(_UNSOUND)
    op = draws.pick(tuple(_MAKERS))
    owner = role_id or draws.pick(things.roles)
    made = _MAKERS[op](draws, things, head, owner)
    if made is None:
        op, made = "addNote", _add_note(draws, things, head, owner)
    field = None if role_id is not None else _OWNERS.get(op)
    return {"op": op, **made} if field is None else {"op": op, field: owner, **made}


def _set_flag(draws: Draws, things: Things, _head: Head, _role_id: str) -> _Operation | None:
    if not things.flags:
        return None
    flag_id = draws.pick(tuple(things.flags))
    most = limits.INTEGER_MAX.value
    value: object = {
        "boolean": draws.once_in(2),
        "integer": most if draws.once_in(20) else draws.between(-3, 9),
        "text": draws.pick(FLAG_TEXTS),
    }[things.flags[flag_id]]
    return {"flagId": flag_id, "value": value}


def _put_entity(draws: Draws, _things: Things, _head: Head, _role_id: str) -> _Operation:
    script = draws.pick(tuple(SCRIPTS.values()))
    names = draws.some(("size", "colour", "is-open"), 3)
    attributes = {name: draws.pick((1, False, phrase(draws, script, 20).strip() or "-")) for name in names}
    return {"id": draws.pick(ENTITY_IDS), "kind": "thing", "name": phrase(draws, script, 40), "attributes": attributes}


def _remove_entity(draws: Draws, _things: Things, head: Head, _role_id: str) -> _Operation | None:
    return {"id": draws.pick(head.state.entities).id} if head.state.entities else None


def _set_relation(draws: Draws, things: Things, head: Head, role_id: str) -> _Operation | None:
    """A relation to a role that its proposer has one to already, or, now and then, to any other."""
    known = [relation.to_role_id for relation in head.state.relations if relation.from_role_id == role_id]
    others = [other for other in things.roles if other != role_id]
    if not others or not (known or draws.once_in(4)):
        return None
    bound = limits.RELATION_MAX_VALUE.value
    return {
        "toRoleId": draws.pick(known or others),
        "kind": draws.pick(RELATION_KINDS),
        "value": bound + 1 if draws.once_in(30) else draws.between(-bound, bound),
    }


def _remove_relation(draws: Draws, _things: Things, head: Head, role_id: str) -> _Operation | None:
    known = [relation for relation in head.state.relations if relation.from_role_id == role_id]
    if not known:
        return None
    relation = draws.pick(known)
    return {"toRoleId": relation.to_role_id, "kind": relation.kind}


def _add_note(draws: Draws, _things: Things, _head: Head, _role_id: str) -> _Operation:
    return {"text": phrase(draws, draws.pick(tuple(SCRIPTS.values())), limits.WORLD_STATE_MAX_NOTE_CHARS.value)}


def _remove_note(draws: Draws, _things: Things, head: Head, role_id: str) -> _Operation | None:
    notes = head.state.notes.get(role_id, ())
    return {"id": draws.pick(notes).id} if notes else None


def _establish_fact(draws: Draws, things: Things, head: Head, role_id: str) -> _Operation | None:
    known = {fact.id for fact in head.state.facts}
    new = [fact_id for fact_id in NEW_FACT_IDS if fact_id not in known]
    if not new:
        return None
    fact: _Operation = {"id": draws.pick(new), "text": phrase(draws, draws.pick(tuple(SCRIPTS.values())), 100)}
    if draws.once_in(3):
        fact["knownBy"] = draws.some(things.roles, 3) if draws.once_in(4) else [role_id]
    return fact


def _take_branch(draws: Draws, things: Things, head: Head, _role_id: str) -> _Operation | None:
    """An option that was reported, or, now and then, any branch."""
    offered = [option.branch_id for option in head.options]
    choices = things.branches if draws.once_in(12) else offered
    return {"branchId": draws.pick(choices)} if choices else None


_Maker = Callable[[Draws, Things, Head, str], _Operation | None]
_MAKERS: Final[Mapping[str, _Maker]] = {
    "setFlag": _set_flag,
    "putEntity": _put_entity,
    "removeEntity": _remove_entity,
    "setRelation": _set_relation,
    "removeRelation": _remove_relation,
    "addNote": _add_note,
    "removeNote": _remove_note,
    "establishFact": _establish_fact,
    "takeBranch": _take_branch,
}
# The field in which an effect names whose it is.
_OWNERS: Final[Mapping[str, str]] = {
    "setRelation": "fromRoleId",
    "removeRelation": "fromRoleId",
    "addNote": "roleId",
    "removeNote": "roleId",
}
