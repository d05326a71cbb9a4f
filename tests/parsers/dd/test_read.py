"""Runs of dd: its dialects and languages, what status=progress and signals add, and what can't be read."""

from decimal import Decimal

import pytest

from parsers.base.target import Target
from parsers.dd.lines import size_of
from tests.parsers import samples
from tests.parsers.samples import parse, places

GIB = 1 << 30
RECORDS = "1024+0 records in\n1024+0 records out\n"
RESULT = "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.16384 s, 496 MB/s\n"
COMMAND = "$ dd if=/dev/zero of=/tank/quist.bin bs=1M count={count} {rest}\n"
COPIED = "1073741824 {} 2,16384 s, 496 MB/s"
LANGUAGES = {
    "Spanish": ("registros leídos", "registros escritos", COPIED.format("bytes (1,1 GB, 1,0 GiB) copied,")),
    "Portuguese": ("registros de entrada", "registros de saída", COPIED.format("bytes (1,1 GB) copiados,")),
    "Italian": ("record dentro", "record fuori", COPIED.format("byte (1,1 GB, 1,0 GiB) copiati,")),
    "Russian": ("записей получено", "записей отправлено", COPIED.format("байт (1,1 GB, 1,0 GiB) скопирован,")),
    "Chinese": ("", "", "1073741824字节（1.1 GB，1.0 GiB）已复制，2.16384 s，496 MB/s"),
    "older Chinese": ("", "", "1073741824字节(1.1 GB)已复制，2.16384 秒，496 MB/秒"),
    "Japanese": (
        "レコード入力", "レコード出力",
        "1073741824 バイト (1.1 GB) コピーされました、 2.16384 秒、496 MB/秒",
    ),
}  # fmt: skip


def printed(language):
    came_in, went_out, copied = LANGUAGES[language]
    if "Chinese" in language:
        return f"记录了1024+0 的读入\n记录了1024+0 的写出\n{copied}\n"
    return f"1024+0 {came_in}\n1024+0 {went_out}\n{copied}\n"


def read(text):
    paste = samples.read(text)
    assert "quist" not in paste.text
    return paste


def runs(text):
    return [(reading.bytes, reading.seconds) for reading in read(text).readings]


