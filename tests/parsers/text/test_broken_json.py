"""JSON of fio whose lines were broken reads like the whole one, or is refused; a line end is never a value."""

import pytest

from bench.parsers import DOCUMENTS
from parsers.base.format import ParseError
from parsers.paste import parse_paste
from parsers.text.broken_json import join_broken_json
from tests.parsers.text.test_wrapping import hard_wrapped

DOCUMENT = (DOCUMENTS / "fio-json.txt").read_text()
(WHOLE,) = parse_paste(DOCUMENT, unit_key=b"key").readings


@pytest.mark.parametrize("width", range(30, 80))
def test_a_document_reads_alike_at_any_width(width):
    paste = parse_paste(hard_wrapped(DOCUMENT, width), unit_key=b"key")
    assert [(one.path, one.jobs) for one in paste.readings] == [(WHOLE.path, WHOLE.jobs)]


def test_text_below_a_broken_document_changes_nothing():
    below = "\nThat was the new disk. What do you think of it, would you take it\nfor a pool of mirrors?\n"
    paste = parse_paste(hard_wrapped(DOCUMENT, 34) + below, unit_key=b"key")
    assert [one.jobs for one in paste.readings] == [WHOLE.jobs]


def test_a_figure_and_a_name_are_joined_and_no_line_is_lost():
    assert (
        join_broken_json('{"mean" : 12\n34, "sync":\n 1}\nbelow') == '{"mean" : 1234, "sync": 1}\n\n\nbelow'
    )


def test_a_blank_that_ended_a_line_comes_back():
    assert join_broken_json('{"jobnam\ne": "ab\nc"}') == '{"jobname": "ab c"}\n\n'


def test_mail_broke_at_a_blank_where_the_next_word_had_no_room():
    text = '{"jobname": "sync4k",\n"description": "an\nexample of it"}'
    assert join_broken_json(text) == '{"jobname": "sync4k",\n"description": "an example of it"}\n'


def test_where_no_width_tells_what_was_there_it_is_refused():
    with pytest.raises(ParseError):
        join_broken_json('{"mean" : 123\n4.5, "syn\nc" : "a b"}')


def test_names_broken_at_no_width_are_refused_and_not_read():
    broken = DOCUMENT.replace('"job options"', '"job op\ntions"').replace('"sync"', '"syn\nc"')
    paste = parse_paste(broken, unit_key=b"key")
    assert (list(paste.readings), [one.code for one in paste.warnings]) == ([], ["broken_json"])


def test_a_cut_document_is_still_read_as_far_as_it_goes():
    at = DOCUMENT.index('"jobs"')
    end = DOCUMENT.index('"disk_util"') if '"disk_util"' in DOCUMENT else len(DOCUMENT) - 10
    assert end > at
    paste = parse_paste(DOCUMENT[: end + 4] + "\nand so on\n", unit_key=b"key")
    assert [(one.complete, one.jobs) for one in paste.readings] == [(False, WHOLE.jobs)]
