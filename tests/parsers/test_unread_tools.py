"""Output of recognized but unread benchmarks: each is named, with what to run instead."""

import pytest

from parsers.base.advice import HOW_TO_MEASURE
from parsers.paste import parse_paste
from parsers.registry import FORMATS
from tests import pastes
from tests.parsers.samples import ALL, identified

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


def parse(text):
    return parse_paste(text, unit_key=b"key")


@pytest.mark.parametrize("tool", OUTPUTS)
def test_a_tool_is_named_at_its_first_line_with_what_to_run_instead(tool):
    lead = "Here is what I got:\n\n"
    paste = parse(lead + OUTPUTS[tool])
    (notice,) = paste.warnings
    first = next(at for at, line in enumerate(OUTPUTS[tool].split("\n"), start=3) if line.strip("- "))
    assert (notice.code, paste.sent_line(notice.line)) == ("unread_tool", first)
    assert notice.message.startswith(f"This is {tool} output, which we can't read yet.")
    assert notice.message.endswith(HOW_TO_MEASURE)
    assert [(one.code, one.first_line) for one in paste.left_out] == [("unread_tool", notice.line)]
    assert paste.readings == ()


@pytest.mark.parametrize("tool", OUTPUTS)
@pytest.mark.parametrize("first", [True, False], ids=["below", "above"])
def test_other_output_beside_it_is_still_read(tool, first):
    run = pastes.diskinfo()
    paste = parse(run + "\n" + OUTPUTS[tool] if first else OUTPUTS[tool] + "\n" + run)
    (reading,) = paste.readings
    assert (reading.complete, len(reading.points)) == (True, 15)
    assert "unread_tool" in [notice.code for notice in paste.warnings]


@pytest.mark.parametrize("name", ALL)
def test_lines_of_supported_tools_are_not_taken_for_unsupported_ones(name):
    assert [one.code for one in parse(identified(ALL[name])).warnings if one.code == "unread_tool"] == []


def test_prose_that_names_a_tool_is_not_its_output():
    paste = parse(
        "I ran bonnie++ and dd, and CrystalDiskMark says 500 MB/s. Average is fine, copied, done.\n"
    )
    assert [notice.code for notice in paste.warnings] == ["nothing_found"]


def test_lines_of_a_tool_that_were_left_out_before_it_was_read_are_asked_for_again():
    paste = parse(f"{pastes.diskinfo()}\n\u2026 3 lines of dd left out \u2026\n")
    assert "\u2026 3 lines of dd left out \u2026" in paste.text
    assert "send them again" in paste.warnings[0].message


def test_the_unread_format_is_tried_last():
    assert FORMATS[-1].tool == "unread"
