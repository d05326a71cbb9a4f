"""Commands that measure a pool with and without a log device: the arrangement of a talk of 2018."""

import re
from dataclasses import dataclass

from results.advice.openzfs import facts

LONGEST_POOL, LONGEST_LOG = 100, 60
EXAMPLE_POOL, USUAL_MEMORY_GIB = "tank", 64
THREADS = (1, 4, 16)
SYNC_MODES = ("standard", "always", "disabled")
WORKLOADS = {"randwrite": "4k", "write": "128k"}  # with their block sizes
SECONDS = 30  # of a run
SCRATCH = "slogdb-test"  # the dataset that is made and destroyed
_POOL = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_LOG = re.compile(r"(?:/dev/)?[A-Za-z0-9][A-Za-z0-9_.:/-]*")
_RESERVED = re.compile(r"(?:mirror|raidz|draid|spare|log|c[0-9]).*")


@dataclass(frozen=True, slots=True)
class TestStep:
    """A step of the test: its title, what it does, and its commands."""

    title: str
    meaning: str
    commands: str


def clean_pool(text: str) -> str:
    """The name of a pool; raises ValueError."""
    name = text.strip()
    if len(name) > LONGEST_POOL or not _POOL.fullmatch(name) or _RESERVED.fullmatch(name):
        raise ValueError(f"Enter the pool’s name as “zpool list” prints it, such as {EXAMPLE_POOL}.")
    return name


def clean_log(text: str) -> str:
    """The node or name of a log device without /dev/, or ""; raises ValueError."""
    name = text.strip().removeprefix("/dev/")
    if name and (len(name) > LONGEST_LOG or not _LOG.fullmatch(name) or ".." in name):
        raise ValueError("Enter the log device as “zpool status” prints it, such as nvme0n1.")
    return name


def run_seconds() -> int:
    """How long all runs of one arrangement take."""
    return len(THREADS) * len(SYNC_MODES) * len(WORKLOADS) * SECONDS


def commands_for_pool(pool: str, log: str, memory_gib: int) -> tuple[TestStep, ...]:
    """The steps for a pool; `log` is its log device or ""."""
    data_set, saved_as = f"{pool}/{SCRATCH}", f"slogdb-{pool}.txt"
    steps = [
        TestStep(
            "1. Create a scratch dataset",
            "It holds only the test’s files. Nothing else on the pool is touched.",
            f"zfs create -o compression=off -o atime=off {data_set}",
        ),
        TestStep(
            "2. Measure",
            f"About {run_seconds() // 60} minutes of full load on the pool. Only the scratch dataset has "
            "sync=disabled.",
            _measure(pool, data_set, log, saved_as, memory_gib),
        ),
    ]
    if log:
        steps.append(
            TestStep(
                "3. Measure without the log device, then put it back",
                f"{_REMOVING} For a mirrored one, name the mirror (such as mirror-2) in the first command, and “log "
                f"mirror” with both devices in the others. {_ADDING}",
                f"zpool remove {pool} {log}\n# repeat step 2\n{_add(pool, log)}",
            )
        )
    else:
        steps.append(
            TestStep(
                "3. Have a log device? Measure with it, too",
                f"Repeat step 2 for each device you add. {_ADDING} {_REMOVING}",
                f"{_add(pool, 'DEVICE')}\n# repeat step 2\nzpool remove {pool} DEVICE",
            )
        )
    steps.append(
        TestStep(
            "4. Destroy the scratch dataset",
            "This destroys the dataset from step 1 and the test’s files, nothing else.",
            f"zfs destroy {data_set}",
        )
    )
    return tuple(steps)


_ADDING = (
    "“zpool add -n” only shows the layout that would result: continue if the device is listed under “logs”. "
    "Without the word “log” it would become a data vdev, and in a pool with RAIDZ that can’t be undone."
)
_REMOVING = (
    "A healthy log device can be removed while the pool is in use "
    f"(OpenZFS {facts()['removal_fix'].releases} fix a bug in that); removing a failing one can hang the pool."
)


def _add(pool: str, log: str) -> str:
    """Add a log device, after a look at what that would do."""
    return f"zpool add -n {pool} log {log}\nzpool add {pool} log {log}"


def _measure(pool: str, data_set: str, log: str, saved_as: str, memory_gib: int) -> str:
    """The runs as one shell command: each has the pool’s state and its own command above its output."""
    workloads = " ".join(f"{rw}:{size}" for rw, size in WORKLOADS.items())
    describe = f'\necho "# smartctl -i /dev/{log}"\nsmartctl -i /dev/{log}' if log else ""
    total_mib = 2 * memory_gib * 1024  # beyond what memory can hold
    return f"""(dir=$(zfs list -H -o mountpoint {data_set}) && cd "$dir" || exit
zpool status {pool}{describe}
for sync in {" ".join(SYNC_MODES)}; do
  for test in {workloads}; do
    zfs set sync=$sync recordsize=${{test#*:}} {data_set}
    zfs get recordsize,compression,sync {data_set}
    for threads in {" ".join(map(str, THREADS))}; do
      set -- fio --name=slogdb --directory="$dir" --rw=${{test%:*}} --bs=${{test#*:}} \\
        --size=$(({total_mib} / threads))m --numjobs=$threads --group_reporting \\
        --ioengine=psync --runtime={SECONDS} --time_based
      echo "# $*"
      "$@"
      rm -f "$dir"/slogdb.[0-9]*
    done
  done
done) 2>&1 | tee -a {saved_as}"""
