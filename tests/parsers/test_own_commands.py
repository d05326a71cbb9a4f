"""A command belongs to one output, in order, and never to one that contradicts it."""

import pytest

from tests.parsers.samples import codes, read

SYNC, PLAIN = "oflag=dsync", ""


def dd(count, *, size="1M", flag=PLAIN):
    return f"dd if=/dev/zero of=/tank/quist bs={size} count={count} {flag}".rstrip()


def copied(count, size=1 << 20, seconds="2.5"):
    return (
        f"{count}+0 records in\n{count}+0 records out\n"
        f"{count * size} bytes (1 MB, 1 MiB) copied, {seconds} s, 1.0 MB/s\n"
    )


def fio(name="a", *, rest="--sync=1", path="/dev/sdb"):
    return f"fio --name={name} --filename={path} --rw=write --bs=4k --direct=1 {rest}".rstrip()


def run(name="a", *, iops=100, size="4096B", disk="sdb", jobs=1):
    return (
        f"{name}: (g=0): rw=write, bs=(R) {size}-{size}, (W) {size}-{size}, (T) {size}-{size}, ioengine=psync,"
        " iodepth=1\n"
        f"fio-3.36\nStarting {jobs} process\n{name}: (groupid=0, jobs={jobs}): err= 0: pid={iops}\n"
        f"  write: IOPS={iops}, BW=400KiB/s (410kB/s)(4MiB/1000msec); 0 zone resets\n"
        "     lat (usec): min=10, max=9000, avg=4000.00, stdev= 2.10\n"
        f"  cpu          : usr=0.10%, sys=0.20%, ctx=2500, majf=0, minf=10\n"
        f"Disk stats (read/write):\n  {disk}: ios=0/100, merge=0/0, ticks=0/25, in_queue=29, util=9.72%\n"
    )


def synced(text):
    """Whether each run is known to be synced, with the codes of the notices about commands."""
    paste = read(text)
    flags = [
        reading.is_synced if reading.kind == "dd" else reading.jobs[0].sync == "1"
        for reading in paste.readings
    ]
    return flags, [warning.code for warning in paste.warnings if warning.code == "unknown_command"]


UNKNOWN = ["unknown_command"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # two commands above two outputs are two pairs
        (f"{dd(10)}\n{dd(20, flag=SYNC)}\n\n{copied(10)}\n{copied(20)}", ([False, True], [])),
        (f"$ {dd(20, flag=SYNC)}\n$ {dd(10)}\n\n{copied(20)}\n{copied(10)}", ([True, False], [])),
        (f"$ {dd(20, flag=SYNC)}; {dd(10)}\n{copied(20)}{copied(10)}", ([True, False], [])),
        (f"{fio(rest='')}\n{fio()}\n\n{run(iops=9000)}\n{run(iops=90)}", ([False, True], [])),
        (f"{fio()}\n{fio(rest='')}\n\n{run(iops=90)}\n{run(iops=9000)}", ([True, False], [])),
        # or none, if an output contradicts its own
        (f"{dd(20, flag=SYNC)}\n{dd(10)}\n\n{copied(10)}\n{copied(20)}", ([None, None], 2 * UNKNOWN)),
        (
            f"{dd(9, size='4k', flag=SYNC)}\n{dd(10)}\n\n{copied(9)}\n{copied(10)}",
            ([None, None], 2 * UNKNOWN),
        ),
        (f"{fio('a')}\n{fio('b')}\n\n{run('b')}\n{run('a', iops=200)}", ([False, False], 2 * UNKNOWN)),
        # one command is of the first output, and of the others only in a loop
        (
            f"# {dd(10, flag=SYNC)}\n{copied(10)}Without sync:\n{copied(10, seconds='0.1')}",
            ([True, None], UNKNOWN),
        ),
        (f"# {fio()}\n{run()}\nAsynchronously:\n{run(iops=9000)}", ([True, False], UNKNOWN)),
        (f"# for i in 1 2; do {dd(10, flag=SYNC)}; done\n{copied(10)}{copied(10)}", ([True, True], [])),
        (f"for i in 1 2; do\n  {fio()}\ndone\n{run()}\n{run(iops=101)}", ([True, True], [])),
        (f"# for n in p q; do {fio('$n')}; done\n{run('p')}\n{run('q', iops=101)}", ([True, True], [])),
        # several above one: that which fits, if it is only one
        (f"{fio('a', rest='')}\n{fio('b')}\n\n{run('b')}", ([True], [])),
        (f"{fio('b')}\n{fio('a', rest='')}\n\n{run('b')}", ([True], [])),
        (f"{fio(rest='')}\n{fio()}\n\n{run()}", ([False], UNKNOWN)),
        (f"{dd(10)}\n{dd(10, flag=SYNC)}\n\n{copied(10)}", ([None], UNKNOWN)),
        # what contradicts: size of blocks, their count, the number of jobs, the disk, the name
        (f"$ {dd(10, flag=SYNC)}\n{copied(11)}", ([None], UNKNOWN)),
        (f"$ {dd(10, flag=SYNC)}\n{copied(9)}", ([None], UNKNOWN)),
        (f"$ {dd(10, flag=SYNC)}\n{copied(10, size=4096)}", ([None], UNKNOWN)),
        (f"$ {fio(rest='--sync=1 --bs=8k')}\n{run()}", ([False], UNKNOWN)),
        (f"$ {fio(rest='--sync=1 --numjobs=4')}\n{run()}", ([False], UNKNOWN)),
        (f"$ {fio(path='/dev/sdc')}\n{run()}", ([False], UNKNOWN)),
        (f"$ {fio('b')}\n{run('a')}", ([False], UNKNOWN)),
        (f"$ {fio(rest='--sync=1 --rw=read')}\n{run()}", ([False], UNKNOWN)),
    ],
)
def test_a_run_has_the_conditions_of_its_own_command(text, expected):
    assert synced(text) == expected