def codes(text):
    return places(read(text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_is_read_in_other_languages_too(language):
    """More are in tests/parsers/formats/dd.py."""
    (run,) = read(printed(language)).readings
    assert (run.bytes, run.seconds, run.throughput_bytes_s) == (GIB, Decimal("2.16384"), 496220526)
    assert (run.is_synced, run.block_size, run.complete) == (None, None, True)


@pytest.mark.parametrize(
    "text",
    [RESULT, "скопировано 1073741824 байта (1,1 GB), 2,16384 c, 496 MB/c\n"],
    ids=["English", "Russian"],
)
def test_a_result_without_its_records_is_a_run(text):
    assert runs(text) == [(GIB, Decimal("2.16384"))]


def test_bsd_prints_the_throughput_in_bytes():
    text = f"{RECORDS}1073741824 bytes transferred in 1.258195 secs (853398307 bytes/sec)\n"
    (run,) = read(COMMAND.format(count=1024, rest="conv=sync") + text).readings
    assert (run.throughput_bytes_s, run.is_synced, run.output) == (853398307, False, "/tank/[pool-1]")
    assert (run.target, run.input, run.block_size) == (Target.FILE, "/dev/zero", 1 << 20)


def test_only_some_flags_make_writes_durable():
    for rest, is_synced, is_direct in (
        ("oflag=dsync", True, False),
        ("oflag=direct,sync", True, True),
        ("conv=fdatasync", True, False),
        ("conv=notrunc,fsync", True, False),
        ("oflag=direct", False, True),
        ("iflag=sync", False, False),
    ):
        (run,) = read(COMMAND.format(count=1024, rest=rest) + RECORDS + RESULT).readings
        assert (run.is_synced, run.is_direct) == (is_synced, is_direct), rest


def test_sizes_are_those_of_the_manual():
    for operand, size in (
        ("512", 512), ("4k", 4096), ("64K", 65536), ("4kB", 4000), ("1MB", 10**6), ("1MiB", 1 << 20), ("2b", 1024),
        ("3c", 3), ("2x512", 1024), ("64kx16", 1 << 20), ("2w", None), ("$", None), ("", None), ("1.5M", None),
    ):  # fmt: skip
        assert size_of(operand) == size, operand


def test_lines_of_progress_are_no_runs():
    progress = "".join(
        f"{n}00000000 bytes ({n}00 MB, 95 MiB) copied, 0.{n} s, 1.0 GB/s\n" for n in range(1, 9)
    )
    assert runs(progress + RECORDS + RESULT) == [(GIB, Decimal("2.16384"))]
    bsd = "  985661440 bytes (986 MB, 940 MiB) transferred 1.001s, 985 MB/s\n"
    assert runs(bsd + RECORDS + RESULT) == [(GIB, Decimal("2.16384"))]


def test_the_last_line_of_progress_counts_if_nothing_follows():
    text = COMMAND.format(count=9000, rest="status=progress") + (
        "524288000 bytes (524 MB) copied, 1 s, 524 MB/s\n" + RESULT
    )
    assert runs(text) == [(GIB, Decimal("2.16384"))]
    assert codes(text) == [("interrupted", 3)]


def test_an_interrupted_run_is_incomplete():
    text = COMMAND.format(count=4096, rest="") + f"^C{RECORDS}{RESULT}"
    (run,) = read(text).readings
    assert (run.complete, run.bytes) == (False, GIB)
    assert codes(text) == [("interrupted", 4)]


def test_what_a_signal_prints_in_between_is_no_run():
    text = COMMAND.format(count=2048, rest="") + (
        RECORDS
        + RESULT
        + "2048+0 records in\n2048+0 records out\n2147483648 bytes (2.1 GB) copied, 4.2 s, 511 MB/s\n"
    )
    assert runs(text) == [(2 * GIB, Decimal("4.2"))]


def test_a_command_with_another_programs_argument_is_none():
    for argument in ("depth=4", "depth", "bs"):
        (run,) = read(COMMAND.format(count=1024, rest=argument) + RECORDS + RESULT).readings
        assert (run.block_size, run.input) == (None, None), argument


def test_the_runs_of_a_loop_share_its_command():
    paste = read(
        "$ for i in 1 2; do dd if=/dev/zero of=x bs=1M count=1024 oflag=sync; done\n" + 2 * (RECORDS + RESULT)
    )
    assert [reading.is_synced for reading in paste.readings] == [True, True]


def test_a_run_of_another_size_below_has_not_that_command():
    other = "10+0 records in\n10+0 records out\n10240 bytes (10 kB) copied, 0.1 s, 102 kB/s\n"
    paste = read(COMMAND.format(count=1024, rest="oflag=sync") + RECORDS + RESULT + "And this:\n" + other)
    assert [reading.is_synced for reading in paste.readings] == [True, None]


def test_the_line_of_napp_it_is_the_run_if_dd_printed_none():
    head = (
        "Memory size: 16384 Megabytes\n\nwrite 12.8 GB via dd, please wait...\n"
        "time dd if=/dev/zero of=/quist/dd.tst bs=2048000 count=6250\n"
    )
    below = "\nreal     2:08.5\nuser        0.0\n\n12.8 GB in 128.5s = 99.61 MB/s Write\n"
    result = RECORDS + "12800000000 bytes transferred in 128.4 secs (99688473 bytes/sec)\n"
    (alone,), (printed,) = read(head + below).readings, read(head + result + below).readings
    assert (alone.bytes, alone.seconds, alone.throughput_bytes_s) == (
        12_800_000_000,
        Decimal("128.5"),
        99610895,
    )
    assert (printed.seconds, printed.throughput_bytes_s) == (Decimal("128.4"), 99688473)
    assert alone.memory_bytes == printed.memory_bytes == 16 * GIB
    assert alone.complete


def test_what_is_no_run_has_a_reason_with_its_line():
    for text, expected in (
        (COMMAND.format(count=9, rest="") + "9+0 records in\n", [("no_result", 2)]),
        (
            "1+0 records in\n1+0 records out\n512 bytes copied, 0 s, Infinity B/s\n",
            [("impossible_figure", 3)],
        ),
        ("0+0 records in\n0+0 records out\n0 bytes copied, 0.0002 s, 0.0 kB/s\n", [("impossible_figure", 3)]),
        ("dd: failed to open '/mnt/quist/x': Permission denied\n", [("tool_error", 1)]),
        ("dd: /mnt/quist/x: No such file or directory\n", [("tool_error", 1)]),
        ("-bash: dd: command not found\n", [("tool_error", 1)]),
    ):
        assert (runs(text), codes(text)) == ([], expected), text


def test_a_full_file_system_makes_the_run_incomplete():
    text = f"dd: error writing '/quist/x': No space left on device\n{RECORDS}{RESULT}"
    (run,) = read(text).readings
    assert (run.complete, codes(text)) == (False, [("tool_error", 1)])


def test_sentences_are_no_output():
    for prose in ("I like dd: it is nice.", "3+4 equals seven apples, 500 MB/s.", "copied, done, 5 MB/s"):
        assert [warning.code for warning in parse(prose).warnings] == ["nothing_found"], prose


def test_no_word_of_a_translation_is_kept():
    text = f"{RECORDS}1073741824 Quist (1.1 GB, 1.0 GiB) quist Quist, 0 s, Quistquist B/s\n"
    assert samples.read(text).text.endswith(
        "\n1073741824 bytes (1.1 GB, 1.0 GiB) copied, 0 s, Infinity B/s\n"
    )
