"""What cases of the corpus can't express of slogprobe: cuts anywhere, two runs, the drive, the caches, names."""

from pathlib import Path

import pytest

from parsers.base.target import Target
from tests.parsers.samples import SMARTCTL_NVME, codes, identified, read

CORPUS = Path(__file__).parents[1] / "corpus" / "slogprobe" / "accepted"
OUTPUT = (CORPUS / "sample-nvme--linux.txt").read_text()
ROWS = read(OUTPUT).readings[0].rows


def test_a_text_that_is_cut_anywhere_has_fewer_figures_and_never_others():
    for end in range(len(OUTPUT)):
        paste = read(OUTPUT[:end])
        if paste.readings:
            rows = paste.readings[0].rows
            assert rows == ROWS[: len(rows)], end
            assert paste.readings[0].complete or "truncated" in codes(paste), end
    assert codes(read(OUTPUT.removesuffix("s\n"))) == ["truncated"]


def test_two_runs_below_each_other_are_two():
    other = OUTPUT.replace("nvme1n1", "nvme2n1")
    paste = read(OUTPUT + other)
    assert [reading.path for reading in paste.readings] == ["/dev/nvme1n1", "/dev/nvme2n1"]
    assert [device.slogprobe for device in paste.devices] == [0, 1]


def test_two_runs_without_the_second_head_are_none():
    paste = read(OUTPUT + OUTPUT.partition("\n")[2])
    assert (paste.readings, codes(paste)) == ((), ["several_runs"])


def test_a_size_without_a_row_makes_it_incomplete():
    text = "\n".join(line for line in OUTPUT.splitlines() if not line.startswith("32 KiB"))
    (reading,) = read(text).readings
    assert (len(reading.rows), reading.complete) == (5, False)


def test_the_drive_is_the_one_that_smartctl_describes_at_the_same_node():
    smartctl = identified(SMARTCTL_NVME)
    described = smartctl if "smartctl -" in smartctl else f"# smartctl -x /dev/nvme1n1\n{smartctl}"
    (device,) = read(OUTPUT + described).devices
    assert (device.slogprobe, device.smartctl) == (0, 1)
    assert device.model_name


def test_the_caches_are_those_that_its_own_lines_state():
    (device,) = read(OUTPUT).devices
    assert (device.flush_path.kernel_write_cache, device.flush_path.has_fua) == ("write back", True)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/dev/nvme1n1", Target.DEVICE),
        ("/dev/nvme1n1p3", Target.PARTITION),
        ("/dev/da9p1", Target.SLICE),
        ("/dev/loop0", Target.FILE),
        ("/dev/dm-3", Target.LVM),
        ("a file on zfs", Target.FILE),
        ("a file on something", Target.FILE),
    ],
)
def test_what_was_measured(target, expected):
    (reading,) = read(OUTPUT.replace("/dev/nvme1n1,", f"{target},")).readings
    assert reading.target is expected


def test_names_in_its_lines_are_masked_or_left_out():
    paste = read(OUTPUT.replace("/dev/nvme1n1,", "/dev/disk/by-id/nvme-EXAMPLE_QZ4711X0815,"))
    assert "QZ4711X0815" not in paste.text
    paste = read(OUTPUT.replace("/dev/nvme1n1,", "a file on qzcanary,"))
    assert "target: a file on unknown, 400088457216 bytes" in paste.text
    assert "qzcanary" not in read(OUTPUT.replace("Linux 6.6.44", "Linux 6.6.44-qzcanary")).text
