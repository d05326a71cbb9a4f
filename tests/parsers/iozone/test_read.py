"""iozone's tables, reports and throughput mode: which figure is of which operation, and what can't be told."""

import textwrap
from decimal import Decimal

from parsers.iozone.lines import OPERATIONS
from tests.growth import is_linear
from tests.parsers.samples import parse, read

HEAD = (
    "\tCommand line used: iozone {options}\n\tOutput is in kBytes/sec\n"
    "\tFile stride size set to 17 * record size.\n"
)
COLUMNS = (
    "                                                              random    random     bkwd    record    stride\n"
    "              kB  reclen    write  rewrite    read    reread    read     write     read   rewrite      read"
    "   fwrite frewrite    fread  freread\n"
)
WIDTHS = (8, 9, 9, 9, 9, 9, 9, 9, 9, 10, 10, 9, 9, 9, 9)
ALL = dict(zip(OPERATIONS, range(1001, 1014), strict=True))
SOME = {name: ALL[name] for name in ("write", "rewrite", "random_read", "random_write")}


def row(file_kb, reclen_kb, figures):
    cells = [file_kb, reclen_kb, *(figures.get(name, "") for name in OPERATIONS)]
    return "        " + "".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True)) + "\n"


def rows(text):
    return [(row.file_kb, row.reclen_kb, row.figures) for run in read(text).readings for row in run.rows]


def collapsed(text):
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def test_a_complete_row_has_all_operations():
    for damage in (str, collapsed, lambda text: f"- {collapsed(text)}".replace("\n", "\n- ")):
        text = damage(
            HEAD.format(options="-a") + COLUMNS + 6 * row(1024, 4, ALL) + "\niozone test complete.\n"
        )
        assert rows(text) == [(1024, 4, ALL)], damage
        assert read(text).readings[0].complete, damage


def test_blank_columns_are_told_by_their_right_edges():
    assert rows(HEAD.format(options="-a -f /quist/x") + COLUMNS + row(8192, 64, SOME)) == [(8192, 64, SOME)]
    assert rows(COLUMNS + row(8192, 64, SOME)) == [(8192, 64, SOME)]


def test_without_blanks_only_the_command_tells():
    text = collapsed(HEAD.format(options="-i 0 -i 2 -s 8m") + COLUMNS + row(8192, 64, SOME))
    assert rows(text) == [(8192, 64, SOME)]
    lost = collapsed(COLUMNS + row(8192, 64, SOME) + row(8192, 128, ALL))
    assert rows(lost) == [(8192, 128, ALL)]
    (notice,) = read(lost).warnings
    assert (notice.code, notice.line, read(lost).readings[0].complete) == ("missing_cells", 3, False)


def test_a_row_that_is_cut_off_has_what_is_left_of_it():
    text = collapsed(HEAD.format(options="-a") + COLUMNS + row(64, 4, ALL)).rsplit(" ", 5)[0]
    assert list(rows(text)[0][2]) == list(OPERATIONS[:8])


def test_a_table_without_its_header_is_read_by_the_command():
    assert rows(collapsed(HEAD.format(options="-i 0 -i 2") + row(64, 4, SOME))) == [(64, 4, SOME)]


def test_a_table_that_a_terminal_wrapped_is_joined():
    text = "\n".join(
        line[at : at + 80] for line in (HEAD.format(options="-a") + COLUMNS + row(64, 4, ALL)).splitlines()
        for at in range(0, len(line) or 1, 80)
    )  # fmt: skip
    assert rows(text) == [(64, 4, ALL)]


def test_zero_is_a_test_that_was_not_run():
    assert rows(HEAD.format(options="-a") + COLUMNS + row(64, 4, ALL | {"rewrite": 0})) == [
        (64, 4, {name: figure for name, figure in ALL.items() if name != "rewrite"})
    ]


