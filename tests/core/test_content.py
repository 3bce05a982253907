"""What may be published, and how the rest is refused: every limit at its bound and one over, in exact words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from storyworld.core import limits, schema
from storyworld.core.canonical import canonical_bytes, digest
from storyworld.core.content import Judged, judge_package, judge_package_bytes
from storyworld.core.limits.limit import Limit
from storyworld.core.story import read_package
from tests.core.package_makers import Content, of_bytes, whole, with_value, without

Make = Callable[[int], object]


def found(judged: Judged) -> list[tuple[str, str]]:
    return [(problem.code, problem.path) for problem in judged.problems]


def roles(count: int) -> list[Content]:
    names = ["ada", "ben", *(f"role-{number}" for number in range(count))]
    return [{"id": name, "name": name, "description": "Someone."} for name in names[:count]]


def numbered(**fields: object) -> Make:
    def make(count: int) -> list[Content]:
        return [{"id": f"n{number}", **fields} for number in range(count)]

    return make


def nodes(count: int) -> list[Content]:
    names = ["yard", "shaft", *(f"node-{number}" for number in range(count))]
    return [{"id": name, "sceneId": "farm", "title": "T", "objective": "O"} for name in names[:count]]


def scenes(count: int) -> list[Content]:
    names = ["farm", *(f"scene-{number}" for number in range(count))]
    return [{"id": name, "title": "T", "description": "D"} for name in names[:count]]


def endings(count: int) -> list[Content]:
    names = ["wet", *(f"ending-{number}" for number in range(count))]
    return [{"id": name, "title": "T", "description": "D"} for name in names[:count]]


def branches(count: int) -> list[Content]:
    return [{"id": f"b{number}", "fromNodeId": "yard", "toNodeId": "shaft", "label": "L"} for number in range(count)]


def flags(count: int) -> list[Content]:
    extra = [
        {"id": f"f{number}", "description": "D", "type": "integer", "initial": number} for number in range(count - 3)
    ]
    return [*whole()["flags"], *extra]


def relations(count: int) -> list[Content]:
    return [{"fromRoleId": "ada", "toRoleId": "ben", "kind": f"k{number}", "value": 1} for number in range(count)]


def episodes(count: int) -> list[Content]:
    return [
        {"id": f"e{number}", "title": "T", "objective": "O", "startNodeId": "yard", "turnBudget": 5}
        for number in range(count)
    ]


def ending_rules(count: int) -> list[Content]:
    return [{"endingId": "wet", "conditions": [f"beat > {number}"]} for number in range(count)]


def conditions(count: int) -> list[str]:
    return [f"beat >= {number}" for number in range(count)]


def texts(count: int) -> list[str]:
    return [f"text {number}" for number in range(count)]


FACTS = numbered(text="So.")
# Each array of a package: its limit, where it stands, how one of a length is made.
ARRAYS: tuple[tuple[Limit, str, Make], ...] = (
    (limits.STORY_MAX_ROLES, "/roles", roles),
    (limits.STORY_MAX_SCENES, "/scenes", scenes),
    (limits.STORY_MAX_NODES, "/nodes", nodes),
    (limits.STORY_MAX_BRANCHES, "/branches", branches),
    (limits.STORY_MAX_ENDINGS, "/endings", endings),
    (limits.STORY_MAX_ESTABLISHED_FACTS, "/establishedFacts", FACTS),
    (limits.STORY_MAX_CANON, "/canon", FACTS),
    (limits.STORY_MAX_CONSTRAINTS, "/constraints", FACTS),
    (limits.STORY_MAX_FLAGS, "/flags", flags),
    (limits.STORY_MAX_INITIAL_RELATIONS, "/initialRelations", relations),
    (limits.STORY_MAX_SERIES, "/series", episodes),
    (limits.STORY_MAX_GOALS_PER_ROLE, "/roles/0/goals", texts),
    (limits.STORY_MAX_SECRETS_PER_ROLE, "/roles/0/secrets", texts),
    (limits.STORY_MAX_PRECONDITIONS_PER_NODE, "/nodes/1/preconditions", conditions),
    (limits.STORY_MAX_CONDITIONS_PER_BRANCH, "/branches/0/conditions", conditions),
    (limits.STORY_MAX_CONDITIONS_PER_ENDING, "/endings/0/conditions", conditions),
    (limits.STORY_MAX_ENDING_RULES_PER_EPISODE, "/series/0/endingRules", ending_rules),
    (limits.STORY_MAX_CONDITIONS_PER_ENDING_RULE, "/series/0/endingRules/0/conditions", conditions),
)


def chinese(count: int) -> str:
    return "井" * count


def condition(count: int) -> str:
    return f"true ||{' ' * (count - 11)}true"


def identifier(count: int) -> str:
    return "a" * count


def language(count: int) -> str:
    return f"abcdefgh-abcdefgh-abcdefgh-{'a' * (count - 31)}-abc"


NAME, TEXT = limits.STORY_MAX_NAME_CHARS, limits.STORY_MAX_TEXT_CHARS
# Each text of a package: its limit, where it stands, how one of a length is made.
TEXTS: tuple[tuple[Limit, str, Make], ...] = (
    *((NAME, path, chinese) for path in ("/title", "/source/title", "/source/version", "/roles/0/name")),
    *((NAME, path, chinese) for path in ("/scenes/0/title", "/nodes/0/title", "/branches/0/label")),
    *((NAME, path, chinese) for path in ("/endings/0/title", "/series/0/title")),
    *((TEXT, path, chinese) for path in ("/roles/0/description", "/roles/0/goals/0", "/roles/0/secrets/0")),
    *((TEXT, path, chinese) for path in ("/scenes/0/description", "/nodes/0/objective", "/branches/0/description")),
    *((TEXT, path, chinese) for path in ("/endings/0/description", "/establishedFacts/0/text", "/canon/0/text")),
    *((TEXT, path, chinese) for path in ("/constraints/0/text", "/flags/0/description", "/series/0/objective")),
    *((TEXT, path, condition) for path in ("/nodes/1/preconditions/0", "/branches/0/conditions/0")),
    *((TEXT, path, condition) for path in ("/endings/0/conditions/0", "/series/0/endingRules/0/conditions/0")),
    (TEXT, "/constraints/0/rule", condition),
    (limits.STORY_MAX_LOGLINE_CHARS, "/logline", chinese),
    (limits.STORY_MAX_VOICE_CHARS, "/roles/0/voice", chinese),
    (limits.STORY_MAX_RELATION_NOTE_CHARS, "/initialRelations/0/note", chinese),
    (limits.STORY_MAX_FLAG_TEXT_CHARS, "/flags/2/initial", chinese),
    (limits.LANGUAGE_MAX_CHARS, "/language", language),
    (limits.ID_MAX_CHARS, "/canon/0/id", identifier),
    (limits.ID_MAX_CHARS, "/initialRelations/0/kind", identifier),
)
# Each number of a package: its limit and where it stands.
NUMBERS: tuple[tuple[Limit, str], ...] = (
    (limits.STORY_MAX_TURN_BUDGET, "/series/0/turnBudget"),
    (limits.RELATION_MAX_VALUE, "/initialRelations/0/value"),
)


@pytest.mark.parametrize(("limit", "path", "make"), ARRAYS, ids=[path for _, path, _ in ARRAYS])
def test_every_array_is_taken_at_its_limit_and_refused_one_over(limit: Limit, path: str, make: Make) -> None:
    assert judge_package(with_value(path, make(limit.value))).problems == ()
    (problem,) = judge_package(with_value(path, make(limit.value + 1))).problems
    assert (problem.code, problem.path) == ("array_too_long", path)
    assert problem.message == f"{path[1:]} exceeds {limit.value}"
    assert (problem.limit, problem.actual, problem.reason) == (limit.value, limit.value + 1, limit.reason)


@pytest.mark.parametrize(("limit", "path", "make"), TEXTS, ids=[path for _, path, _ in TEXTS])
def test_every_text_is_taken_at_its_limit_and_refused_one_over(limit: Limit, path: str, make: Make) -> None:
    assert judge_package(with_value(path, make(limit.value))).problems == ()
    (problem,) = judge_package(with_value(path, make(limit.value + 1))).problems
    assert (problem.code, problem.path) == ("text_too_long", path)
    assert problem.message == f"{path[1:]} exceeds {limit.value} characters"
    assert (problem.limit, problem.actual, problem.reason) == (limit.value, limit.value + 1, limit.reason)


@pytest.mark.parametrize(("limit", "path"), NUMBERS, ids=[path for _, path in NUMBERS])
def test_every_number_is_taken_at_its_limit_and_refused_one_over(limit: Limit, path: str) -> None:
    assert judge_package(with_value(path, limit.value)).problems == ()
    (problem,) = judge_package(with_value(path, limit.value + 1)).problems
    assert (problem.code, problem.path, problem.message) == (
        "number_too_large",
        path,
        f"{path[1:]} exceeds {limit.value}",
    )
    assert (problem.limit, problem.actual, problem.reason) == (limit.value, limit.value + 1, limit.reason)


@pytest.mark.parametrize(("path", "least"), [("/series/0/turnBudget", 1), ("/initialRelations/0/value", -100)])
def test_every_number_is_taken_at_its_least_and_refused_one_under(path: str, least: int) -> None:
    assert judge_package(with_value(path, least)).problems == ()
    (problem,) = judge_package(with_value(path, least - 1)).problems
    assert (problem.code, problem.limit, problem.actual) == ("number_too_small", least, least - 1)
    assert problem.message == f"{path[1:]} is {least - 1}; at least {least} is allowed"


@pytest.mark.parametrize("sign", [1, -1])
def test_an_integer_is_taken_at_its_bound_and_refused_one_over(sign: int) -> None:
    content = without("/constraints/0/rule")
    content["flags"][1]["initial"] = sign * limits.INTEGER_MAX.value
    assert judge_package_bytes(json.dumps(content).encode()).problems == ()
    content["flags"][1]["initial"] += sign
    # The parser of every door refuses it before the schema could.
    assert [code for code, _ in found(judge_package_bytes(json.dumps(content).encode()))] == ["json_integer_range"]


def limits_in(part: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every limit that a schema declares, with the path of the field that it bounds; an item of a list is `0`."""
    for name in part.get("x-limits", {}).values():
        yield name, path
    for field, below in part.get("properties", {}).items():
        yield from limits_in(below, f"{path}/{field}")
    if "items" in part:
        yield from limits_in(part["items"], f"{path}/0")


