"""What a run wrote to, and on which machines: only a run on one device of one machine is a result of a device."""

import json

from parsers.fio.slog import refuse_as_slog
from tests.parsers.samples import only, parse, read

OPTIONS = {"rw": "randwrite", "bs": "4k", "ioengine": "psync", "direct": "1", "fdatasync": "1"}


def row(name="slog", host=None, iops=774.5, group=0, port=8765, **options):
    write = {"iops": iops, "bw_bytes": int(iops * 4096), "lat_ns": {"mean": 280_000.0}}
    sync = {"total_ios": 775, "lat_ns": {"mean": 980_000.0, "N": 775}}
    server = {} if host is None else {"hostname": host, "port": port}
    stated = {"job options": options} if options else {}
    return {"jobname": name, "groupid": group, "error": 0, **stated, "write": write, "sync": sync, **server}


def document(*rows, shared=OPTIONS, kind="client_stats", disks=()):
    util = [{"name": name, "write_ios": writes} for name, writes in disks]
    return json.dumps(
        {"fio version": "fio-3.41", "global options": shared, kind: rows, "disk_util": util}, indent=1
    )


def text(command, *jobs, total="", disks=""):
    """A run with a set-up and a result of each job: its name, and the server that it ran on."""
    setups = "".join(
        f"{server}{name}: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B,"
        " ioengine=psync, iodepth=1\n"
        for name, server in jobs
    )
    results = "".join(result(name, pid=4711 + at) for at, (name, _server) in enumerate(jobs))
    return f"# fio {command}\n{setups}fio-3.33\nStarting\n\n{results}{total}\nRun status group 0 (all jobs):\n{disks}"


def result(name, pid, rate="4000KiB/s (4096kB/s)(39MiB/10001msec)"):
    return (
        f"{name}: (groupid=0, jobs=1): err= 0: pid={pid}: Wed Nov 12 10:54:36 2025\n"
        f"  write: IOPS=1000, BW={rate}; 0 zone resets\n"
        "     lat (usec): min=699, max=4990, avg=998.00, stdev=20.00\n"
        "  cpu          : usr=0.50%, sys=4.09%, ctx=2321, majf=0, minf=14\n"
    )


SYNC = "--rw=randwrite --bs=4k --sync=1 --ioengine=psync"
SUM = result("All clients", 0, "4000Ki (4096k)(39MiB/10001msec)")
ON_NODE = {**OPTIONS, "filename": "/dev/nvme1n1"}
ONE, TWO = {"filename": "/dev/sdb"}, {"filename": "/dev/sdc"}

# The text, the number of jobs, and the code of the refusal
CASES = (
    (document(row(host="node-a"), shared=ON_NODE), 1, None),
    (document(row(host="node-a"), shared=[{"hostname": "node-a", "port": 8765, **ON_NODE}]), 1, None),
    (document(row("a", "node-a", port=1), row("b", "node-a", port=1, group=1, bs="8k"), shared=[
        {"hostname": "node-a", "port": 1, **ON_NODE}, {"hostname": "node-b", "port": 1, "bs": "64k"}]), 2, None),
    (document(row(host="node-a"), row(host="node-b"), row("All clients", "node-b"), shared=ON_NODE), 2,
     "several_hosts"),
    (document(row(host="node-a"), row(host="node-b"), shared=ON_NODE), 2, "several_hosts"),
    (document(row("All clients", **ONE), kind="jobs"), 1, None),  # a name that somebody chose
    (document(row("a", **ONE), row("b", **ONE, group=1, bs="8k"), kind="jobs"), 2, None),
    (document(row("a", **ONE), row("b", **TWO), kind="jobs"), 2, "several_targets"),
    (document(row("a", **ONE), row("b", **TWO, group=1, bs="8k"), kind="jobs"), 2, "several_targets"),
    (document(row("a", filename="/dev/sdb:/dev/sdc"), kind="jobs"), 1, "several_targets"),
    (document(row("a", filename="one:two"), kind="jobs"), 1, "several_targets"),
    (document(row("a", directory="/mnt/x:/mnt/y"), kind="jobs"), 1, "several_targets"),
    (document(row("a", directory="/mnt/x"), row("b", directory="/mnt/x", group=1, bs="8k"), kind="jobs"), 2, None),
    (document(row("a", filename="/mnt/x/1"), row("b", filename="/mnt/x/2", group=1, bs="8k"), kind="jobs"), 2, None),
    (document(row("a", **ONE), row("b", iops=0, **TWO), kind="jobs"), 2, None),  # only one of them wrote
    (document(row("a"), kind="jobs", disks=[("sdb", 900), ("sda", 20)]), 1, None),
    (document(row("a"), kind="jobs", disks=[("sdb", 900), ("sdc", 880)]), 1, "several_targets"),
    (text(f"{SYNC} --name=a --filename=/dev/sdb", ("a", "")), 1, None),
    (text(f"{SYNC} --filename=/dev/sdb --name=a --bs=4k", ("a", "<node-a> ")), 1, None),
    (text(f"{SYNC} --name=a --filename=/dev/sdb --name=b --filename=/dev/sdc", ("a", ""), ("b", "")), 2,
     "several_targets"),
    (text(f"{SYNC} --name=a --filename=/dev/sdb --filename=/dev/sdc", ("a", "")), 1, "several_targets"),
    (text(f"{SYNC} --filename=/dev/sdb --name=a", ("a", "<node-a> "), ("a", "<node-b> "), total=SUM), 2,
     "several_hosts"),
    (text(f"{SYNC} --filename=/dev/sdb --name=a", ("a", ""), ("a", ""), total=SUM), 2, "several_hosts"),
    (text(f"{SYNC} --name=a", ("a", ""), disks="Disk stats (read/write):\n  sdb: ios=0/9000, merge=0/0, ticks=0/1\n"
          "  sdc: ios=0/8000, merge=0/0, ticks=0/1\n"), 1, "several_targets"),
)  # fmt: skip


def test_only_a_run_on_one_device_of_one_machine_is_a_result():
    for sent, jobs, code in CASES:
        paste = read(sent)
        (reading,) = paste.readings
        assert len(reading.jobs) == jobs, sent
        refusal = refuse_as_slog(reading)
        assert (refusal and refusal.code) == code, (sent, refusal)
        assert [warning.code for warning in paste.warnings if warning.code != "file_system"] == [code] * bool(
            code
        ), sent
        assert "node-a" not in paste.text


def test_options_of_another_server_do_not_apply():
    shared = [{"hostname": "node-b", "port": 8765, **ON_NODE}]
    reading = only(document(row(host="node-a"), shared=shared))
    assert (reading.path, reading.jobs[0].rw) == (None, None)


def test_a_refusal_names_what_was_written():
    paste = parse(document(row("a", **ONE), row("b", **TWO), kind="jobs"))
    (notice,) = paste.warnings
    assert notice.message.startswith(
        "this run wrote to several devices or files (/dev/sdb, /dev/sdc), so it isn't a result of one device: run fio"
        " on each of them separately. See"
    )
