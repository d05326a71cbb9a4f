"""`bin/bench starts`: how long bin/serve takes to start, by phase, compared with an earlier commit.

Both are cloned into folders of their own. A cold start has neither packages nor data, a first one has no data, and
the last has both. They take turns, so that whatever else the machine does slows both.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench import bars
from bench.bars import BenchmarkError, Row
from bench.site import free_port, log
from slogdb.local.stack import plain_environment

ROOT = Path(__file__).resolve().parents[1]
EARLIER = "7a6f52f4"  # before starts were measured
NOW, THEN = "now", "then"
# The largest part of the earlier commit's time.
BARS = {"cold": 0.75, "first, packages there": 0.60, "with data": 0.55}
COLD, FIRST, WITH_DATA = BARS
STARTS_WITHIN_S = 900
# Not passed on: servers that are running already, and what keeps Python from writing bytecode.
LEFT_OUT = ("DATABASE_URL", "REDIS_URL", "SLOGDB_STATIC_ROOT", "PYTHONDONTWRITEBYTECODE")
UP = " answers."


class Phase(NamedTuple):
    """What bin/serve printed, and the seconds until it printed the next line."""

    line: str
    seconds: float


def main(arguments: Sequence[str]) -> int:
    """Run the benchmark; return the exit status."""
    parser = argparse.ArgumentParser(prog="bin/bench starts", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="of the starts with packages (3)")
    parser.add_argument("--warm", action="store_true", help="take this checkout's packages; no cold start")
    options = parser.parse_args(arguments)
    starts = (
        [FIRST, WITH_DATA] * options.rounds if options.warm else [COLD, *[FIRST, WITH_DATA] * options.rounds]
    )
    rows = measure(starts, is_warm=options.warm)
    sys.stdout.write(bars.table(rows))
    return bars.status(rows)


def measure(starts: Sequence[str], *, is_warm: bool) -> list[Row]:
    """The rows of these kinds of starts, in order; without a cold one, the packages are those of this checkout."""
    found: dict[str, dict[str, list[list[Phase]]]] = defaultdict(lambda: defaultdict(list))
    with tempfile.TemporaryDirectory(prefix="slogdb-starts-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as another user
        clones = {name: Path(folder, name) for name in (THEN, NOW)}
        for name, clone in clones.items():
            _clone(EARLIER if name == THEN else _this_commit(), clone)
            if is_warm:
                (clone / ".venv").symlink_to((ROOT / ".venv").resolve())
        for kind in starts:
            for name, clone in clones.items():
                if kind != WITH_DATA:
                    shutil.rmtree(clone / "var", ignore_errors=True)
                phases = start_once(clone)
                found[kind][name].append(phases)
                log(f"{kind}, {name}: {total(phases):.1f} s")
    return [row for kind, by_name in found.items() for row in rows(kind, by_name)]


def rows(kind: str, runs: dict[str, list[list[Phase]]]) -> list[Row]:
    """The ratio of the medians, both medians, and the phases of the run of now that is nearest to its median."""
    medians = {name: statistics.median(map(total, some)) for name, some in runs.items()}
    typical = min(runs[NOW], key=lambda phases: abs(total(phases) - medians[NOW]))
    return [
        Row(f"start, {kind}: of {EARLIER}'s time", medians[NOW] / medians[THEN], "", BARS[kind]),
        Row(f"start, {kind}: {EARLIER}", medians[THEN], "s"),
        Row(f"start, {kind}: this checkout", medians[NOW], "s"),
        *(Row(f"start, {kind}: … {phase.line}", phase.seconds, "s") for phase in typical),
    ]


def total(phases: Sequence[Phase]) -> float:
    """Seconds from the command to the line that says that the site answers."""
    return sum(phase.seconds for phase in phases)


def start_once(clone: Path) -> list[Phase]:
    """Run bin/serve until it answers, and stop it. Its errors, and pip's warnings, aren't phases."""
    environment = {name: value for name, value in plain_environment().items() if name not in LEFT_OUT}
    environment |= {"PORT": str(free_port()), "PYTHONUNBUFFERED": "1"}
    began, line, phases = time.monotonic(), "bin/serve", []
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as errors,
        subprocess.Popen(  # noqa: S603 - the project's own server
            [str(clone / "bin" / "serve")],
            cwd=clone,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as serving,
    ):
        deadline = threading.Timer(STARTS_WITHIN_S, serving.kill)
        deadline.start()
        try:
            for printed in serving.stdout or ():
                now = time.monotonic()
                phases.append(Phase(line, now - began))
                began, line = now, printed.strip().replace(str(clone), "…")
                if UP in printed:
                    return phases
        finally:
            deadline.cancel()
            serving.terminate()
            serving.communicate()  # it says what it stops
        errors.seek(0)
        raise BenchmarkError(f"bin/serve of {clone.name} did not start: {errors.read()[-1000:] or line}")


def _this_commit() -> str:
    """A commit with what isn't committed yet."""
    return _git("stash", "create", "starts measured") or _git("rev-parse", "HEAD")


def _clone(commit: str, folder: Path) -> None:
    _git("clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(folder))
    _git("-C", str(folder), "checkout", "--quiet", commit)


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, env=os.environ)  # noqa: S603, S607
    if done.returncode:
        raise BenchmarkError(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()
