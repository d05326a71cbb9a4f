"""Machines that slogdb-submit runs on: folders of fake tools in front of the PATH, which write down every call.

The script asks tools only, so a machine is what its tools say. Whatever could write to a disk is a fake as well.
"""

import os
import pty
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, Self

import pytest

from tests import pastes
from tests.patience import PATIENCE_S

SCRIPT = Path(__file__).resolve().parents[2] / "results" / "submissions" / "slogdb-submit"
SHELLS = {"dash": ["dash"], "busybox": ["busybox", "sh"]}
AWKS = {"mawk": "mawk", "gawk": "gawk", "busybox": "busybox", "one true awk": "original-awk"}
DISK_OF = {"Linux": "/dev/sdz", "FreeBSD": "/dev/da9"}
SERIAL = "SN4711X0815"
WWN = "5001b448b1234567"
MODEL = "INTEL SSDSC2BA400G3"  # of the catalogue: a model that nobody knows is not ranked
CAPACITY = 400088457216
IDENTITY = ("MODEL", "SERIAL", "WWN", "TRAN")
COLUMNS = ("NAME", "PKNAME", "TYPE", "SIZE", "RO", *IDENTITY, "FSTYPE", "MOUNTPOINT", "LOG-SEC")

SMARTCTL = f"""smartctl 7.4 2023-08-01 r5530 [x86_64-linux-6.6.44] (local build)
Copyright (C) 2002-23, Bruce Allen, Christian Franke, www.smartmontools.org

=== START OF INFORMATION SECTION ===
Device Model:     {MODEL}
Serial Number:    {SERIAL}
LU WWN Device Id: 5 001b44 8b1234567
Firmware Version: 1.02
User Capacity:    400,088,457,216 bytes [400 GB]
Sector Size:      512 bytes logical/physical
Rotation Rate:    Solid State Device
Device is:        Not in smartctl database 7.3/5528
SMART support is: Available - device has SMART capability.
SMART support is: Enabled

=== START OF READ SMART DATA SECTION ===
SMART overall-health self-assessment test result: PASSED
the log of {SERIAL.lower()} holds nothing
"""
STATUS_OF_POOL = """  pool: zwerg.1
 state: ONLINE
config:

\tNAME              STATE     READ WRITE CKSUM
\tzwerg.1           ONLINE       0     0     0
\t  mirror-0        ONLINE       0     0     0
\t    /dev/sda1     ONLINE       0     0     0
\t    /dev/sdb1     ONLINE       0     0     0
\tlogs
\t  /dev/nvme0n1p4  ONLINE       0     0     0

errors: No known data errors
"""


def diskinfo_text(disk: str) -> str:
    """What `diskinfo -wS` prints: 4 KiB in 50 microseconds, and more for more."""
    curve = [45 + size / 400 for size in (512 << slot for slot in range(15))]
    text = pastes.diskinfo(curve, description=f"ATA {MODEL}", ident=SERIAL, media_size=CAPACITY, path=disk)
    place = "id1,enc@n5003048001f8ea7d/type@0/slot@4/elmdesc@Slot_04"
    return text.replace("\tNot_Zoned", f"\tmps0\t# Attachment\n\t{place}\t# Physical path\n\tNot_Zoned")


# ANSWER is the file of what a tool prints
PRINT = r"""
case ${0##*/}$1 in
lsblk-nro) grep -F "NAME=\"$3\"" ANSWER | sed 's#^NAME="/dev/\([^"]*\)".*#\1#' ;;
*) cat ANSWER ;;
esac"""

