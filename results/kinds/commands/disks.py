"""Commands that measure a disk; names of whole disks.

diskinfo writes and flushes at fifteen sizes from one sector to 8 MiB, a second each (usr.sbin/diskinfo/diskinfo.c);
fio measures the same (parsers.fio.slog), and for an hour writes 4 KiB at random to the whole device, with a sample a
second.
"""

import re
import shlex
from dataclasses import dataclass

from parsers.base.device_class import DeviceClass
from parsers.fio.slog import ladder_command, writers_command
from results.kinds.free_disk import System, check_of, if_free

LONGEST_NAME = 40  # characters that are examined


class DiskNameError(ValueError):
    """The text names no whole disk of that system; the message explains why."""


_FREEBSD_DISK = r"(?:ada|da|nda|nvd|mfid|mfisyspd|mmcsd|pmem|vtbd|xbd)[0-9]{1,4}"
_LINUX_DISK = r"(?:(?:sd|vd|xvd)[a-z]{1,3}|nvme[0-9]{1,3}n[0-9]{1,3}|mmcblk[0-9]{1,2}|pmem[0-9]{1,3})"
_DISKS = {System.FREEBSD: re.compile(_FREEBSD_DISK), System.LINUX: re.compile(_LINUX_DISK)}
_PARTITIONS = {
    System.FREEBSD: re.compile(rf"({_FREEBSD_DISK})(?:p[0-9]+|s[0-9]+[a-h]?)"),
    System.LINUX: re.compile(
        r"((?:sd|vd|xvd)[a-z]{1,3}(?=[0-9])|(?:nvme\d+n\d+|mmcblk\d+|pmem\d+)(?=p\d))p?\d+"
    ),
}
_EXAMPLES = {System.FREEBSD: "nvd0, nda0, da3 or ada1", System.LINUX: "nvme0n1 or sdb"}
_NAMES_BY_LINK = {"PCIe": "nvd0, nvme0n1", "SATA": "ada0, sda", "SAS ": "da0, sdb", "DDR4": "pmem0"}
_OTHER = {System.FREEBSD: System.LINUX, System.LINUX: System.FREEBSD}
_LABELS = {System.FREEBSD: "FreeBSD", System.LINUX: "Linux"}
_CONTROLLER = re.compile(r"nvme[0-9]{1,3}")
_BY_ID = "disk/by-"


_OVERWRITES = re.compile(r"\bdiskinfo(?:[ \t]+-\w+)*?[ \t]+-\w*w|\bfilename=/dev/|\bof=/dev/")


def overwrites_a_disk(text: str) -> bool:
    """Whether a line of the text is a command that overwrites the disk it names, by diskinfo, fio or dd."""
    return _OVERWRITES.search(text) is not None


def system_by_disk(path: str) -> System | None:
    """The only system on which a path can name a disk or a part of one; None if both have such names, or neither."""
    name = path.removeprefix("/dev/")
    systems = [
        system for system in System if _DISKS[system].fullmatch(name) or _PARTITIONS[system].fullmatch(name)
    ]
    return systems[0] if len(systems) == 1 else None


def example_names(device_class: str) -> str:
    """How disks of this class are usually named on FreeBSD and on Linux."""
    link = DeviceClass(device_class).link or ""
    return _NAMES_BY_LINK.get(link[:4], _NAMES_BY_LINK["PCIe"])


def whole_disk(system: System, text: str) -> str:
    """The disk's name without /dev/, such as "nvme0n1"; raises DiskNameError.

    Only names of these forms are accepted, so that nothing but a name can get into a command line.
    """
    name = text.strip()[:LONGEST_NAME].removeprefix("/dev/")
    if _DISKS[system].fullmatch(name):
        return name
    raise DiskNameError(_why_not(system, name))


def _why_not(system: System, name: str) -> str:
    example = f"A disk of {_LABELS[system]} is named like {_EXAMPLES[system]}."
    partition = _PARTITIONS[system].fullmatch(name)
    if not name:
        return f"Name the disk. {example}"
    if partition:
        return f"“{name}” is a partition: the test needs a whole disk without partitions, such as {partition[1]}."
    if system is System.LINUX and _CONTROLLER.fullmatch(name):
        return f"“{name}” is an NVMe controller: its disk is named like {name}n1."
    if name.startswith(_BY_ID):
        return f"Names under /dev/{_BY_ID}… hold the serial number, and so would the result. {example}"
    if _DISKS[_OTHER[system]].fullmatch(name):
        return f"“{name}” is what {_LABELS[_OTHER[system]]} calls a disk. {example}"
    return f"“{name}” is not the name of a whole disk. {example}"


_NVME_ON_FREEBSD = re.compile(r"(?:nvd|nda)([0-9]+)")


@dataclass(frozen=True, slots=True)
class Check:
    """A read-only command, and what it prints if the disk is unused."""

    command: str
    expected: str


@dataclass(frozen=True, slots=True)
class Measurement:
    """The test behind its check, and the command that describes the disk; both write to `saved_as`."""

    measure: str
    describe: str
    saved_as: str


