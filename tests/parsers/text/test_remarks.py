"""Remarks next to lines of output aren't kept, and the lines are read without them."""

from parsers.text.clean import clean
from parsers.text.remarks import without_front, without_words
from tests.parsers.samples import parse

DD = ("1024+0 records in", "1024+0 records out", "1048576 bytes (1.0 MB) copied, 2.0 s, 524 kB/s")
ZPOOL = """               capacity     operations    bandwidth
pool        alloc   free   read  write   read  write
----------  -----  -----  -----  -----  -----  -----
"""
WIDE = """                            capacity     operations     bandwidth    total_wait     disk_wait    syncq_wait
pool                      alloc   free   read  write   read  write   read  write   read  write   read  write
------------------------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----
tank                      1.18T  2.45T      0    107   104K   979K  393us   86us  393us   34us    3us    1us
"""


def seconds(lines):
    return [float(reading.seconds) for reading in parse("\n".join(lines)).readings]


def test_a_remark_behind_a_sign_is_no_part_of_a_line():
    for remark in ("# fine", "<- new", "<--- see above", "// was 90", "\u2190 \u5f88\u6162", "## hm"):
        assert clean(f"Percentage Used:  3%  {remark}").text == "Percentage Used:  3%", remark


def test_labels_prompts_strings_and_names_with_a_sign_are_whole():
    for line in (
        "\t512         \t# sectorsize", "\t0\t# Rotation rate in RPM", "\t512 # secto", "ID# ATTRIBUTE_NAME",
        "root@nas:~ # zpool status", "nas ~ # sudo fio --name=a", '"model": "a # b"', "SSD #2", "http://example.org",
        "my job # 1: (g=0): rw=write", "# 1  Short offline       Completed without error",
    ):  # fmt: skip
        assert clean(line).text == line


def test_bullets_and_numbers_are_in_front_of_a_line():
    for front in ("1) ", "- ", "* ", "\u2022 ", "> ", "12. ", "(3) ", "- > "):
        assert without_front(f"{front}  tank  1.2T") == "  tank  1.2T"
        assert seconds(front + line for line in DD) == [2.0], front
    assert without_front("-S 9") == "-S 9"


def test_words_behind_a_line_are_in_any_script():
    for words in (
        "   slow",
        "\tlooks good to me",
        " \u5f88\u6162",
        "   \u0628\u0637\u064a\u0621",
        " (hm, slow)",
    ):
        assert without_words(f"155 MB/s{words}") == "155 MB/s"
        assert seconds(line + words for line in DD) == [2.0], words


def test_a_name_has_words_of_its_own():
    for name in ("KINGSTON  SSDNOW 30GB", "INTEL SSDSC2BA400G3", "LOGICAL VOLUME"):
        assert without_words(name, is_name=True) == name
    assert without_words("SSDSAS800   got it used", is_name=True) == "SSDSAS800"


def test_rows_that_a_terminal_joined_are_as_many_rows():
    row = "tank        17.2T   103T      0  11.2K      0  43.3M"
    (reading,) = parse(f"{ZPOOL}{row:160}{row.replace('11.2K', '64.5K')}\n").readings
    assert [float(line.figures["write_ops_s"]) for line in reading.rows] == [11468.8, 66048]
    assert seconds([f"{DD[0]:80}{DD[1]}", DD[2]]) == [2.0]


def test_a_device_that_lost_its_indent_is_no_pool():
    row = "tank        17.2T   103T      0  11.2K      0  43.3M"
    (reading,) = parse(f"{ZPOOL}{row:160}  {row.replace('tank', 'sda ')}\n{row}\n").readings
    assert [(line.role, line.depth) for line in reading.rows][1] == (None, None)


def test_a_table_whose_columns_a_terminal_broke_is_one_table():
    whole = parse(WIDE).readings[0].rows
    for width in (80, 92):
        broken = [line[at : at + width] for line in WIDE.split("\n") for at in range(0, len(line), width)]
        assert parse("\n".join(broken)).readings[0].rows == whole
        assert parse("\n".join(map(str.rstrip, broken))).readings[0].rows == whole


def test_the_prefix_of_a_log_is_removed_whatever_follows():
    for prefix in (
        "Nov 14 20:20:{} nas bench[4711]: ", "2025-11-14T20:20:{}+0100 nas bench[7]: ", "[  123.4567{}] ",
        "2025-11-14T20:20:{}.123456789Z ", "2025-11-14T20:20:{}.123Z stdout F ",
    ):  # fmt: skip
        text = "\n".join(prefix.format(10 + at) + line for at, line in enumerate(DD))
        assert clean(text).text.split("\n") == list(DD), prefix
        assert parse(text).readings[0].measured_on is None


def test_times_alone_are_no_prefix():
    text = "\n".join(["2025-11-14T20:20:26+0100"] * 4)
    assert clean(text).text == text


def test_output_without_line_breaks_is_refused_with_its_tool():
    (notice,) = parse(" ".join([*ZPOOL.split("\n"), *["tank 17.2T 103T 0 11.2K 0 43.3M"] * 4])).warnings
    assert notice.code == "lost_line_ends"
    assert "zpool" in notice.message


def test_flags_that_were_cut_off_leave_it_unknown_whether_dd_synced():
    (reading,) = parse("$ dd if=/dev/zero of=/tank/x bs=1k count=1024 oflag=dsy\n" + "\n".join(DD)).readings
    assert (reading.is_synced, reading.is_direct, reading.block_size) == (None, None, 1024)
    (reading,) = parse(
        "$ dd if=/dev/zero of=/tank/x bs=1k\ncount=1024 oflag=dsync\n" + "\n".join(DD)
    ).readings
    assert (reading.is_synced, reading.is_direct) == (True, False)


def test_the_command_that_iozone_prints_may_be_broken_and_have_words_behind_it():
    for command in ("iozone -e -I\n-i 0 -i 2 -s 8m", "iozone -e -I -i 0 -i 2 -s 8m   slow"):
        text = f"Command line used: {command}\n  kB  reclen  write  rewrite\n  8192  4  1000  2000\n"
        (reading,) = parse(text).readings
        assert (reading.includes_flush, reading.is_direct) == (True, True), command