FAKE_FIO = r"""
bytes_of() {
    case $1 in *k) echo $((${1%k} * 1024)) ;; *m) echo $((${1%m} * 1048576)) ;; *) echo "$1" ;; esac
}
n=0
for word; do case $word in --name=*) name=${word#--name=} ;; --bs=*)
    size=$(bytes_of "${word#--bs=}")B
    bs="(R) $size-$size, (W) $size-$size, (T) $size-$size"
    echo "$name: (g=$n): rw=randwrite, bs=$bs, ioengine=psync, iodepth=1"
    n=$((n + 1)) ;;
esac; done
echo "fio-3.33"
echo "Starting $n processes"
echo
n=0
for word; do case $word in --name=*) name=${word#--name=} ;; --bs=*)
    bytes=$(bytes_of "${word#--bs=}")
    iops=$((1000000 / (45 + bytes / 400)))
    echo "$name: (groupid=$n, jobs=1): err= 0: pid=10$n: Sat Nov 21 07:04:17 2026"
    echo "  write: IOPS=$iops, BW=$((bytes * iops / 1024))KiB/s (1kB/s)(1611KiB/1001msec); 0 zone resets"
    echo "     lat (usec): min=16, max=2094, avg=53.69, stdev=39.19"
    echo "  cpu          : usr=2.50%, sys=7.70%, ctx=6442, majf=0, minf=16"
    n=$((n + 1)) ;;
esac; done
"""