def test_an_interrupted_run_is_of_its_command():
    (run,) = read(f"$ {dd(10, flag=SYNC)}\n^C{copied(9)}").readings
    assert (run.is_synced, run.complete) == (True, False)


ROW = "        {file}       4     2689     3151     9640     9720     8995     2452\n"
HEAD = (
    "              KB  reclen   write rewrite    read    reread    read   write    read  rewrite     read\n"
)


def test_each_table_of_iozone_has_its_own_command():
    first, second = HEAD + ROW.format(file=1024), HEAD + ROW.format(file=2048)
    synced, plain = "iozone -e -s 1m -r 4k -i 0 -i 1 -i 2", "iozone -s 2m -r 4k -i 0 -i 1 -i 2"
    paste = read(f"{synced}\n{plain}\n\n{first}\n{second}")
    assert [run.includes_flush for run in paste.readings] == [True, False]
    paste = read(f"{synced}\n{plain}\n\n{second}\n{first}")
    assert [run.includes_flush for run in paste.readings] == [None, None]
    assert codes(paste).count("unknown_command") == 2


BANNER = "smartctl 7.2 2020-12-30 r5155 [x86_64-linux-5.15.0] (local build)\n"


def test_each_output_of_smartctl_has_the_path_of_its_own_command():
    disks = [f"{BANNER}Device Model:     EXAMPLE {name}\nRotation Rate:    7200 rpm\n\n" for name in "AB"]
    commands = "smartctl -i /dev/sda\nsmartctl -i /dev/sdb\n\n"
    assert [reading.path for reading in read(commands + "".join(disks)).readings] == ["/dev/sda", "/dev/sdb"]
    assert [reading.path for reading in read(commands + disks[0]).readings] == [None]
    assert [reading.path for reading in read("# smartctl -i /dev/sda\n" + "".join(disks)).readings] == [
        "/dev/sda",
        None,
    ]


def test_each_table_of_zpool_iostat_has_its_own_command():
    head = "pool  alloc  free  read  write  read  write\n"
    row = "{}  17.2T  103T  10  13.7K  41.5K  55.3M\n"
    tables = [head + row.format(name) for name in ("tank", "dozer")]
    commands = [f"zpool iostat -y {name}" for name in ("tank", "dozer")]
    found = read("\n".join([*commands, "", *tables])).readings
    assert [reading.command for reading in found] == ["zpool iostat -y [pool-1]", "zpool iostat -y [pool-2]"]
    found = read("\n".join([*commands, "", *reversed(tables)])).readings
    assert [reading.command for reading in found] == [None, None]
    found = read("\n".join(["zpool iostat 1", tables[0], tables[0]])).readings
    assert [reading.command for reading in found] == ["zpool iostat 1", "zpool iostat 1"]


def test_the_head_of_iozone_above_its_first_known_line_is_of_the_table():
    head = "\tO_DIRECT feature enabled\n\tInclude fsync in write timing\n\tRecord Size 4 kB\n"
    (run,) = read(head + HEAD + ROW.format(file=1024)).readings
    assert (run.is_direct, run.includes_flush, run.is_sync) == (True, True, None)


def test_any_number_of_commands_are_paired():
    commands = "\n".join(dd(count, flag=SYNC) for count in range(100, 130))
    outputs = "".join(map(copied, range(100, 130)))
    assert synced(f"{commands}\n\n{outputs}") == ([True] * 30, [])
    assert synced(f"{commands}\n\n{''.join(map(copied, range(100, 130, 7)))}") == ([True] * 5, [])
    assert synced(f"{commands}\n\n{outputs}{copied(99)}") == ([True] * 30 + [None], UNKNOWN)
    assert synced(f"{commands}\n{dd(99)}\n\n{copied(130)}{copied(98)}") == ([None, None], 2 * UNKNOWN)
