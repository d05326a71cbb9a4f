import json
from urllib.parse import urlencode

import pytest
from django.test.client import BOUNDARY, encode_multipart
from hypothesis import given, settings
from hypothesis import strategies as st

from results.core.security.bodies import (
    MAX_BYTES_BESIDE_TEXT,
    MAX_DEPTH,
    MAX_MEMBERS,
    bytes_beside_text,
    check_json,
)

TEXT = 'one "quoted" line, \\" and \\\\" and a\\path\\\n' * 30_000  # over a MiB, with what JSON escapes
JSON, FORM, FILES = "application/json", "application/x-www-form-urlencoded", "multipart/form-data"
MUCH = "y" * MAX_BYTES_BESIDE_TEXT


def beside(content_type, fields):
    match content_type:
        case "application/json":
            return bytes_beside_text(json.dumps(fields).encode(), JSON)
        case "multipart/form-data":
            return bytes_beside_text(encode_multipart(BOUNDARY, fields), FILES, BOUNDARY)
        case _:
            return bytes_beside_text(urlencode(fields).encode(), FORM)


@pytest.mark.parametrize("content_type", [JSON, FORM, FILES])
def test_a_long_text_may_come_with_other_fields_within_the_limit(content_type):
    assert 3000 < beside(content_type, {"note": "x" * 3000, "text": TEXT, "source_url": ""}) < 4000
    assert beside(content_type, {"note": MUCH, "text": TEXT}) > MAX_BYTES_BESIDE_TEXT
    many = dict.fromkeys(map(str, range(50_000)), "x")
    assert beside(content_type, {**many, "text": TEXT}) > MAX_BYTES_BESIDE_TEXT


@pytest.mark.parametrize(
    "body",
    [
        '"' * 1_000_000,
        '{"text":"x","told":[' + "1," * 200_000 + '1],"note":"y"}',
        '{"text":":","told":[' + "1," * 200_000 + '1],"note":"y"}',
        '{"text":"\\\\","told":[' + "1," * 200_000 + '1],"note":"y"}',
        "[" * 400_000,
        "1" * 400_000,
    ],
)
@pytest.mark.parametrize("content_type", [JSON, "application/*", "", "*/*"])
def test_what_is_between_strings_is_no_text(body, content_type):
    assert bytes_beside_text(body.encode(), content_type) > MAX_BYTES_BESIDE_TEXT


@pytest.mark.parametrize("content_type", [FORM, FILES])
def test_only_the_field_of_texts_is_one(content_type):
    assert beside(content_type, {"login": TEXT}) > MAX_BYTES_BESIDE_TEXT


def test_plain_text_and_files_are_text():
    assert bytes_beside_text(TEXT.encode(), "text/plain") == 0
    head = b'Content-Disposition: form-data; name="file"; filename="a.log"\r\n\r\n'
    parts = b"".join(b"--zq\r\n" + head + TEXT.encode() + b"\r\n" for _ in range(3)) + b"--zq--\r\n"
    assert bytes_beside_text(parts, FILES, "zq") <= MAX_BYTES_BESIDE_TEXT


STRINGS = st.text(alphabet='"\\a:,[]{}\n\u00e9', max_size=20)


@settings(deadline=None)
@given(st.recursive(STRINGS, lambda inner: st.lists(inner) | st.dictionaries(STRINGS, inner), max_leaves=10))
def test_the_longest_string_of_json_is_what_json_says(value):
    filled = {"padding": [0] * MAX_BYTES_BESIDE_TEXT, "value": value}
    body = json.dumps(filled, ensure_ascii=False).encode()
    longest = max(
        len(json.dumps(string, ensure_ascii=False).encode()) - 2 for string in ("padding", *strings(value))
    )
    assert bytes_beside_text(body, JSON) == len(body) - longest


def strings(value):
    if isinstance(value, str):
        return [value]
    inner = [*value, *value.values()] if isinstance(value, dict) else value
    return [found for part in inner for found in strings(part)]


def test_json_within_the_limits_is_accepted():
    check_json({"a": [1] * MAX_MEMBERS, "b": dict.fromkeys(range(MAX_MEMBERS), "x" * 10_000)})
    check_json(nested(MAX_DEPTH))


@pytest.mark.parametrize(
    "value", [[1] * (MAX_MEMBERS + 1), {"a": [{"b": dict.fromkeys(range(MAX_MEMBERS + 1))}]}]
)
def test_json_with_a_larger_collection_is_refused(value):
    with pytest.raises(ValueError, match="more than 500 members"):
        check_json(value)


def test_json_that_nests_deeper_is_refused():
    with pytest.raises(ValueError, match="more than 32 levels"):
        check_json(nested(MAX_DEPTH + 1))


def nested(depth):
    value = "x"
    for _ in range(depth):
        value = [value]
    return value
