"""A text in blocks: what was read, what was not, and what of that is folded."""

from parsers.base.readings import LeftOutLines, ParsedPaste
from results.submissions.text.blocks import FEW_LINES, sent_blocks, text_blocks


def shape(blocks):
    return [(block.label, block.is_read, block.is_folded) for block in blocks]


def test_lines_are_in_numbered_blocks():
    blocks = text_blocks("prompt\nfirst\x0cstill first\nsecond\n\nafter\n", [(2, 3)])
    assert shape(blocks) == [
        ("Line 1", False, False),
        ("Lines 2 to 3", True, False),
        ("Lines 4 to 5", False, False),
    ]
    assert [(line.sent, line.text, line.anchor) for line in blocks[1].lines] == [
        (2, "first\x0cstill first", "L2"),
        (3, "second", "L3"),
    ]


def test_long_blocks_that_were_not_read_are_folded(subtests):
    for count, is_folded in [(FEW_LINES, False), (FEW_LINES + 1, True)]:
        with subtests.test(count=count):
            (block,) = text_blocks("x\n" * count, [], folds=True)
            assert block.is_folded is is_folded


def test_blocks_with_runs_or_notices_are_not_folded():
    text = "x\n" * 60
    assert shape(text_blocks(text, [(1, 20)], folds=True, unfolded=[40])) == [
        ("Lines 1 to 20", True, False),
        ("Lines 21 to 60", False, False),
    ]


def test_blocks_are_folded_only_on_request():
    assert shape(text_blocks("x\n" * 60, [])) == [("Lines 1 to 60", False, False)]


def test_an_empty_text_has_no_block_and_an_open_range_reads_nothing(subtests):
    for read in [[], [(None, None)], [(3, None)]]:
        with subtests.test(read=read):
            assert text_blocks("", read) == []
            assert not any(block.is_read for block in text_blocks("a\nb\nc\nd", read))


def test_before_they_are_stored_lines_have_the_numbers_of_what_was_sent():
    """Two lines may come from one, and a marker shows what it stands for in its place."""
    paste = ParsedPaste(
        text="header\n… 2 lines of iozone left out …\nfirst\n… 1 line left out …\nsecond\n… 1 line left out …\n",
        readings=(),
        devices=(),
        warnings=(),
        left_out=(),
        unit_digests={},
        parser_version="0",
        source_lines=(3, 4, 9, 9, 9, 9),
        left_out_lines=(
            LeftOutLines(1, 2, ("Hi", "all")),  # without a marker
            LeftOutLines(4, 8, ("iozone: 1", "iozone: 2"), "iozone"),
            LeftOutLines(9, 9, ("stdout =",)),
            LeftOutLines(9, 9, ("rc = 4",)),
        ),
    )
    blocks = sent_blocks(paste, [(3, 5)])
    left_out = paste.left_out_lines
    assert [(block.label, block.left_out) for block in blocks] == [
        ("Line 3", None),
        ("Lines 4 to 8", left_out[1]),
        ("Line 9", None),
        ("Line 9", left_out[2]),
        ("Line 9", None),
        ("Line 9", left_out[3]),
    ]
    anchors = [line.anchor for block in blocks for line in block.lines]
    assert anchors == ["L3", "L4", "L9", "", "", ""]
    assert [block.is_read for block in blocks] == [False, False, True, True, True, False]
