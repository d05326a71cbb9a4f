"""DTrace scripts on disk I/O: their columns, which histogram is which script's, and what they say instead."""

import pytest

from tests.growth import is_linear
from tests.parsers.samples import codes, parse, read

IOPATTERN = "%RAN %SEQ  COUNT    MIN    MAX    AVG     KR     KW\n"
ROW = "  43   57   1200   4096 131072  10840      0  12703\n"
FIGURES = {
    "percent_random": 43, "percent_sequential": 57, "count": 1200, "min_bytes": 4096, "max_bytes": 131072,
    "mean_bytes": 10840, "read_kb": 0, "write_kb": 12703,
}  # fmt: skip
HISTOGRAM = """           value  ------------- Distribution ------------- count
              -1 |                                         0
               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   726
               1 |                                         0
            8192 |                                         3
"""
SIZES = """           value  ------------- Distribution ------------- count
            2048 |                                         0
            4096 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 76947
            8192 |                                         0
"""
ZILSTAT = "   N-Bytes  N-Bytes/s N-Max-Rate    B-Bytes  B-Bytes/s B-Max-Rate"
OPS = "    ops  <=4kB 4-32kB >=32kB"


def test_the_figures_of_iopattern_are_behind_its_other_columns():
    for head, front, device in (
        ("", "", None),
        ("TIME                 ", "2005 Jul 25 20:40:55 ", None),
        ("DEVICE ", "sd5 ", "sd5"),
        ("TIME DEVICE ", "2005 Jul 25 20:40:55 sd5 ", "sd5"),
        ("FILE ", "quistdb ", None),
    ):
        text = head + IOPATTERN + front + ROW + front + ROW
        (iopattern,) = read(text).readings
        assert [(row.device, row.figures) for row in iopattern.rows] == 2 * [(device, FIGURES)], head
        assert "quist" not in read(text).text, head


def test_a_dash_is_no_figure():
    (iopattern,) = read(IOPATTERN + ROW.replace("10840", "    -")).readings
    assert iopattern.rows[0].figures["mean_bytes"] is None


def test_zilstat_is_read_with_and_without_its_options():
    for head, row, figures in (
        (ZILSTAT + OPS, "376720 376721 376720 12861 12861 12861 30 0 6 24", {"ops_ge_32kb": 24, "bytes_s": 376721}),
        ("TIME   " + ZILSTAT, "2010 Mar  3 12:00:00 1 2 3 4 5 6", {"bytes": 1, "buffer_bytes_max_rate": 6}),
        ("   txg " + ZILSTAT + OPS, "804311 1 2 3 4 5 6 30 0 6 24", {"bytes": 1, "ops": 30}),
        (ZILSTAT.replace("Bytes", "MB") + OPS, "1 2 3 4 5 6 30 0 6 24", {"buffer_bytes_s": 5 * 10**6, "ops": 30}),
    ):  # fmt: skip
        (zilstat,) = read(f"{head}\n{row}\n{head}\n{row}\n").readings
        assert [figures.items() <= line.figures.items() for line in zilstat.rows] == [True, True], head


def test_the_zilstat_of_openzfs_is_another_program():
    assert read("        cc        ic       idc       idb\n  100  20  30  40\n").readings == ()


def test_histograms_below_each_other_are_one_reading():
    text = "# ./seeksize.d\nTracing... Hit Ctrl-C to end.\n^C\n\n     PID  CMD\n"
    text += f"   22349  scp /dl/quist.iso mars:\\0\n\n{HISTOGRAM}\n"
    text += f"   22350  gzip sample.iso\\0\n\n{HISTOGRAM}"
    paste = read(text)
    (seeksize,) = paste.readings
    assert seeksize.kind == "seeksize"
    assert [(process.pid, process.command) for process in seeksize.processes] == [
        (22349, "scp"),
        (22350, "gzip sample.iso"),
    ]
    assert seeksize.processes[0].buckets == ((-1, 0), (0, 726), (1, 0), (8192, 3))
    assert "gzip sample.iso" in paste.own_words


def test_of_a_process_only_its_program_and_a_compressors_archive_are_kept():
    for command, stored in (
        ("mysqld --user=ann --password=hunter2", "mysqld"),
        ("postgres: ann sales 10.0.0.3(55555) idle", "postgres"),
        ("sshd: ann@pts/0", "sshd"),
        ("ssh nas.ann.example", "ssh"),
        ("sudo -u ann make", "sudo"),
        ("/usr/bin/vi divorce.txt", "/usr/bin/[pool-1]"),
        ("/ann/dump 5", "/[pool-1]/[pool-2]"),
        ("zpool-marmot", "zpool-[pool-1]"),
        ("a,b c", "program"),
        ("gzip -9 sun-x86-v1.iso nas.ann.example", "gzip sun-x86-v1.iso"),
        ("vi sales.tar", "vi"),
    ):
        paste = read(f"# ./seeksize.d\n     PID  CMD\n   412  {command}\\0\n\n{HISTOGRAM}")
        ((process,),) = [reading.processes for reading in paste.readings]
        assert process.command == stored, command
        assert f"412  {stored}\n" in paste.text, command
        assert not any(name in paste.text for name in ("ann", "hunter2", "sales", "divorce", "marmot")), (
            command
        )
        assert read(paste.text).readings[0].processes == (process,), command


def test_what_a_histogram_is_of_follows_from_the_script_or_from_its_values():
    process = "   1  zpool-tank\n\n"
    assert [reading.kind for reading in read(process + HISTOGRAM).readings] == ["seeksize"]
    assert [reading.kind for reading in read(process + SIZES).readings] == ["bitesize"]
    assert [reading.kind for reading in read(f"seeksize.d - our log device:\n\n{SIZES}").readings] == [
        "seeksize"
    ]


def test_a_histogram_of_another_script_is_not_read():
    assert read(SIZES).readings == ()


def test_what_is_no_output_has_a_reason():
    for text, code in (
        ("# ./seeksize.d\nTracing... Hit Ctrl-C to end.\n^C\n\n     PID  CMD\n", "no_result"),
        ("unknown fbt::zil_lwb_write_start arguments\n", "tool_error"),
        ("dtrace: failed to initialize dtrace: DTrace requires additional privileges\n", "tool_error"),
        (IOPATTERN, "no_result"),
    ):
        paste = read(text)
        assert (paste.readings, codes(paste)) == ((), [code]), text


@pytest.mark.parametrize("piece", [ROW, SIZES.splitlines()[2] + "\n", "   1  a\n\n" + HISTOGRAM])
def test_reading_takes_linear_time(piece):
    head = IOPATTERN + "   1  a\n" + HISTOGRAM if piece != ROW else IOPATTERN
    small, large = (head + piece * count for count in (150, 600))
    assert is_linear(parse, small, large)
