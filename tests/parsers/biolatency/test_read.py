"""biolatency of bcc and of bpftrace: options, bounds, and the tools that print the same."""

import pytest

from tests.parsers.samples import codes, read

TRACING = "Tracing block device I/O... Hit Ctrl-C to end.\n^C\n"
BCC = """     usecs               : count     distribution
         0 -> 1          : 0        |                                        |
         2 -> 3          : 12       |****************************************|
"""
BPFTRACE = """@usecs:
[0]                    1 |@                                                   |
[256, 512)             2 |@@                                                  |
[512, 1K)             10 |@@@@@@@@@@                                          |
[1M, 2M)               3 |@@@                                                 |
"""


def test_the_text_around_tells_that_it_is_biolatency():
    for front in (TRACING, "# ./biolatency -m\n", "zoe@quist:~$ sudo /usr/share/bcc/tools/biolatency.py\n"):
        paste = read(front + BCC)
        (reading,) = paste.readings
        assert (reading.unit, reading.disk, reading.flags, reading.buckets) == (
            "usecs",
            None,
            None,
            ((0, 1, 0), (2, 3, 12)),
        ), front
        assert "quist" not in paste.text, front


def test_the_histogram_of_another_tool_is_not_read():
    for front in (
        "",
        "# runqlat\nTracing run queue latency... Hit Ctrl-C to end.\n",
        "# zfsdist\n",
        f"{TRACING}\n# cpudist\n",
    ):
        assert read(front + BCC).readings == (), front


def test_bounds_are_as_printed():
    (reading,) = read(f"# biolatency.bt\nAttached 3 probes\n{TRACING}\n{BPFTRACE}").readings
    assert reading.buckets == ((0, 0, 1), (256, 512, 2), (512, 1024, 10), (1 << 20, 2 << 20, 3))


@pytest.mark.parametrize("disk", ["Bucket disk = 'nvme0n1'", "disk = nvme0n1", "disk = b'nvme0n1'"])
def test_disks_and_flags_are_those_of_the_histogram_below(disk):
    text = f"# biolatency -DF\n{TRACING}\n{disk}\nflags = Sync-Write\n{BCC}\n06:40:50\n"
    text += f"{disk.replace('0n1', '1n1')}\n{BCC.replace('us', 'ms')}"
    first, second = read(text).readings
    assert (first.disk, first.flags, first.unit) == ("nvme0n1", "Sync-Write", "usecs")
    assert (second.disk, second.flags, second.unit) == ("nvme1n1", None, "msecs")


def test_cells_on_lines_of_their_own_are_joined():
    text = "\n\n".join(
        cell
        for line in BCC.splitlines()
        for cell in line.replace(" : ", "\n: ").replace("|", "\n|").split("\n")
    )
    (reading,) = read(TRACING + text).readings
    assert reading.buckets == ((0, 1, 0), (2, 3, 12))


def test_what_is_no_histogram_has_a_reason():
    for text, code in (
        ("$ biolatency\nbpf: Failed to load program: Operation not permitted\n", "tool_error"),
        ("ModuleNotFoundError: No module named 'bcc'\n", "tool_error"),
        (f"{TRACING}{BCC.splitlines()[0]}\n", "no_result"),
    ):
        paste = read(text)
        assert (paste.readings, codes(paste)) == ((), [code]), text


def test_a_name_that_no_kernel_gives_is_not_kept():
    for disk, stored in (("dm-0", "dm-0"), ("zd16", "zd16"), ("md127", "md127"), ("ann-lv", "other")):
        paste = read(f"{TRACING}\ndisk = {disk}\n     usecs : count\n  2 -> 3 : 10\n")
        assert f"disk = {stored}\n" in paste.text, disk
        assert [reading.disk for reading in paste.readings] == [stored], disk


def test_json_is_answered_with_what_to_run_instead():
    row = "{'interval-start': 64, 'interval-end': 127, 'count': 12}"
    paste = read(f"{TRACING}{{'ts': '2023-01-30 03:53:17', 'val_type': 'usecs', 'data': [{row}]}}\n")
    assert [(warning.code, "without -j" in warning.message) for warning in paste.warnings] == [
        ("tool_error", True)
    ]
