"""The commands of an hour: fio writes 4 KiB at random to the whole device, with a sample a second."""

import shlex

from results.kinds.free_disk import System, if_free

SECONDS = 3600
DEPTH = 32
_ENGINES = {System.LINUX: "libaio", System.FREEBSD: "posixaio"}


def hour_command(system: System, disk: str, *, with_pause: bool = False) -> str:
    """An hour of writes by fio if the disk is unused; with a pause, an hour idle and another hour after it.

    The logs carry the time of the clock, so that the pause is known.
    """
    phases = f"--name=first --name=second --startdelay={2 * SECONDS}" if with_pause else "--name=hour"
    prefix = f"hour-{disk}"
    command = (
        f"fio --name=global --filename={shlex.quote(f'/dev/{disk}')} --rw=randwrite --norandommap --bs=4096"
        f" --ioengine={_ENGINES[system]} --iodepth={DEPTH} --direct=1 --refill_buffers --runtime={SECONDS}"
        f" --time_based --log_avg_msec=1000 --log_unix_epoch=1 --write_iops_log={prefix} --write_lat_log={prefix}"
        f" {phases} --output={prefix}.txt"
    )
    return if_free(system, disk, command)


def collect_command(disk: str, smartctl_name: str) -> str:
    """Put fio's output, its logs of writes and latencies, and smartctl's output into one file."""
    prefix = f"hour-{disk}"
    return (
        f'for f in {prefix}_iops.*.log {prefix}_lat.*.log; do echo "==> $f <=="; cat "$f"; done >> {prefix}.txt;'
        f" smartctl -x /dev/{smartctl_name} | tee -a {prefix}.txt"
    )


def saved_as(disk: str) -> str:
    return f"hour-{disk}.txt"
