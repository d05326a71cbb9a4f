"""`bin/bench slogprobe [FOLDER]`: slogprobe's 4 KiB latency against fio's on one file, in five interleaved runs.

Both write the same file at random places past the page cache, one write and its fdatasync at a time, and take turns
in who begins. Needs fio, and a folder on a disk that is otherwise idle. The bar is on the typical write: on a busy
machine a few slow ones decide a mean.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench import bars
from bench.bars import BenchmarkError, Row

PROGRAM = Path(__file__).parents[1] / "results" / "submissions" / "slogprobe.py"
FILE_BYTES = 256 << 20
RUNS = 5
SECONDS = 5.0
WARM_UP_SECONDS = 1.0
MAX_RATIO = 1.15  # of the higher median to the lower


class Latency(NamedTuple):
    """The µs of a write and its flush in one run."""

    mean: float
    p50: float


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/bench slogprobe", description=__doc__)
    parser.add_argument("folder", nargs="?", default=tempfile.gettempdir(), help="where the file is made")
    options = parser.parse_args(arguments)
    rows = measure(Path(options.folder))
    sys.stdout.write(bars.table(rows))
    return bars.status(rows)


def measure(folder: Path) -> list[Row]:
    """Each program's median over its runs, in µs, and the ratio of the two."""
    if shutil.which("fio") is None:
        raise BenchmarkError("fio is missing (Debian: apt-get install fio)")
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        file.truncate(FILE_BYTES)
        path = Path(file.name)
        _run(
            "dd",
            "if=/dev/urandom",
            f"of={path}",
            "bs=1M",
            f"count={FILE_BYTES >> 20}",
            "conv=notrunc",
        )
        found: dict[Callable[[Path], Latency], list[Latency]] = {_by_slogprobe: [], _by_fio: []}
        for run in range(RUNS):
            for measure_once in (_by_slogprobe, _by_fio)[:: -1 if run % 2 else 1]:
                found[measure_once].append(measure_once(path))
    rows = []
    for name, limit in (("p50", MAX_RATIO), ("mean", None)):
        ours, theirs = (median(getattr(each, name) for each in runs) for runs in found.values())
        rows += [
            Row(f"{name} of 4 KiB by slogprobe, median of {RUNS} runs", ours, "µs"),
            Row(f"{name} of 4 KiB by fio, the same", theirs, "µs"),
            Row(f"{name}: the higher relative to the lower", max(ours / theirs, theirs / ours), limit=limit),
        ]
    return rows


def _by_slogprobe(path: Path) -> Latency:
    seconds = (str(WARM_UP_SECONDS), str(SECONDS), "0.01")
    printed = _run(sys.executable, str(PROGRAM), "--overwrite", str(path), "--seconds", *seconds)
    found = re.search(r"^4 KiB: .* mean ([0-9.]+), p50 ([0-9.]+)", printed, re.MULTILINE)
    if found is None:
        raise BenchmarkError(f"slogprobe printed no figure: {printed}")
    return Latency(mean=float(found[1]), p50=float(found[2]))


def _by_fio(path: Path) -> Latency:
    """1 s / IOPS, as we read results of fio, and the sum of the p50 of a write and that of its flush."""
    printed = _run(
        *("fio", "--name=slog", f"--filename={path}", f"--size={FILE_BYTES}", "--rw=randwrite"),
        *(
            "--norandommap",
            "--bs=4096",
            "--ioengine=psync",
            "--direct=1",
            "--fdatasync=1",
            "--refill_buffers",
        ),
        *(
            f"--ramp_time={WARM_UP_SECONDS:g}",
            f"--runtime={SECONDS:g}",
            "--time_based",
            "--output-format=json",
        ),
    )
    job = json.loads(printed)["jobs"][0]
    p50s = (job["write"]["clat_ns"]["percentile"], job["sync"]["lat_ns"]["percentile"])
    return Latency(mean=1e6 / job["write"]["iops"], p50=sum(each["50.000000"] for each in p50s) / 1000)


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True)  # noqa: S603 - fio, dd and our own program
    if done.returncode:
        raise BenchmarkError(f"{command[0]} failed: {done.stderr[-300:]}")
    return done.stdout