def test_the_excel_report_has_a_row_a_cell():
    report = textwrap.dedent("""
        iozone test complete.
        Excel output is below:

        "Writer report"
                "4"  "8"  "16"
        "64"   1000  1100 1200

        "Re-reader report"
                "4"  "8"  "16"
        "64"   2000  2100 0
        """)
    (run,) = read(report).readings
    assert (run.mode, run.unit, run.is_sync) == ("excel", "kB/s", None)
    assert rows(report) == [
        (64, 4, {"write": 1000, "reread": 2000}), (64, 8, {"write": 1100, "reread": 2100}), (64, 16, {"write": 1200}),
    ]  # fmt: skip
    both = HEAD.format(options="-R -a") + COLUMNS + row(64, 4, {"write": 1000}) + report
    assert (read(both).readings[0].mode, rows(both)) == ("auto+excel", rows(report))


def test_throughput_mode_has_a_row_a_number_of_processes():
    def section(count, figure):
        return (
            f"\tThroughput test with {count} processes\n"
            f"\tEach process writes a 16384 kByte file in 128 kByte records\n\n"
            f"\tChildren see throughput for {count:2} initial writers \t= {figure:.2f} kB/sec\n"
            f"\tParent sees throughput for {count:2} initial writers \t= 1.00 kB/sec\n"
            f"\tChildren see throughput for {count} reverse readers \t= {figure * 2:.2f} kB/sec\n"
            f"\tChildren see throughput for {count} mixed workload \t= 3.00 kB/sec\n"
        )

    (run,) = read(
        HEAD.format(options="-l 1 -u 2 -r 128k -s 16m -F /quist/1 /quist/2")
        + section(1, 10.5)
        + section(2, 20)
    ).readings
    assert run.mode == "throughput"
    assert [(row.processes, row.file_kb, row.reclen_kb, row.figures) for row in run.rows] == [
        (1, 16384, 128, {"write": Decimal("10.50"), "bkwd_read": 21}),
        (2, 16384, 128, {"write": 20, "bkwd_read": 40}),
    ]
    assert "quist" not in run.command


def test_two_runs_are_two_readings_each_in_its_unit():
    ops = HEAD.format(options="-O -o -i 0").replace(
        "Output is in kBytes/sec", "OPS Mode. Output is in operations per second."
    )
    text = (
        HEAD.format(options="-e -I -i 0")
        + COLUMNS
        + row(64, 4, SOME)
        + "With the other SLOG:\n"
        + ops
        + COLUMNS
        + row(64, 4, SOME)
    )
    first, second = read(text).readings
    assert (first.unit, first.is_sync, first.includes_flush, first.is_direct) == ("kB/s", False, True, True)
    assert (second.unit, second.is_sync, second.includes_flush, second.is_direct) == (
        "ops/s",
        True,
        False,
        False,
    )


def test_version_and_day_are_those_of_the_head():
    text = "\tIozone: Performance Test of File I/O\n"
    text += "\t        Version $Revision: 3.489 $\n\n\tRun began: Sat Nov 21 02:25:12 2026\n\n\tAuto Mode\n"
    (run,) = read(text + HEAD.format(options="-a") + COLUMNS + row(64, 4, ALL)).readings
    assert (run.tool_version, str(run.measured_on), run.command) == ("3.489", "2026-11-21", "iozone -a")


def test_output_that_ends_before_its_first_figure_is_refused_with_its_line():
    for text in (
        HEAD.format(options="-a"),
        HEAD.format(options="-a") + COLUMNS,
        "\tIozone: Performance Test of File I/O\n",
    ):
        paste = read(text)
        assert (paste.readings, [run.code for run in paste.left_out]) == ((), ["no_result"]), text


def test_rows_below_a_long_command_are_read_in_linear_time():
    def text(count):
        options = "-r 64k " * 4 * count
        return f"# iozone -s 6g {options}-i 0 -i 1\n{HEAD.format(options='-i 0 -i 1')}{COLUMNS}" + "".join(
            row(1 << 20, 4 + at, SOME) for at in range(count)
        )

    assert is_linear(parse, text(200), text(800))
