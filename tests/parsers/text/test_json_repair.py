from decimal import Decimal

import pytest

from parsers.base.format import ParseError
from parsers.text.json_repair import read_json


def test_a_document_ends_where_other_text_begins():
    document = read_json('{"a": 1.50} and so on')
    assert (document.value, document.end, document.is_cut) == ({"a": Decimal("1.50")}, 11, False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "b": [{"c": 2, "d', {"a": 1, "b": [{"c": 2}]}),
        ('{"a": 1, "b": "two', {"a": 1}),
        ('{"a": 1, "b": 12', {"a": 1}),  # may have gone on: 123
        ('{"a": 1, "b": "two",', {"a": 1, "b": "two"}),
        ('{"a": 1, "b": tr', {"a": 1}),
        ('{"a": "}", "b": {"c": "\\"]', {"a": "}", "b": {}}),
        ('{"a": 1,\nthe rest is missing', {"a": 1}),
    ],
)
def test_what_stands_before_a_cut_is_read(text, value):
    document = read_json(text)
    assert (document.value, document.is_cut) == (value, True)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"a": 1,\n[...]\n"b": 2}', 2),
        ('{"a": 1,\n"b": }\n"c": 2}', 2),
        ('{"a": [1, 2}\n, "c": 2}', 1),
        ("nothing of the kind", 1),
    ],
)
def test_a_break_in_the_middle_is_refused_with_its_line(text, line):
    with pytest.raises(ParseError) as caught:
        read_json(text)
    assert (caught.value.code, caught.value.line_number) == ("broken_json", line)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_a_nest_without_end_is_refused(text):
    with pytest.raises(ParseError):
        read_json(text)


@pytest.mark.parametrize(
    "number", ["9" * 5000, "1e99999999999999999999", "1e-99999999999999999999", f"0.{'1' * 99}"]
)
def test_what_is_longer_than_any_figure_is_in_no_range(number):
    assert read_json(f'{{"a": {number}}}').value == {"a": Decimal("Infinity")}