def test_every_limit_of_the_schema_is_in_these_tables() -> None:
    tables = (*((limit, path) for limit, path, _ in (*ARRAYS, *TEXTS)), *NUMBERS)
    proven = {(limit.name, path) for limit, path in tables}
    proven = {(name, path.replace("/1/", "/0/").replace("/2/", "/0/")) for name, path in proven}
    unproven = {
        (name, path)
        for name, path in limits_in(schema.STORY_PACKAGE_CONTENT)
        if (name, path) not in proven
        # Ids that refer to something have the shape of the id that they name; at most the whole cast knows a fact.
        and name not in ("ID_MAX_CHARS", "STORY_PACKAGE_MAX_BYTES", "INTEGER_MAX")
        and not path.endswith("/knownBy")
    }
    assert unproven == set()


def test_no_more_roles_than_a_story_has_can_know_a_fact() -> None:
    known_by = [*(role["id"] for role in roles(24)), "ada"]
    content = {**with_value("/canon/0/knownBy", known_by), "roles": roles(24)}
    assert found(judge_package(content)) == [
        ("array_too_long", "/canon/0/knownBy"),
        ("role_repeated", "/canon/0/knownBy/24"),
    ]


def test_a_package_of_exactly_900000_bytes_in_chinese_is_taken() -> None:
    judged = judge_package_bytes(json.dumps(of_bytes(limits.STORY_PACKAGE_MAX_BYTES.value)).encode())
    assert judged.problems == ()
    assert judged.size_bytes == 900_000


