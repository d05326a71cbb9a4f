"""What no case of the corpus says: spellings of figures, lost line ends, units, several runs."""

from decimal import Decimal

from parsers.base.target import Target
from parsers.paste import MAX_READINGS_OF_BLOCK
from tests.parsers.samples import parse, places

RUN = (
    "CPU BOGOMIPS:      12000.10\nREGEX/SECOND:      801442\nHD SIZE:           27.44 GB (/dev/dm-0)\n"
    "BUFFERED READS:    176.81 MB/sec\nAVERAGE SEEK TIME: 0.26 ms\nFSYNCS/SECOND:     2128.05\n"
)


def read(text):
    paste = parse(text)
    return paste.readings, places(paste)


def test_a_run_is_read_however_its_figures_are_written():
    for text in (
        RUN,
        RUN.replace("\n", " "),
        RUN.replace("\n", "<br>"),
        RUN.replace(".", ","),
        RUN.replace("FSYNCS/SECOND:     ", "FSYNCS/SECOND:\n"),
        RUN.replace("2128.05", "2128.05   <- far too low"),
        RUN.replace("176.81 MB/sec", "0.172666 GB/sec"),
        RUN.replace("801442", "801,442"),
        RUN.replace("12000.10", "12,000.10"),
        "| " + RUN.replace(":", " | ").replace("\n", " |\n| "),
    ):
        (reading,), warnings = read(text)
        assert (reading.cpu_bogomips, reading.regex_s, reading.hd_size_gb) == (
            Decimal("12000.10"),
            801442,
            Decimal("27.44"),
        ), text
        assert round(reading.buffered_reads_mb_s, 2) == Decimal("176.81"), text
        assert (reading.average_seek_ms, reading.fsyncs_s) == (Decimal("0.26"), Decimal("2128.05")), text
        assert (reading.complete, warnings, reading.target) == (True, [], Target.FILE), text


def test_a_missing_line_is_named():
    for label in ("CPU BOGOMIPS", "REGEX/SECOND", "HD SIZE", "BUFFERED READS", "AVERAGE SEEK TIME"):
        text = "".join(line for line in RUN.splitlines(keepends=True) if not line.startswith(label))
        (reading,), warnings = read(text)
        assert (reading.complete, warnings) == (False, [("section_missing", 5)]), label


def test_the_other_figures_are_read_without_the_sync_line():
    (reading,), warnings = read(RUN.partition("FSYNCS")[0])
    assert (reading.fsyncs_s, reading.complete, warnings) == (None, False, [("no_fsyncs", 5)])


def test_an_impossible_figure_is_reported():
    for figure, code in (
        ("0.00", "impossible_figure"),
        ("-5.00", "impossible_figure"),
        ("inf", "impossible_figure"),
        ("?", "unreadable_field"),
    ):
        (reading,), warnings = read(RUN.replace("2128.05", figure))
        assert (reading.fsyncs_s, reading.complete, warnings) == (None, False, [(code, 6)]), figure


def test_other_units_are_converted_or_reported():
    (reading,), warnings = read(RUN.replace("0.26 ms", "0.26 hours"))
    assert (reading.average_seek_ms, warnings) == (None, [("impossible_figure", 5)])


def test_a_label_that_comes_again_begins_the_next_run():
    readings, _warnings = read(RUN + RUN)
    assert [(reading.first_line, reading.last_line) for reading in readings] == [(1, 6), (7, 12)]


def test_too_many_runs_are_refused():
    assert read(RUN * (MAX_READINGS_OF_BLOCK + 1)) == (
        (),
        [("too_many_devices", 6 * MAX_READINGS_OF_BLOCK + 1)],
    )


def test_a_description_of_the_labels_is_no_run():
    assert read("FSYNCS/SECOND\nvalue should be greater than 200\n")[0] == ()
    assert read(RUN.replace(":", ""))[0] == ()
