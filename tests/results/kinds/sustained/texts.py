"""Logs and CSV written for the tests."""

from tests import pastes

MODEL = "MARVELL SD88SA02"


def csv(values, *, step=1.0, start=1.0, metric="iops"):
    rows = "".join(f"{start + at * step:g},{value:g}\n" for at, value in enumerate(values))
    return f"seconds,{metric}\n{rows}"


def log(values, *, metric="iops", job=1, step_ms=1000, start_ms=1000, direction=1):
    rows = "".join(
        f"{start_ms + at * step_ms}, {value}, {direction}, 0, 0\n" for at, value in enumerate(values)
    )
    return f"==> x_{metric}.{job}.log <==\n{rows}"


def minutes(*rates):
    """A sample a second, for as many minutes as there are rates."""
    return [rate for rate in rates for _ in range(60)]


def device():
    """smartctl's output of a device of 24.5 GB."""
    return pastes.smartctl()


FALLING = minutes(50_000, 50_000, 20_000, 5000, 5000, 5000, 5000, 5000)
ANSWERS = {
    "series_pattern": "random",
    "series_size": "4096",
    "series_align": "4096",
    "series_depth": "32",
    "series_workers": "2",
    "series_sync": "none",
    "series_content": "random",
}


def fio(jobs=1):
    """fio's command and output of an hour of writes that it didn't sync, by that many jobs of a name each."""
    names = [f"hour{number}" for number in range(1, jobs + 1)]
    heads = "".join(
        f"{name}: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, "
        "iodepth=32\n"
        for name in names
    )
    results = "".join(
        f"{name}: (groupid=0, jobs=1): err= 0: pid=4711: Thu Nov 19 11:31:24 2026\n"
        "  write: IOPS=5000, BW=19.5MiB/s (20.5MB/s)(68.7GiB/3600001msec); 0 zone resets\n"
        "    slat (nsec): min=1266, max=16481k, avg=2851.47, stdev=46871.45\n"
        "    clat (usec): min=447, max=16751, avg=6381.32, stdev=1514.09\n"
        "     lat (usec): min=451, max=16752, avg=6384.18, stdev=1514.82\n"
        "  cpu          : usr=8.02%, sys=9.54%, ctx=62529, majf=0, minf=36\n"
        "     issued rwts: total=0,18000005,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
        "     latency   : target=0, window=0, percentile=100.00%, depth=32\n"
        for name in names
    )
    return (
        "# fio --name=global --filename=/dev/nvme0n1 --rw=randwrite --norandommap --bs=4096 --ioengine=libaio"
        " --iodepth=32 --direct=1 --refill_buffers --runtime=3600 --time_based --log_avg_msec=1000"
        f" --log_unix_epoch=1 --write_iops_log=hour {' '.join(f'--name={name}' for name in names)}\n"
        f"{heads}fio-3.33\nStarting {jobs} processes\n\n{results}\nRun status group 0 (all jobs):\n"
        "  WRITE: bw=19.5MiB/s (20.5MB/s), 19.5MiB/s-19.5MiB/s (20.5MB/s-20.5MB/s), io=68.7GiB (73.7GB), "
        "run=3600001-3600001msec\n\n"
    )