@dataclass(frozen=True, slots=True)
class Commands:
    """The commands for one disk: first the checks.

    Those by fio are None on FreeBSD, where fio's flush of a disk doesn't empty the disk's cache.
    """

    checks: tuple[Check, ...]
    single: Measurement
    several_writers: Measurement | None = None
    without_flush: Measurement | None = None


def commands_for(system: System, disk: str) -> Commands:
    """The commands for a disk name that `whole_disk` has returned."""
    return (_on_freebsd if system is System.FREEBSD else _on_linux)(disk)


def _checks(system: System, disk: str, look: str) -> tuple[Check, ...]:
    return (
        Check(look, "the model and the size that you mean"),
        Check(f"{check_of(system, disk)} && echo {disk} is unused", f"“{disk} is unused”"),
    )


def _on_freebsd(disk: str) -> Commands:
    saved_as = f"slog-{disk}.txt"
    path = shlex.quote(f"/dev/{disk}")
    return Commands(
        checks=_checks(System.FREEBSD, disk, f"diskinfo -v {path}"),
        single=Measurement(
            measure=if_free(System.FREEBSD, disk, f"diskinfo -wS {path} | tee {saved_as}"),
            describe="\n".join(
                [
                    f"smartctl -x /dev/{smartctl_name(disk)} | tee -a {saved_as}",
                    *_caches_on_freebsd(disk, saved_as),
                ]
            ),
            saved_as=saved_as,
        ),
    )


def smartctl_name(disk: str) -> str:
    """The name for smartctl: the NVMe controller, mostly numbered like the disk."""
    return _NVME_ON_FREEBSD.sub(r"nvme\1", disk)


def _caches_on_freebsd(disk: str, saved_as: str) -> list[str]:
    """The command that shows whether an ATA disk's write cache is on; smartctl shows it for others."""
    is_ata = disk.startswith("ada")
    return [f"camcontrol identify {disk} | grep 'write cache' | tee -a {saved_as}"] if is_ata else []


def _caches_on_linux(path: str, saved_as: str) -> list[str]:
    """The commands that show the flush path: what the kernel believes about the cache, and for NVMe the facts."""
    queue = f"/sys/block/{path.removeprefix('/dev/')}/queue"
    found = [f"grep -H . {queue}/write_cache {queue}/fua | tee -a {saved_as}"]
    if "nvme" in path:
        found.append(
            f"{{ nvme id-ctrl {path} | grep vwc; nvme get-feature -f 6 {path}; }} | tee -a {saved_as}"
        )
    return found


def _on_linux(disk: str) -> Commands:
    path = shlex.quote(f"/dev/{disk}")
    return Commands(
        checks=_checks(System.LINUX, disk, f"lsblk -d -o NAME,MODEL,SIZE {path}"),
        single=_by_fio(ladder_command(path), disk, saved_as=f"slog-{disk}.txt"),
        several_writers=_by_fio(writers_command(path), disk, saved_as=f"slog-{disk}-writers.txt"),
        without_flush=_by_fio(
            ladder_command(path, flushes=False), disk, saved_as=f"slog-{disk}-flush-off.txt"
        ),
    )


def _by_fio(command: str, disk: str, *, saved_as: str) -> Measurement:
    path = f"/dev/{disk}"
    return Measurement(
        measure=if_free(System.LINUX, disk, f"{command} > {saved_as}"),
        describe="\n".join([f"smartctl -x {path} | tee -a {saved_as}", *_caches_on_linux(path, saved_as)]),
        saved_as=saved_as,
    )


HOUR_S = 3600
HOUR_DEPTH = 32
_ENGINES = {System.LINUX: "libaio", System.FREEBSD: "posixaio"}


def hour_command(system: System, disk: str, *, with_pause: bool = False) -> str:
    """An hour of writes by fio if the disk is unused; with a pause, an hour idle and another hour after it.

    The logs carry the time of the clock, so that the pause is known.
    """
    phases = f"--name=first --name=second --startdelay={2 * HOUR_S}" if with_pause else "--name=hour"
    prefix = f"hour-{disk}"
    command = (
        f"fio --name=global --filename={shlex.quote(f'/dev/{disk}')} --rw=randwrite --norandommap --bs=4096"
        f" --ioengine={_ENGINES[system]} --iodepth={HOUR_DEPTH} --direct=1 --refill_buffers --runtime={HOUR_S}"
        f" --time_based --log_avg_msec=1000 --log_unix_epoch=1 --write_iops_log={prefix} --write_lat_log={prefix}"
        f" {phases} --output={prefix}.txt"
    )
    return if_free(system, disk, command)


def collect_hour_command(disk: str, smartctl_name: str) -> str:
    """Put fio's output, its logs of writes and latencies, and smartctl's output into one file."""
    prefix = f"hour-{disk}"
    return (
        f'for f in {prefix}_iops.*.log {prefix}_lat.*.log; do echo "==> $f <=="; cat "$f"; done >> {prefix}.txt;'
        f" smartctl -x /dev/{smartctl_name} | tee -a {prefix}.txt"
    )


def hour_saved_as(disk: str) -> str:
    return f"hour-{disk}.txt"
