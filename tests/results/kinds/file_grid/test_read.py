"""What becomes a grid, under which conditions, and what is left out with which message."""

import pytest

from results.kinds.answers import ALL, SenderAnswers
from results.kinds.file_grid.questions import doubts
from results.kinds.grid.lines import broken_points, lines_of
from results.kinds.registry import find_runs
from results.submissions.intake.parse import parse_text
from tests.results.kinds.file_grid.texts import COMPLETE, HEADER, flat, head, iozone, mirror, row

pytestmark = pytest.mark.django_db


def found(text, **answers):
    return find_runs(parse_text(text), answers=SenderAnswers({ALL: answers}))


def grids(text, **answers):
    return list(found(text, **answers).runs)


def messages(text):
    read = found(text)
    return [gap.message for gap in (*read.notices_with(parse_text(text).warnings), *read.left_out)]


def test_options_that_sync_are_conditions():
    for options, lines, expected in (
        ("-o -i 0", "\tSYNC Mode. \n", (True, False)),
        ("-e -i 0", "\tInclude fsync in write timing\n", (False, True)),
        ("-i 0", "", (False, False)),
    ):
        (run,) = grids(iozone({64: {0: 100, 1: 100}}, options=f"-s 6g {options}", lines=lines))
        assert (run.payload["each_synced"], run.payload["flush_timed"]) == expected, options


def test_operations_per_second_are_records():
    text = iozone(
        {4: {0: 1024}, 8: {0: 1024}},
        options="-O -i 0 -s 6g",
        unit="",
        lines="\tOPS Mode. Output is in operations per second.\n",
    )
    (run,) = grids(text)
    assert [row["mib_s"]["write"] for row in run.payload["rows"]] == [4.0, 8.0]


def test_a_loop_over_record_sizes_is_one_grid_and_repeats_are_by_the_sender():
    loop = "".join(
        iozone({size: found}, options=f"-s 6g -r {size}k -i 0 -i 1 -i 2") for size, found in flat().items()
    )
    (run,) = grids(loop)
    assert (len(run.payload["rows"]), run.payload["runs"]) == (5, 1)

    twice = iozone(flat()) + iozone(flat(1.2)) + iozone(flat(1.1))
    assert len(grids(twice)) == 3
    (run,) = grids(twice, repeats="repeated")
    first = run.payload["rows"][0]
    assert (run.payload["runs"], first["mib_s"]["read"], first["low"]["read"], first["high"]["read"]) == (
        3, 214.844, 195.312, 234.375,
    )  # fmt: skip
    (line,) = lines_of(run.payload, "read")
    assert (line.points[0].low, line.points[0].high) == (195.312, 234.375)


def test_two_tables_with_other_options_are_two_grids():
    synced = iozone(flat(), options="-o -s 6g -i 0 -i 1 -i 2", lines="\tSYNC Mode. \n")
    runs = grids(iozone(flat()) + synced, repeats="repeated")
    assert [run.payload["each_synced"] for run in runs] == [False, True]


def test_dips_and_what_the_sender_doubts_need_a_retest():
    (run,) = grids(iozone(flat(dip=256)), doubts="random write 64k, fwrite")
    assert run.payload["doubted"] == [
        {"operation": "random_write", "record_bytes": 65536},
        {"operation": "fwrite", "record_bytes": None},
    ]
    doubted = {
        (name, point.at) for name in ("write", "read", "random_write") for line in lines_of(run.payload, name)
        for point in line.points if point.is_doubted
    }  # fmt: skip
    assert doubted == {("read", 256 << 10), ("random_write", 64 << 10)}
    (line,) = lines_of(run.payload, "read")
    assert broken_points(line.points) == {2}
    assert broken_points(line.points[:2]) == set()


def test_doubts_that_nobody_can_read_are_refused():
    for text in (
        "",
        "read 1g",
        "sideways 64k",
        "read 64k; write",
        "read 0k",
        "64k",
        ",".join(["read 64k"] * 3 + ["x"]),
    ):
        with pytest.raises(ValueError, match="We can’t read"):
            doubts(text)