def in_turn(names: str, cases: Iterable[Any], machine: str = "linux_machine") -> pytest.MarkDecorator:
    """Each case on one of the shells, in turn; whole runs are tried on both."""
    pairs = zip(cases, cycle(SHELLS), strict=False)
    rows = [(*case, shell) if "," in names else (case, shell) for case, shell in pairs]
    return pytest.mark.parametrize(f"{names},{machine}", rows, indirect=[machine])


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run of the script ended, and what it said."""

    status: int
    out: str
    err: str

    @property
    def sent_text(self) -> str:
        """What it showed as all that is sent."""
        return self.err.partition("published -----\n")[2].partition("----- to ")[0]


class Machine:
    """One machine; `prints` and `tool` change what its tools do."""

    script = SCRIPT

    def __init__(self, folder: Path, system: str, shell: str) -> None:
        self.folder, self.system, self.shell = folder, system, SHELLS[shell]
        self.disk = DISK_OF[system]
        self.bin = folder / "bin"
        self.temporary = folder / "tmp"
        for directory in (self.bin, self.temporary, folder / "answers"):
            directory.mkdir()
        self.tool("uname", f'case $1 in -n) echo nas-77 ;; *) echo "{system}" ;; esac')
        self.tool("hostname", "echo nas-77.example.org")
        self.tool("id", "case $1 in -u) echo 0 ;; *) echo root ;; esac")
        self.tool("logname", "echo jo-smith")
        self.tool("sleep", "")
        self.kinds({self.disk: "b" if system == "Linux" else "c"})
        self.prints("smartctl", SMARTCTL)
        for name in ("zpool", "zdb"):
            self.tool(name, "exit 1")

    @property
    def calls(self) -> str:
        log = self.folder / "calls"
        return log.read_text() if log.exists() else ""

    @property
    def wrote_to_a_disk(self) -> bool:
        return any(word in self.calls for word in ("fio ", "diskinfo ", "slogprobe.py "))

    def tool(self, name: str, body: str) -> Self:
        """A fake of that name; `body` is what it does after the call was written down."""
        path = self.bin / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>"{self.folder}/calls"\n{body}\n')
        path.chmod(0o755)
        return self

    def prints(self, name: str, text: str) -> Self:
        """The tool prints the text, whatever it is asked. lsblk -nro names a disk and what is on it."""
        (self.folder / "answers" / name).write_text(text)
        return self.tool(name, PRINT.replace("ANSWER", f'"{self.folder}/answers/{name}"'))

    def kinds(self, kinds: Mapping[str, str]) -> Self:
        """What `ls -l` shows of files of /dev: "b", "c" or "l"."""
        cases = "".join(
            f'{path}) echo "{kind}rw-r----- 1 root 0, 1 {path}" ;;\n' for path, kind in kinds.items()
        )
        return self.tool(
            "ls", f"for path; do :; done\ncase $path in\n{cases}/dev/*) exit 1 ;;\n*) exit 1 ;;\nesac"
        )

    def run(self, *arguments: str, types: str | None = None, **settings: str) -> Outcome:
        """Run the script; `types` is what somebody types at its questions, None where there is no terminal."""
        environment = {"PATH": f"{self.bin}:{os.environ['PATH']}", "TMPDIR": str(self.temporary), **settings}
        command = [*self.shell, str(self.script), *arguments]
        if types is None:
            return _run(command, environment, subprocess.DEVNULL)
        keyboard, terminal = pty.openpty()
        try:
            os.write(keyboard, types.encode())
            return _run(command, environment, terminal)
        finally:
            os.close(keyboard)
            os.close(terminal)


def _run(command: list[str], environment: dict[str, str], stdin: int) -> Outcome:
    done = subprocess.run(
        command,
        env=environment,
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        start_new_session=True,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def lsblk_row(**values: str) -> str:
    """A line of `lsblk -P`: the free disk, but for what is given (`PKNAME`, `LOG_SEC`…)."""
    disk = {"NAME": "/dev/sdz", "TYPE": "disk", "SIZE": str(CAPACITY), "RO": "0", "LOG-SEC": "512"}
    identity = {"MODEL": MODEL, "SERIAL": SERIAL, "WWN": f"0x{WWN}", "TRAN": "sata"}
    given = {**disk, **identity, **{name.replace("_", "-"): value for name, value in values.items()}}
    return " ".join(f'{name}="{given.get(name, "")}"' for name in COLUMNS) + "\n"


def lsblk_below(name: str, **values: str) -> str:
    """A line of what stands on the free disk: a partition unless something else is said."""
    nothing = dict.fromkeys(IDENTITY, "")
    return lsblk_row(**{"NAME": name, "PKNAME": "/dev/sdz", "TYPE": "part", **nothing, **values})


def linux(folder: Path, shell: str) -> Machine:
    machine = Machine(folder, "Linux", shell)
    machine.prints("lsblk", lsblk_row())
    for name in ("swapon", "findmnt", "wipefs"):
        machine.tool(name, "")
    machine.tool("blkid", "exit 2")
    return machine.tool("fio", FAKE_FIO)


def geom_disk(name: str, **values: str) -> str:
    """One disk as `geom disk list` shows it; `Mode` is r0w0e0 for one that nobody holds."""
    shown = {"Mediasize": f"{CAPACITY} (373G)", "Sectorsize": "512", "Mode": "r0w0e0"}
    shown |= {"descr": f"ATA {MODEL}", "lunid": WWN, "ident": SERIAL, "rotationrate": "0", **values}
    lines = "".join(f"   {key}: {value}\n" for key, value in shown.items())
    return f"Geom name: {name}\nProviders:\n1. Name: {name}\n{lines}\n"


def freebsd(folder: Path, shell: str) -> Machine:
    machine = Machine(folder, "FreeBSD", shell)
    geoms(
        machine,
        f"0 DISK da9 {CAPACITY} 512 hd 255 sc 63\n1 LABEL diskid/DISK-{SERIAL} {CAPACITY} 512 i 0 o 0\n",
    )
    machine.tool("geom", f'cat "{folder}/answers/geom-$3" 2>/dev/null').prints("geom-da9", geom_disk("da9"))
    machine.prints("diskinfo", diskinfo_text("/dev/da9"))
    for name in ("mount", "swapinfo"):
        machine.tool(name, "")
    for name in ("gpart", "fstyp"):
        machine.tool(name, "exit 1")
    return machine


def geoms(machine: Machine, conftxt: str, disks: str = "cd0 da9 ada0") -> None:
    """What sysctl shows of kern.geom.conftxt and kern.disks."""
    (machine.folder / "answers" / "conftxt").write_text(conftxt)
    shown = f'cat "{machine.folder}/answers/conftxt"'
    machine.tool("sysctl", f'case $2 in kern.disks) echo "{disks}" ;; *) {shown} ;; esac')
