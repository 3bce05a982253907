"""Facts about what is taken as JSON, and about the one form that is hashed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyworld.core import limits
from storyworld.core.canonical import (
    Malformed,
    canonical_bytes,
    canonical_object,
    digest,
    levels,
    may_hold_control_characters,
    parse,
    read_stored,
)
from storyworld.core.errors import Problem

INTEGER_MAX = limits.INTEGER_MAX.value
DEPTH = limits.JSON_MAX_DEPTH.value
NODES = limits.JSON_MAX_NODES.value

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-INTEGER_MAX, INTEGER_MAX) | TEXTS,
    lambda children: st.lists(children) | st.dictionaries(TEXTS, children),
)

REFUSED = {
    "an empty document": (b"", "json_syntax"),
    "spaces only": (b" \n", "json_syntax"),
    "two values": (b"{} {}", "json_syntax"),
    "a trailing comma": (b"[1,]", "json_syntax"),
    "a comment": (b"[1] // one", "json_syntax"),
    "single quotes": (b"{'a': 1}", "json_syntax"),
    "an unclosed array": (b"[1", "json_syntax"),
    "a bracket too many": (b"[1]]", "json_syntax"),
    "brackets that do not match": (b"[}", "json_syntax"),
    "an unclosed text": (b'["a', "json_syntax"),
    "a text cut within an escape": (b'["a\\', "json_syntax"),
    "an escape that JSON lacks": (b'["\\x41"]', "json_syntax"),
    "a raw line feed in a text": (b'["a\nb"]', "json_syntax"),
    "a raw U+0000 in a text": (b'["\0"]', "json_syntax"),
    "a leading zero": (b"[01]", "json_syntax"),
    "a plus sign": (b"[+1]", "json_syntax"),
    "NaN": (b"[NaN]", "json_syntax"),
    "Infinity": (b"[-Infinity]", "json_syntax"),
    "Latin-1": (b'["\xe9"]', "json_encoding"),
    "an overlong sequence": (b'["\xc0\xaf"]', "json_encoding"),
    "a surrogate in UTF-8": (b'["\xed\xa0\x80"]', "json_encoding"),
    "UTF-16": ('["a"]'.encode("utf-16"), "json_encoding"),
    "a byte order mark": (b"\xef\xbb\xbf[]", "json_bom"),
    "a key twice": (b'{"a":1,"a":1}', "json_duplicate_key"),
    "a key twice, once escaped": (b'{"a":1,"\\u0061":2}', "json_duplicate_key"),
    "an empty key twice": (b'{"":1,"":2}', "json_duplicate_key"),
    "U+0000 in a text": (b'["a\\u0000"]', "json_nul"),
    "U+0000 in a key": (b'{"\\u0000":1}', "json_nul"),
    "a high surrogate alone": (b'["\\ud800"]', "json_surrogate"),
    "a low surrogate alone": (b'["\\udc00 "]', "json_surrogate"),
    "surrogates in the wrong order": (b'["\\udc00\\ud800"]', "json_surrogate"),
    "a surrogate in a key": (b'{"\\ud800":1}', "json_surrogate"),
    "a fraction": (b"[1.0]", "json_number_form"),
    "an exponent": (b"[1e2]", "json_number_form"),
    "a capital exponent": (b"[1E2]", "json_number_form"),
    "a number that is infinite as a double": (b"[1e999]", "json_number_form"),
    "2^53": (b"[9007199254740992]", "json_integer_range"),
    "-2^53": (b"[-9007199254740992]", "json_integer_range"),
    "2^64": (b"[18446744073709551616]", "json_integer_range"),
    "ten thousand digits": (b"9" * 10_000, "json_integer_range"),
    "65 levels": (b"[" * 65 + b"]" * 65, "json_depth"),
    "65 levels, never closed": (b"[" * 65, "json_depth"),
    "65 levels of objects": (b'{"a":' * 65 + b"1" + b"}" * 65, "json_depth"),
}

TAKEN: dict[str, tuple[bytes, Any]] = {
    "a text alone": (b'"a"', "a"),
    "null alone": (b" null ", None),
    "an empty array": (b"[ ]", []),
    "an empty object": (b"{\t}", {}),
    "an empty key": (b'{"":0}', {"": 0}),
    "the same key in two objects": (b'[{"a":1},{"a":1}]', [{"a": 1}, {"a": 1}]),
    "minus zero, as 0": (b"[-0]", [0]),
    "2^53 - 1": (b"[9007199254740991,-9007199254740991]", [INTEGER_MAX, -INTEGER_MAX]),
    "a pair of surrogates": (b'["\\ud834\\udd1e"]', ["\U0001d11e"]),
    "a noncharacter": (b'["\\uffff"]', ["\uffff"]),
    "a delete character": (b'["\x7f"]', ["\x7f"]),
    "an escaped backslash before u0000": (b'["\\\\u0000"]', ["\\u0000"]),
    "an escaped backslash that ends a text": (b'["\\\\",":{[,"]', ["\\", ":{[,"]),
    "escaped quotes": (b'{"\\"":"\\\\\\""}', {'"': '\\"'}),
    "punctuation and numbers in texts": (b'[":,{}[] 1.5 1e5 12345678901234567"]', [":,{}[] 1.5 1e5 12345678901234567"]),
    "64 levels": (b"[" * 63 + b"[]" + b"]" * 63, json.loads("[" * 64 + "]" * 64)),
}


def refused(data: bytes) -> Problem:
    """The problem for which the bytes are not taken."""
    with pytest.raises(Malformed) as caught:
        parse(data)
    assert str(caught.value) == caught.value.problem.message
    return caught.value.problem


@pytest.mark.parametrize(("data", "code"), REFUSED.values(), ids=REFUSED)
def test_what_readers_could_understand_differently_is_refused_with_its_own_code(data: bytes, code: str) -> None:
    assert refused(data).code == code


@pytest.mark.parametrize(("data", "value"), TAKEN.values(), ids=TAKEN)
def test_everything_else_that_json_allows_is_taken(data: bytes, value: object) -> None:
    assert parse(data) == value
    assert read_stored(data) == value


def test_minus_zero_is_written_as_zero() -> None:
    assert canonical_bytes(parse(b"-0")) == b"0"


def test_a_syntax_fault_is_told_by_line_and_column_in_characters() -> None:
    found = refused('{\n "渡船": "夜", x}'.encode())
    assert found.message == "line 2, column 13 breaks the grammar of JSON; the document must be one JSON value"
    assert found.path == ""


def test_a_byte_that_is_not_utf8_is_told_by_its_place() -> None:
    assert refused(b'["\xe5\xb2\xb8\xff"]').message.startswith("byte 5 is not UTF-8")


@pytest.mark.parametrize(
    ("document", "path", "place"),
    [
        ('{"roles": [\n {"id": "a"},\n {"id": "b", "id": "c"}\n]}', "/roles/1/id", "line 3, column 14"),
        ('{"a": {"b": [true, [], {}, 1.5]}}', "/a/b/3", "line 1, column 28"),
        ('{"a": 1, "b": {"c": "\\u0000"}, "d": 2.5}', "/b/c", "line 1, column 21"),
        ('["\\ud800"]', "/0", "line 1, column 2"),
        ('{"x": -9007199254740992}', "/x", "line 1, column 7"),
        ("1.5", "", "line 1, column 1"),
    ],
)
def test_a_fault_is_told_by_its_pointer_and_its_place(document: str, path: str, place: str) -> None:
    found = refused(document.encode())
    assert found.path == path
    assert found.message.startswith(place)


@pytest.mark.parametrize("key", ["", "a secret of Marta", "a/b", "k" * 65, "夜"])
def test_a_pointer_ends_before_a_key_that_is_not_short_and_plain(key: str) -> None:
    document = json.dumps({"roles": [{key: {"a": 1.5}}]})
    found = refused(document.encode())
    assert found.path == "/roles/0"
    assert not key or key not in json.dumps(found.to_json(), ensure_ascii=False)


def test_the_integer_limit_is_named() -> None:
    assert refused(b"[9007199254740992]").limit == INTEGER_MAX


def test_a_document_nests_64_levels_and_no_more() -> None:
    found = refused(b"[" * (DEPTH + 1) + b"]" * (DEPTH + 1))
    assert (found.limit, found.actual) == (DEPTH, DEPTH + 1)


def test_a_document_holds_200000_values_and_no_more() -> None:
    at_the_bound = b"[" + b",".join([b"[]"] * (NODES - 1)) + b"]"
    assert len(parse(at_the_bound)) == NODES - 1
    found = refused(b'{"a":[' + b",".join([b"0"] * (NODES - 1)) + b"]}")
    assert (found.code, found.limit, found.actual) == ("json_nodes", NODES, NODES + 1)


def test_a_request_is_8_mebibytes_and_no_more() -> None:
    bytes_max = limits.REQUEST_MAX_BYTES.value
    assert parse(b'"' + b"a" * (bytes_max - 2) + b'"') == "a" * (bytes_max - 2)
    found = refused(b'"' + b"a" * (bytes_max - 1) + b'"')
    assert found.code == "json_too_large"
    assert found.message == "the request is 8388609 bytes; the limit is 8388608"


def test_what_is_stored_is_read_beyond_the_limits_on_what_is_sent() -> None:
    assert len(read_stored(b"[" + b",".join([b"0"] * NODES) + b"]")) == NODES
    assert read_stored(b"[" * (DEPTH + 1) + b"]" * (DEPTH + 1))
    with pytest.raises(Malformed):
        read_stored(b'{"a":1,"a":2}')


def test_keys_are_sorted_by_code_point_and_texts_are_left_as_they_are() -> None:
    value = {"é": "e\u0301", "\uffff": 1, "\U00010000": [2, {"b": None, "a": True}], "a": "\n/\u2028"}
    assert canonical_bytes(value) == (
        '{"a":"\\n/\u2028","é":"e\u0301","\uffff":1,"\U00010000":[2,{"a":true,"b":null}]}'.encode()
    )


def test_a_tuple_is_written_as_an_array() -> None:
    assert canonical_bytes(("a", [1])) == b'["a",[1]]'


@pytest.mark.parametrize("value", [1.0, [1.0], {"a": (1, {"b": [0.5]})}])
def test_a_float_cannot_be_hashed(value: object) -> None:
    with pytest.raises(AssertionError, match="integers only"):
        canonical_bytes(value)


@pytest.mark.parametrize("value", [{1: 2}, INTEGER_MAX + 1, "\ud800", {"a", "b"}, b"a"])
def test_what_is_not_json_cannot_be_hashed(value: object) -> None:
    with pytest.raises(TypeError):
        canonical_bytes(value)


@given(st.dictionaries(TEXTS, VALUES))
def test_an_object_is_written_alike_from_its_written_members(value: dict[str, object]) -> None:
    assert canonical_object({name: canonical_bytes(member) for name, member in value.items()}) == canonical_bytes(value)


@given(VALUES)
def test_what_is_written_reads_back_the_same_and_is_written_the_same(value: object) -> None:
    written = canonical_bytes(value)
    assert parse(written) == value
    assert canonical_bytes(read_stored(written)) == written


@given(VALUES)
def test_a_document_may_be_spaced_and_escaped_in_any_way(value: object) -> None:
    assert parse(json.dumps(value, ensure_ascii=True, indent=3).encode()) == value


@given(st.binary() | st.text(alphabet='[]{}:,"\\u0dD8 1.e-tn').map(str.encode))
def test_whatever_the_bytes_they_are_taken_or_refused_with_a_code(data: bytes) -> None:
    try:
        value = parse(data)
    except Malformed as malformed:
        code = malformed.problem.code
    else:
        code = "taken"
        assert json.loads(data) == value
        assert parse(canonical_bytes(value)) == value
    assert code == "taken" or code.startswith("json_")


def verdict(data: bytes) -> object:
    """The code and path for which the bytes are not taken, or else their value, as the plainest reader has it too."""
    try:
        value = parse(data)
    except Malformed as malformed:
        return malformed.problem.code, malformed.problem.path
    assert json.loads(data) == value
    return value


@given(VALUES, st.data())
def test_a_document_with_nothing_to_spare_is_judged_like_the_same_one_with_a_space_behind_it(
    value: object, data: st.DataObject
) -> None:
    # The space is what keeps a sound document from being seen to be sound at once.
    written = bytearray(canonical_bytes(value))
    changes = st.tuples(st.integers(0, len(written)), st.integers(0, 2), st.sampled_from(b'[]{}:,"\\u0.e1'))
    for place, taken_away, byte in data.draw(st.lists(changes, max_size=3)):
        written[place : place + taken_away] = bytes([byte])
    assert verdict(bytes(written)) == verdict(bytes(written) + b" ")


@pytest.mark.parametrize(
    "document",
    [
        b'{"a":1,"a":1}',
        b'[{"b":[[]],"b":[]}]',
        b"[1.5]",
        b"[1e2]",
        b"[9007199254740992]",
        b"[-9007199254740993]",
        b"[18446744073709551615]",
        b"[18446744073709551616]",
        b'["\\u0000"]',
        b'{"a\\u0000":1}',
        b"[" * 65 + b"]" * 65,
        b'{"a":' + b"[" * 64 + b"]" * 64 + b',"a":0}',
        b"[" * 300 + b"]" * 300,
    ],
)
def test_what_is_not_taken_is_told_the_same_however_it_is_spaced(document: bytes) -> None:
    assert refused(document) == refused(document + b" ")


def test_levels_are_all_values_but_texts_those_of_one_depth_at_a_time() -> None:
    value = {"a": [1, {"b": None}], "c": ({"d": "e"}, []), "f": "g"}
    assert list(levels(value)) == [[value], [value["a"], value["c"]], [1, {"b": None}, {"d": "e"}, []], [None]]
    assert list(levels("a")) == []


CONTROL_CHARACTERS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"]


@pytest.mark.parametrize("character", CONTROL_CHARACTERS, ids=ascii)
def test_canonical_bytes_show_every_control_character(character: str) -> None:
    assert may_hold_control_characters(canonical_bytes([f"a{character}b"]))
    assert may_hold_control_characters(canonical_bytes({character: 1}))


@given(VALUES)
def test_canonical_bytes_in_which_no_control_character_is_seen_hold_none(value: object) -> None:
    written = canonical_bytes(value)
    held = {character for text in _texts_in(value) for character in text}
    assert may_hold_control_characters(written) >= bool(held & set(CONTROL_CHARACTERS))


def test_line_feeds_tabs_quotes_and_letters_are_no_reason_for_doubt() -> None:
    assert not may_hold_control_characters(canonical_bytes(['\n\t"/', "\u00a0é\u00bf夜\U0001f30a\u0800"]))


def test_a_digest_is_the_sha256_of_the_bytes() -> None:
    assert digest(b"{}") == "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


DUPLICATES = ("y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json")
NULS = ("y_object_escaped_null_in_key.json", "y_string_null_escape.json")


def test_every_document_of_the_json_test_suite_that_breaks_the_grammar_is_refused(
    cases: Callable[[str], Path],
) -> None:
    files = sorted(cases("json").glob("n_*.json"))
    assert len(files) > 150
    for file in files:
        assert refused(file.read_bytes()).code in {"json_syntax", "json_encoding", "json_bom", "json_depth"}, file.name


def test_every_document_of_the_json_test_suite_that_readers_agree_on_is_taken(cases: Callable[[str], Path]) -> None:
    files = sorted(cases("json").glob("y_*.json"))
    assert len(files) > 90
    for file in files:
        data = file.read_bytes()
        expected = json.loads(data)
        if file.name in DUPLICATES:
            assert refused(data).code == "json_duplicate_key", file.name
        elif file.name in NULS:
            assert refused(data).code == "json_nul", file.name
        elif "float" in {type(value).__name__ for value in _leaves(expected)}:
            assert refused(data).code == "json_number_form", file.name
        else:
            assert parse(data) == expected, file.name


def _texts_in(value: object) -> list[str]:
    texts = [leaf for leaf in _leaves(value) if isinstance(leaf, str)]
    for level in levels(value):
        texts += [key for member in level if isinstance(member, dict) for key in member]
    return texts


def _leaves(value: object) -> list[object]:
    if isinstance(value, dict):
        return [leaf for member in value.values() for leaf in _leaves(member)]
    if isinstance(value, list):
        return [leaf for member in value for leaf in _leaves(member)]
    return [value]
