"""A repeated line of a record begins another one, even if its heading is missing: no figure comes from two runs."""

import pytest

from tests.parsers.samples import read

FIO = """  write: IOPS={iops}, BW=552KiB/s (565kB/s)(32.3MiB/60005msec); 0 zone resets
    clat (usec): min=5, max=277, avg={mean}, stdev= 3.55
     lat (usec): min=5, max=277, avg={mean}, stdev= 3.55
"""


def jobs(text):
    return [
        (job.iops, job.write_latency_us, job.flush_latency_us)
        for run in read(text).readings
        for job in run.jobs
    ]


def test_a_second_run_of_fio_without_its_head():
    first, second = FIO.format(iops=100, mean="9000.50"), FIO.format(iops=900, mean="1000.25")
    for between in ("", "\n", "and without sync:\n"):
        assert jobs(first + between + second) == [(100, 9000.5, None), (900, 1000.25, None)]
        (rate, *_means) = second.splitlines()
        assert jobs(f"{first}{between}{rate}\n") == [(100, 9000.5, None), (900, None, None)]
        # a run that lost its first line has no figures of the one above
        assert jobs(first + between + second.partition("\n")[2]) == [(100, 9000.5, None)]


def test_a_second_run_of_fio_below_its_version():
    head = "fio-3.3{}\nStarting 1 process\na: (groupid=0, jobs=1): err= 0: pid={}: Thu Oct 29 14:46:37 2020\n"
    text = "".join(head.format(at, at) + FIO.format(iops=at, mean="5.00") for at in (1, 2, 3))
    assert [reading.tool_version for reading in read(text).readings] == ["fio-3.31", "fio-3.32", "fio-3.33"]


def test_a_second_flush_block_of_fio():
    sync = "  fsync/fdatasync/sync_file_range:\n    sync (usec): min=4, max=90, avg={}, stdev=1.5\n"
    assert jobs(sync.format("41.5") + sync.format("51.5")) == [(None, None, 41.5), (None, None, 51.5)]


NVME = "Critical Warning:  0x00\nAvailable Spare:  {spare}%\nPercentage Used:  {used}%\nPower On Hours:  {hours}\n"
ATA = (
    "  9 Power_On_Hours          0x0032   100   100   000    Old_age   Always       -       {hours}\n"
    "177 Wear_Leveling_Count     0x0013   {left:03}   099   000    Pre-fail  Always       -       7\n"
)


def test_a_second_drive_of_smartctl_without_its_banner():
    text = NVME.format(spare=100, used=3, hours=11) + NVME.format(spare=90, used=7, hours=2200)
    assert [(reading.available_spare, reading.power_on_hours) for reading in read(text).readings] == [
        (100, 11),
        (90, 2200),
    ]
    text = ATA.format(hours=11, left=99) + "\n" + ATA.format(hours=2200, left=50)
    assert [reading.power_on_hours for reading in read(text).readings] == [11, 2200]
    assert len(read(text.replace("2200", "11").replace("050", "099")).readings) == 1  # the same again


def test_a_second_table_of_iozone_without_its_header():
    head = "        KB  reclen   write rewrite\n"
    row = "      1024       4    {}    3151\n"
    paste = read(head + row.format(1000) + "    2048     4   1234   3151\n" + row.format(2000))
    assert [[line.figures["write"] for line in run.rows] for run in paste.readings] == [[1000, 1234], [2000]]


def test_a_second_histogram_without_its_heading():
    rows = "         0 -> 1          : {0}        |    |\n       128 -> 255        : {0}       |*** |\n"
    text = (
        "Tracing block device I/O... Hit Ctrl-C to end.\n     usecs               : count     distribution\n"
    )
    found = read(text + rows.format(3) + rows.format(5)).readings
    assert [[count for _low, _high, count in reading.buckets] for reading in found] == [[3, 3], [5, 5]]
    dtrace = "  1203  dd\n\n           value  ------------- Distribution ------------- count\n"
    buckets = (
        "            4096 |@@@@@@@@@@@                              {0}\n            8192 |@@      {0}\n"
    )
    (reading,) = read(f"bitesize.d\n{dtrace}{buckets.format(4)}{buckets.format(6)}").readings
    assert [[count for _value, count in each.buckets] for each in reading.processes] == [[4, 4], [6, 6]]


def test_a_second_pool_without_its_header():
    names = ("{name}", "  mirror-0", "    {disk}a", "    {disk}b")
    pool = "".join(f"{name}  ONLINE  0  0  0\n" for name in names)
    text = (
        "NAME  STATE  READ WRITE CKSUM\n"
        + pool.format(name="tank", disk="sd")
        + pool.format(name="zz", disk="vd")
    )
    found = read(text).readings
    assert [(reading.pool, [vdev.devices for vdev in reading.vdevs]) for reading in found] == [
        ("[pool-1]", [("sda", "sdb")]),
        ("[pool-2]", [("vda", "vdb")]),
    ]


def test_a_second_list_of_properties():
    text = "NAME  PROPERTY  VALUE  SOURCE\n" + "".join(
        f"tank  sync  {value}  local\n" for value in ("always", "disabled")
    )
    assert [reading.properties for reading in read(text).readings] == [
        {"sync": "always"},
        {"sync": "disabled"},
    ]


@pytest.mark.parametrize(
    "label", ["FSYNCS/SECOND:     {}.44\n", "HD SIZE:  {}.22 GB (/dev/sda2)\nFSYNCS/SECOND: 1\n"]
)
def test_a_second_run_of_pveperf(label):
    assert len(read(label.format(5210) + label.format(310)).readings) == 2


def test_a_second_table_of_diskinfo():
    row = "\t{} kbytes:    {}.4 usec/IO =      4.1 Mbytes/s\n"
    tables = ["Synchronous random writes:\n" + row.format(4, 118) + row.format(8, 120), row.format(8, 220)]
    found = read("".join(tables)).readings
    assert [[float(point.latency_us) for point in reading.points] for reading in found] == [
        [118.4, 120.4],
        [220.4],
    ]
