"""Output of fio in which several writers wrote at the same time, made up."""

import json
from collections.abc import Sequence
from itertools import count

IOPS = {1: 5000, 2: 8000, 4: 12_800, 8: 16_000, 16: 20_000}  # of all writers together
COMMAND = (
    "# fio --name=slog --filename=/dev/nvme0n1 --rw=randwrite --bs=4k --direct=1 --fdatasync=1 --runtime=1"
    " --time_based --stonewall"
)


def text(
    rungs: dict[int, int] = IOPS, *, deep: bool = False, together: bool = True, path: str = "/dev/nvme0n1"
) -> str:
    """A run with a group for each number of writers, as a terminal shows it.

    The writers are jobs or, if `deep`, the writes that libaio keeps in flight; `together` prints the jobs of a group
    as one (group_reporting).
    """
    rows = [(group, writers, iops) for group, (writers, iops) in enumerate(rungs.items())]
    setups = [_setup(group, writers, deep=deep) for group, writers, _ in rows]
    jobs = sum(1 if deep else writers for _, writers, _ in rows)
    pids = count(700)
    results = [
        _result(group, iops // parts, jobs=1 if deep else writers // parts, pid=next(pids))
        for group, writers, iops in rows
        for parts in [1 if deep or together else writers]
        for _ in range(parts)
    ]
    command = COMMAND.replace("/dev/nvme0n1", path)
    if len(rungs) == 1 and not deep:
        command += f" --numjobs={jobs}"
    return "\n".join([command, *setups, "fio-3.33", f"Starting {jobs} processes", "", *results, ""])


def _setup(group: int, writers: int, *, deep: bool) -> str:
    engine, depth = ("libaio", writers) if deep else ("psync", 1)
    size = "(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B"
    line = f"slog: (g={group}): rw=randwrite, bs={size}, ioengine={engine}, iodepth={depth}"
    return line if deep or writers == 1 else f"{line}\n..."


def _result(group: int, iops: int, *, jobs: int, pid: int) -> str:
    mean = jobs * 1e6 / iops
    return f"""\
slog: (groupid={group}, jobs={jobs}): err= 0: pid={pid}: Tue Jan  9 10:00:00 2024
  write: IOPS={iops}, BW={iops * 4}KiB/s ({iops * 4.096:.0f}kB/s)(9MiB/1000msec); 0 zone resets
     lat (usec): min=20, max=900, avg={mean / 4:.2f}, stdev= 4.10
  fsync/fdatasync/sync_file_range:
    sync (usec): min=50, max=9000, avg={mean * 3 / 4:.2f}, stdev=20.00
    sync percentiles (usec):
     | 99.00th=[ {mean * 2:.0f}], 99.50th=[ {mean * 3:.0f}]
  cpu          : usr=0.10%, sys=0.20%, ctx=2500, majf=0, minf=10"""


def document(rungs: dict[int, int] = IOPS, *, deep: bool = False, together: bool = True) -> str:
    """The same as JSON."""
    jobs = [
        _job(group, writers, iops // parts, deep=deep)
        for group, (writers, iops) in enumerate(rungs.items())
        for parts in [1 if deep or together else writers]
        for _ in range(parts)
    ]
    shared = {"filename": "/dev/nvme0n1", "rw": "randwrite", "direct": "1", "fdatasync": "1", "bs": "4k"}
    return json.dumps({"fio version": "fio-3.33", "global options": shared, "jobs": jobs}, indent=1) + "\n"


def _job(group: int, writers: int, iops: int, *, deep: bool) -> dict[str, object]:
    of_load = (
        {"ioengine": "libaio", "iodepth": str(writers)}
        if deep
        else {"ioengine": "psync", "numjobs": str(writers)}
    )
    return {
        "jobname": f"w{writers}",
        "groupid": group,
        "error": 0,
        "job options": {"name": f"w{writers}", **of_load},
        "write": {
            "iops": float(iops),
            "bw_bytes": iops * 4096,
            "total_ios": iops,
            "lat_ns": {"mean": 9000.0},
        },
    }


def loop(writers: Sequence[int] = tuple(IOPS)) -> str:
    """What a shell loop prints that runs fio once for each number of writers."""
    return "\n".join(text({writer: IOPS[writer]}) for writer in writers)
