"""Output of recognized but unread benchmarks: each is named, with what to run instead."""

import re

import pytest

from parsers.base.advice import HOW_TO_MEASURE
from parsers.registry import FORMATS
from tests import pastes
from tests.parsers import samples
from tests.parsers.samples import ALL, codes, identified, parse

OUTPUTS = {
    "bonnie++": """Using uid:0, gid:0.
Writing a byte at a time...done
Writing intelligently...done
Version  1.97       ------Sequential Output------ --Sequential Input- --Random-
Concurrency   1     -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
""",
    "sysbench": """sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)

Running the test with following options:
Number of threads: 1
""",
    "CrystalDiskMark": """------------------------------------------------------------------------------
CrystalDiskMark 8.0.4 x64 (C) 2007-2021 hiyohiyo
[Read]
  SEQ    1MiB (Q=  8, T= 1):  3537.210 MB/s [   3373.3 IOPS] <  2369.02 us>
""",
    "KDiskMark": "KDiskMark (3.1.4): https://github.com/JonMagon/KDiskMark\n",
    "ATTO Disk Benchmark": "ATTO Disk Benchmark 4.01.0f1\n",
    "AS SSD Benchmark": "AS SSD Benchmark 2.0.6821.41776\n",
    "hdparm": """ Timing cached reads:   20000 MB in  2.00 seconds = 10012.00 MB/sec
 Timing buffered disk reads: 1600 MB in  3.00 seconds = 532.80 MB/sec
""",
    "ioping": """4 KiB <<< / (ext4 /dev/sdx1 90 GiB): request=1 time=250.3 us (warmup)

--- / (ext4 /dev/sdx1 90 GiB) ioping statistics ---
""",
    "DiskSpd": "Command Line: diskspd.exe -b4K -d30 -w100 -Sh testfile.dat\n",
    "GNOME Disks": "Average Read Rate: 550.3 MB/s (100 samples)\n",
}


@pytest.mark.parametrize("tool", OUTPUTS)
def test_a_tool_is_named_at_its_first_line_with_what_to_run_instead(tool):
    lead = "Here is what I got:\n\n"
    paste = parse(lead + OUTPUTS[tool])
    (notice,) = paste.warnings
    first = next(at for at, line in enumerate(OUTPUTS[tool].split("\n"), start=3) if line.strip("- "))
    assert (notice.code, paste.sent_line(notice.line)) == ("unread_tool", first)
    assert notice.message.startswith(f"This is {tool} output, which we can't read yet.")
    assert notice.message.endswith(HOW_TO_MEASURE)
    assert [(run.code, run.first_line) for run in paste.left_out] == [("unread_tool", notice.line)]
    assert paste.readings == ()


@pytest.mark.parametrize("tool", OUTPUTS)
@pytest.mark.parametrize("first", [True, False], ids=["below", "above"])
def test_other_output_beside_it_is_still_read(tool, first):
    run = pastes.diskinfo()
    paste = parse(run + "\n" + OUTPUTS[tool] if first else OUTPUTS[tool] + "\n" + run)
    (reading,) = paste.readings
    assert (reading.complete, len(reading.points)) == (True, 15)
    assert "unread_tool" in codes(paste)


@pytest.mark.parametrize("name", ALL)
def test_lines_of_supported_tools_are_not_taken_for_unsupported_ones(name):
    assert [
        warning.code for warning in parse(identified(ALL[name])).warnings if warning.code == "unread_tool"
    ] == []


def test_prose_that_names_a_tool_is_not_its_output():
    paste = parse(
        "I ran bonnie++ and dd, and CrystalDiskMark says 500 MB/s. Average is fine, copied, done.\n"
    )
    assert codes(paste) == ["nothing_found"]


def test_lines_of_a_tool_that_were_left_out_before_it_was_read_are_asked_for_again():
    paste = parse(f"{pastes.diskinfo()}\n\u2026 3 lines of dd left out \u2026\n")
    assert "\u2026 3 lines of dd left out \u2026" in paste.text
    assert "send them again" in paste.warnings[0].message


def test_the_unread_format_is_tried_last():
    assert FORMATS[-1].tool == "unread"