@pytest.mark.parametrize("size", [900_001, 1_043_211])
def test_a_larger_package_is_refused_with_its_real_size(size: int) -> None:
    judged = judge_package(of_bytes(size))
    (problem,) = judged.problems
    assert (problem.code, problem.path) == ("package_too_large", "")
    assert problem.message == f"story package is {size} bytes; the limit is 900000"
    assert problem.message_zh == f"故事包为 {size} 字节；上限是 900000"
    assert (problem.limit, problem.actual) == (900_000, size)
    assert problem.reason == limits.STORY_PACKAGE_MAX_BYTES.reason
    assert judged.size_bytes == size


def test_white_space_that_is_trimmed_does_not_count_towards_the_size() -> None:
    content = of_bytes(900_000)
    content["title"] = f"\r\n {content['title']}\u3000"
    assert judge_package(content).problems == ()


def test_a_package_is_judged_as_bytes_and_as_a_value_alike() -> None:
    judged = judge_package_bytes(json.dumps(whole()).encode())
    assert judged == judge_package(whole()) == judge_package_bytes(canonical_bytes(whole()))
    assert judged.problems == ()
    assert judged.content is not None
    assert judged.canonical == canonical_bytes(judged.content)
    assert judged.size_bytes == len(judged.canonical)
    assert judged.digest == digest(judged.canonical)
    assert judged.package == read_package(judged.content)


def test_bytes_that_are_no_json_have_one_problem_and_no_content() -> None:
    judged = judge_package_bytes(b"{")
    assert found(judged) == [("json_syntax", "")]
    assert (judged.content, judged.canonical, judged.size_bytes, judged.digest) == (None, b"", 0, "")
    assert judged.package is None


def test_what_is_no_object_has_no_content() -> None:
    judged = judge_package([])
    (problem,) = judged.problems
    assert (problem.code, problem.path, problem.message) == (
        "type_wrong",
        "",
        "story package is an array; an object is allowed",
    )
    assert judged.content is None
    assert judged.canonical == b"[]"


def test_a_refused_package_still_has_its_content_bytes_and_digest() -> None:
    judged = judge_package(without("/title"))
    assert judged.content is not None
    assert judged.digest == digest(judged.canonical)
    assert judged.package is None


