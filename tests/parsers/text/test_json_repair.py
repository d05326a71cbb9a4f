"""JSON that was cut off or broken: read as far as it is certain, or refused."""

import json
from decimal import Decimal

import pytest

from bench.parsers import DOCUMENTS
from parsers.base.format import ParseError
from parsers.text.json_repair import join_document, read_json
from tests.parsers.samples import codes, only, parse
from tests.parsers.text.test_wrapping import hard_wrapped

DOCUMENT = (DOCUMENTS / "fio-json.txt").read_text()
COMPLETE = only(DOCUMENT)


def test_a_document_ends_where_other_text_begins():
    document = read_json('{"a": 1.50} and so on')
    assert (document.value, document.end, document.is_cut) == ({"a": Decimal("1.50")}, 11, False)


def test_the_part_before_a_cut_is_read():
    for text, value in (
        ('{"a": 1, "b": [{"c": 2, "d', {"a": 1, "b": [{"c": 2}]}),
        ('{"a": 1, "b": "two', {"a": 1}),
        ('{"a": 1, "b": 12', {"a": 1}),  # may have gone on: 123
        ('{"a": 1, "b": "two",', {"a": 1, "b": "two"}),
        ('{"a": 1, "b": tr', {"a": 1}),
        ('{"a": "}", "b": {"c": "\\"]', {"a": "}", "b": {}}),
        ('{"a": 1,\nthe rest is missing', {"a": 1}),
    ):
        document = read_json(text)
        assert (document.value, document.is_cut) == (value, True), text


def test_a_break_in_the_middle_is_refused_with_its_line():
    for text, line in (
        ('{"a": 1,\n[...]\n"b": 2}', 2),
        ('{"a": 1,\n"b": }\n"c": 2}', 2),
        ('{"a": [1, 2}\n, "c": 2}', 1),
        ("nothing of the kind", 1),
    ):
        with pytest.raises(ParseError) as caught:
            read_json(text)
        assert (caught.value.code, caught.value.line_number) == ("broken_json", line), text


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_unlimited_nesting_is_refused(text):
    with pytest.raises(ParseError):
        read_json(text)


def test_overlong_numbers_are_out_of_range():
    for number in ("9" * 5000, "1e99999999999999999999", "1e-99999999999999999999", f"0.{'1' * 99}"):
        assert read_json(f'{{"a": {number}}}').value == {"a": Decimal("Infinity")}, number


def test_a_document_reads_alike_at_any_width(subtests):
    value = json.loads(DOCUMENT.partition("\n")[2].replace("-nan", "0"))
    compact, spaced = (json.dumps(value, separators=separators) for separators in ((",", ":"), (", ", ": ")))
    for name, text in {"as printed": DOCUMENT, "compact": compact, "on one line": spaced}.items():
        for width in range(30, 81):
            with subtests.test(name, width=width):
                paste = parse(hard_wrapped(text, width))
                assert [(reading.path, reading.jobs) for reading in paste.readings] == [
                    (COMPLETE.path, COMPLETE.jobs)
                ]


def test_text_below_a_broken_document_changes_nothing():
    below = "\nThat was the new disk. What do you think of it, would you take it\nfor a pool of mirrors?\n"
    paste = parse(hard_wrapped(DOCUMENT, 34) + below)
    assert [reading.jobs for reading in paste.readings] == [COMPLETE.jobs]


def test_a_broken_document_is_joined_where_that_is_certain_and_no_line_is_lost():
    for text, joined in (
        ('{"mean" : 123\n4, "sync" : 1\n2}\nbelow', '{"mean" : 1234, "sync" : 12}\n\n\nbelow'),
        # mail broke at a blank where the next word had no room
        (
            '{"jobname": "sync4k of\nours",\n"description": "an\nexample of it"}',
            '{"jobname": "sync4k of ours",\n\n"description": "an example of it"}\n',
        ),
        # nothing shows what was there
        ('{"mean" : 123\n4.5, "syn\nc" : "a b"}', '{"mean" : 123\n4.5, "syn\nc" : "a b"}'),
    ):
        assert "\n".join(join_document(text.split("\n"))) == joined, text


def test_names_broken_at_no_width_are_refused_and_not_read():
    broken = DOCUMENT.replace('"job options"', '"job op\ntions"').replace('"sync"', '"syn\nc"')
    paste = parse(broken)
    assert (list(paste.readings), codes(paste)) == ([], ["broken_json"])


def test_a_cut_document_is_still_read_as_far_as_it_goes():
    at = DOCUMENT.index('"jobs"')
    end = DOCUMENT.index('"disk_util"') if '"disk_util"' in DOCUMENT else len(DOCUMENT) - 10
    assert end > at
    paste = parse(DOCUMENT[: end + 4] + "\nand so on\n")
    assert [(reading.complete, reading.jobs) for reading in paste.readings] == [(False, COMPLETE.jobs)]