DESCRIBING = {
    "zpool list": "NAME    SIZE  ALLOC   FREE  CKPOINT  EXPANDSZ   FRAG    CAP  DEDUP    HEALTH  ALTROOT\n"
    "quist  1.81T   900G   952G        -         -    11%    48%  1.00x    ONLINE  -\n",
    "zfs list": "NAME         USED  AVAIL  REFER  MOUNTPOINT\nquist/a      900G   952G   900G  /quist/a\n",
    "nvme list": "Node             SN                   Model            Namespace Usage\n"
    "/dev/nvme0n1     EXS1234567890        EXAMPLE NV400    1         400.09  GB / 400.09  GB    512   B +  0 B\n",
    "lsblk": "NAME   MAJ:MIN RM   SIZE RO TYPE MOUNTPOINTS\nsda      8:0    0 931.5G  0 disk\n",
    "df": "Filesystem      Size  Used Avail Use% Mounted on\nquist/a         1.8T  900G  952G  49% /quist\n",
    "arcstat": "    time  read  miss  miss%  dmis  dm%  pmis  pm%  mmis  mm%  arcsz     c\n"
    "11:11:11     0     0      0     0    0     0    0     0    0   7.5G  7.5G\n",
    "gstat": "dT: 1.001s  w: 1.000s\n L(q)  ops/s    r/s   kBps   ms/r    w/s   kBps   ms/w   %busy Name\n"
    "    0    120      0      0    0.0    118   9000    0.2    2.1| nvd0\n",
    "iostat": "Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\n"
    "sda              20.00         1.00       300.00       1000     300000\n",
}


@pytest.mark.parametrize("tool", DESCRIBING)
def test_what_only_describes_is_named_with_what_to_run_instead(tool):
    paste = samples.read("My pool:\n\n" + DESCRIBING[tool])
    (notice,) = paste.warnings
    assert notice.code == "describing_tool"
    assert paste.sent_line(notice.line) in (3, 4)
    assert re.match(f"{tool} shows (sizes, not|drives, not their|load, not how) ", notice.message)
    assert any(command in notice.message for command in ("zpool ", "smartctl -a"))
    assert (paste.readings, paste.left_out) == ((), ())
    assert not any(name in paste.text for name in ("quist", "EXS1234567890"))


@pytest.mark.parametrize("tool", DESCRIBING)
def test_what_only_describes_is_left_out_beside_a_result_without_a_notice(tool):
    run = pastes.diskinfo()
    paste = samples.read(f"{run}\n{DESCRIBING[tool]}")
    assert (len(paste.readings), codes(paste)) == (1, [])
    assert f"of {tool} left out" in paste.text


def test_mount_points_beside_the_header_of_df_are_still_read():
    text = "Filesystem  Type  Size  Used Avail Use% Mounted on\n/dev/sdq2  xfs  98G  30G  63G  33% /srv\n"
    run = (
        "$ pg_test_fsync -f /srv/wal\nCompare file sync methods using one 8kB write:\n"
        "  fsync   2500.000 ops/sec   400 usecs/op\n"
    )
    (reading,) = samples.read(f"{text}\n{run}").readings
    assert reading.layer == "xfs"


def test_a_histogram_of_no_tool_is_asked_for_with_its_tool():
    rows = "         0 -> 1          : 0        |    |\n       128 -> 255        : 29       |*** |\n"
    paste = samples.read("     usecs               : count     distribution\n" + rows)
    (notice,) = paste.warnings
    assert (notice.code, paste.readings) == ("no_result", ())
    assert "histogram" in notice.message
    assert "biolatency" in notice.message
    for caption in ("disk = 'nvme0n1'\n", "flags = Sync-Write\n"):
        (reading,) = samples.read(
            f"{caption}     usecs               : count     distribution\n{rows}"
        ).readings
        assert (reading.disk, reading.flags) in (("nvme0n1", None), (None, "Sync-Write"))


def test_fragments_of_fio_are_named_with_what_is_missing():
    for text in (
        "fio-3.33\nStarting 1 process\nJobs: 1 (f=1): [W(1)][50.0%][w=552KiB/s][w=137 IOPS]\n",
        "    clat (usec): min=5, max=277, avg=111.24, stdev= 3.55\n",
        "Run status group 0 (all jobs):\n  WRITE: bw=552KiB/s (565kB/s), 552KiB/s-552KiB/s, io=32MiB, run=6-6msec\n",
    ):
        (notice,) = samples.read(f"I ran it:\n\n{text}").warnings
        assert notice.code == "no_result", text
        assert "fio output has no result" in notice.message
        assert "write: IOPS" in notice.message


def test_without_any_output_all_tools_are_listed():
    (notice,) = parse("It was slow.\n").warnings
    assert notice.code == "nothing_found"
    names = {name for entry in FORMATS[:-1] for name in entry.names or (entry.tool,)}
    assert names > {"dd", "iozone", "zpool", "zfs", "biolatency", "zilstat", "fio", "smartctl"}
    assert all(name in notice.message for name in names)
