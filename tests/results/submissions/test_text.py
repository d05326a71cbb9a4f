"""A text in blocks: what was read, what was not, and what of that is folded."""

import pytest

from results.submissions.presentation import FEW_LINES, text_blocks


def shape(blocks):
    return [(one["label"], one["is_read"], one["is_folded"]) for one in blocks]


def test_lines_are_in_numbered_blocks():
    blocks = text_blocks("prompt\nfirst\x0cstill first\nsecond\n\nafter\n", [(2, 3)])
    assert shape(blocks) == [
        ("Line 1", False, False),
        ("Lines 2 to 3", True, False),
        ("Lines 4 to 5", False, False),
    ]
    assert blocks[1]["lines"] == [
        {"number": 2, "text": "first\x0cstill first"},
        {"number": 3, "text": "second"},
    ]


@pytest.mark.parametrize(("count", "is_folded"), [(FEW_LINES, False), (FEW_LINES + 1, True)])
def test_long_blocks_that_were_not_read_are_folded(count, is_folded):
    (block,) = text_blocks("x\n" * count, [], folds=True)
    assert block["is_folded"] is is_folded


def test_blocks_with_runs_or_notices_are_not_folded():
    text = "x\n" * 60
    assert shape(text_blocks(text, [(1, 20)], folds=True, unfolded=[40])) == [
        ("Lines 1 to 20", True, False),
        ("Lines 21 to 60", False, False),
    ]


def test_blocks_are_folded_only_on_request():
    assert shape(text_blocks("x\n" * 60, [])) == [("Lines 1 to 60", False, False)]


@pytest.mark.parametrize("read", [[], [(None, None)], [(3, None)]])
def test_an_empty_text_has_no_block_and_an_open_range_reads_nothing(read):
    assert text_blocks("", read) == []
    assert not any(one["is_read"] for one in text_blocks("a\nb\nc\nd", read))