def test_the_digest_depends_neither_on_the_order_of_fields_nor_on_what_is_normalized() -> None:
    content = dict(reversed(whole().items()))
    content["title"] = "  The Well\r\n"
    assert judge_package(content).digest == judge_package(whole()).digest


def test_every_problem_is_told_at_once() -> None:
    content = whole()
    content["roles"] = [*roles(24), {"id": "ada", "name": "", "description": "x" * 501}]
    content["nodes"][0]["sceneId"] = "barn"
    content["branches"][0]["conditions"] = ["flags.shut", "1 +"]
    content["constraints"][0]["rule"] = "flags.depth > 9"
    content["colour"] = "red"
    content["padding"] = "水" * 300_000
    assert found(judge_package(content)) == [
        ("package_too_large", ""),
        ("array_too_long", "/roles"),
        ("id_repeated", "/roles/24/id"),
        ("text_empty", "/roles/24/name"),
        ("text_too_long", "/roles/24/description"),
        ("reference_unknown", "/nodes/0/sceneId"),
        ("condition_flag_unknown", "/branches/0/conditions/0"),
        ("condition_syntax", "/branches/0/conditions/1"),
        ("rule_broken_at_start", "/constraints/0/rule"),
        ("field_unknown", "/colour"),
        ("field_unknown", "/padding"),
    ]


def test_more_problems_than_can_be_told_are_counted() -> None:
    judged = judge_package({**whole(), "canon": [1] * 1200})
    assert len(judged.problems) == limits.PROBLEMS_MAX_REPORTED.value == 1000
    assert judged.more_problems == 201
    assert found(judged)[0] == ("array_too_long", "/canon")


def test_exactly_as_many_problems_as_can_be_told_leave_none_to_count() -> None:
    judged = judge_package({**whole(), "canon": [1] * 999})
    assert (len(judged.problems), judged.more_problems) == (1000, 0)


def test_a_rule_that_does_not_hold_at_the_start_is_refused() -> None:
    judged = judge_package(with_value("/constraints/0/rule", 'visited("shaft")'))
    (problem,) = judged.problems
    assert (problem.code, problem.path) == ("rule_broken_at_start", "/constraints/0/rule")
    assert problem.message.startswith("constraints/0/rule does not hold when the story starts")


@pytest.mark.parametrize(
    "rule",
    ['visited("yard")', 'relation("ada", "ben", "trust") == 10', 'hasFact("dry")', 'beat == 0 && flags.word == "hush"'],
)
def test_a_rule_sees_the_state_in_which_the_story_starts(rule: str) -> None:
    assert judge_package(with_value("/constraints/0/rule", rule)).problems == ()


def test_a_rule_is_judged_at_the_start_although_other_parts_have_problems() -> None:
    content = with_value("/constraints/0/rule", "flags.open")
    content["title"] = ""
    assert found(judge_package(content)) == [("text_empty", "/title"), ("rule_broken_at_start", "/constraints/0/rule")]


def test_a_rule_is_not_judged_at_a_start_that_is_not_known() -> None:
    content = with_value("/constraints/0/rule", "flags.open")
    content["flags"][0]["initial"] = 3
    assert found(judge_package(content)) == [("flag_initial_type", "/flags/0/initial")]


def test_a_rule_that_is_no_condition_has_that_problem_alone() -> None:
    assert found(judge_package(with_value("/constraints/0/rule", "flags.shut"))) == [
        ("condition_flag_unknown", "/constraints/0/rule")
    ]


@pytest.mark.parametrize("text", ["𝒳" * 500, "é" * 500, "a\tb\nc", "\u200b", "e\u0301"])
def test_characters_are_code_points_and_are_left_untouched(text: str) -> None:
    judged = judge_package(with_value("/roles/0/voice", text))
    assert judged.package is not None
    assert judged.package.roles[0].voice == text


@pytest.mark.parametrize("character", ["\x00", "\x08", "\x0b", "\x0c", "\x1b", "\x1f", "\x7f", "\x80", "\x85", "\x9f"])
def test_a_control_character_is_refused_without_being_repeated(character: str) -> None:
    (problem,) = judge_package(with_value("/roles/0/voice", f"a{character}b")).problems
    assert (problem.code, problem.path) == ("control_character", "/roles/0/voice")
    assert character not in json.dumps(problem.to_json(), ensure_ascii=False)


@pytest.mark.parametrize("path", ["/roles", "/scenes", "/nodes"])
def test_a_story_has_a_role_a_scene_and_a_node(path: str) -> None:
    assert ("array_empty", path) in found(judge_package(with_value(path, [])))


def test_a_package_is_not_changed_by_being_judged() -> None:
    content = whole()
    judge_package(content)
    assert content == whole()