def test_memory_marks_what_fits_and_flags_what_is_nothing_else():
    text = mirror(2) + iozone(flat(), file_kb=1 << 20)
    for answers, expected in (
        ({"arc_limit_gib": "2"}, True),
        ({"arc_gib": "16"}, True),
        ({"arc_limit_gib": "0.5", "arc_gib": "16"}, False),
        ({}, False),
    ):
        (run,) = grids(text, **answers)
        assert ("data_in_memory" in {flag.code for flag in run.flags}) is expected, answers
        assert lines_of(run.payload, "read")[0].is_in_memory is expected


def test_bad_input_is_named_and_what_is_usable_is_kept():
    cut = iozone(flat()).removesuffix(COMPLETE)
    (run,) = grids(cut)
    assert (run.is_complete, "interrupted" in {flag.code for flag in run.flags}) == (False, True)

    per_second = "\tOPS Mode. Output is in operations per second.\n\n\tThroughput test with 2 processes\n"
    unknown = head("-O -t 2 -i 0", lines=per_second, unit="")
    unknown += "\tChildren see throughput for  2 initial writers \t=  100.00 ops/sec\n"
    assert not grids(unknown)
    assert any("doesn’t state the record size" in message for message in messages(unknown))

    other = "Using uid:0, gid:0.\nWriting a byte at a time...done\nWriting intelligently...done\n"
    (run,) = grids(iozone(flat()) + "\n\n" + other)
    assert run.is_complete
    assert any("bonnie++" in message for message in messages(iozone(flat()) + "\n\n" + other))

    mixed = head("-t 2 -r 64k -s 1g") + "\tThroughput test with 2 processes\n"
    mixed += "\tEach process writes a 1048576 kByte file in 64 kByte records\n\n"
    mixed += "\tChildren see throughput for  2 initial writers \t=  204800.00 kB/sec\n"
    mixed += "\tChildren see throughput for  2 readers \t=  100.00 ops/sec\n"
    (run,) = grids(mixed + COMPLETE)
    assert (run.payload["rows"][0]["mib_s"], run.is_complete, run.writers) == ({"write": 200.0}, False, 2)
    assert any("a different unit from those above it" in message for message in messages(mixed))

    narrow = "kB reclen write rewrite\n6291456 64 100000000000 100000\n"
    impossible = head("-s 6g -i 0") + narrow + COMPLETE
    (run,) = grids(impossible)
    assert (list(run.payload["rows"][0]["mib_s"]), run.is_complete) == (["rewrite"], False)


def test_many_rows_are_bounded():
    rows = "".join(row(64, {0: 1000, 1: 1000}, file_kb=size) for size in range(1000, 2500))
    (run,) = grids(head("-a -i 0") + HEADER + rows + COMPLETE)
    assert (len(run.payload["rows"]), run.is_complete) == (1000, False)


def test_throughput_mode_is_a_line_over_processes():
    text = ""
    for count in (1, 2, 4):
        text += (
            f"\tThroughput test with {count} process{'es' * (count > 1)}\n"
            "\tEach process writes a 1048576 kByte file in 128 kByte records\n\n"
            f"\tChildren see throughput for  {count} initial writers \t=  {count * 102400}.00 kB/sec\n"
            f"\tChildren see throughput for  {count} readers \t=  {count * 204800}.00 kB/sec\n"
        )
    (run,) = grids(head("-l 1 -u 4 -r 128k -s 1g -i 0 -i 1") + text + COMPLETE)
    (line,) = lines_of(run.payload, "read")
    assert [(point.at, point.mib_s) for point in line.points] == [(1, 200.0), (2, 400.0), (4, 800.0)]
    assert run.writers is None


def test_more_processes_than_a_column_holds_are_in_the_grid_only():
    text = (
        "\tThroughput test with 50000 processes\n\tEach process writes a 1048576 kByte file in 128 kByte records\n\n"
        "\tChildren see throughput for 50000 initial writers \t= 102400.00 kB/sec\n"
    )
    (run,) = grids(head("-t 50000 -r 128k -s 1g -i 0") + text + COMPLETE)
    assert (run.writers, [row["processes"] for row in run.payload["rows"]]) == (None, [50_000])
