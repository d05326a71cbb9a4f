"""`bin/bench`: every bar in one run, as a table with a verdict each; `bin/bench NAME` runs one benchmark.

The exit status is 1 when a bar is missed or could not be measured.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from importlib import import_module

from bench import bars, flood, hostile, idle, lookups, misses, pages, parsers, storage, submissions, wrk
from bench.bars import BenchmarkError, Row
from bench.site import DataSet, DataSets, log

BARS = (
    "parsers",
    "idle",
    "imports",
    "pages",
    "misses",
    "flood",
    "prices",
    "file_sync",
    "storage",
    "hostile",
    "lookups",
    "submissions",
    "ranking",
)
# Judged as multiples of an empty view that is measured before each of them
IN_MS = {"pages", "misses", "flood", "prices", "file_sync", "hostile", "lookups", "submissions"}
WITHOUT_BARS = ("exports",)
OTHERS = ("soak", "codespeed", "lighthouse", "slogprobe", "starts")  # these have their own arguments


@dataclass(frozen=True, slots=True)
class Sizes:
    """The amounts measured: results of both data sets, texts, product lines, prices, results of file_sync, rounds."""

    few: int = 10_000
    many: int = 1_000_000
    texts: int = 20_000
    products: int = 2000
    prices: int = 100_000
    file_syncs: int = 10_000
    submissions: int = 200
    rounds: int = 5
    seconds: int = 2
    rest_s: int = 20


QUICK = Sizes(
    few=1000,
    many=5000,
    texts=500,
    products=200,
    prices=5000,
    file_syncs=500,
    submissions=40,
    rounds=1,
    seconds=1,
    rest_s=2,
)


def benchmarks(data: DataSets, sizes: Sizes) -> dict[str, Callable[[], list[Row]]]:
    """The benchmarks with bars, in order: those that change the large data set run after those that read it."""
    load = {"rounds": sizes.rounds, "seconds": sizes.seconds}
    return {
        "parsers": parsers.measure,
        "idle": lambda: idle.measure(sizes.rest_s),
        "imports": lambda: in_django(data.of(0), "imports", sizes.texts),
        "pages": lambda: pages.measure(data.of(sizes.many), **load),
        "misses": lambda: misses.measure(data.of(sizes.few), data.of(sizes.many), **load),
        "flood": lambda: flood.measure(data.of(sizes.few)),
        "prices": lambda: in_django(data.of(sizes.many), "prices", sizes.products, sizes.prices),
        "file_sync": lambda: in_django(data.of(sizes.many), "file_sync", sizes.file_syncs),
        "storage": lambda: storage.measure(data.of(sizes.few)),
        "hostile": lambda: hostile.measure(data.of(sizes.few), seconds=5 * sizes.seconds),
        "lookups": lambda: lookups.measure(data.of(sizes.many)),
        "submissions": lambda: submissions.measure(data.of(sizes.many), submissions=sizes.submissions),
        "ranking": lambda: in_django(data.of(sizes.many), "ranking", min(sizes.rounds, 3)),
        "exports": lambda: in_django(data.of(sizes.many), "exports"),
    }


def main(arguments: Sequence[str]) -> int:
    """Run the benchmarks; return the exit status."""
    if arguments and arguments[0] in OTHERS:
        status: int = import_module(f"bench.{arguments[0]}").main(arguments[1:])
        return status
    options = _parser().parse_args(arguments)
    names = [options.name] if options.name else list(BARS)
    if IN_MS.intersection(names) and (missing := wrk.missing_tools()):
        sys.stderr.write(f"{missing}\n")
        return 2
    rows = measure(names, QUICK if options.quick else Sizes())
    sizes = " with --quick, whose sizes are not those of the bars" if options.quick else ""
    sys.stdout.write(f"{date.today()}{sizes}\n\n{bars.table(rows)}")  # noqa: DTZ011 - of this machine
    return 0 if options.name in WITHOUT_BARS else bars.status(rows)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bin/bench", description=__doc__.partition("\n")[0])
    parser.add_argument("name", nargs="?", choices=[*BARS, *WITHOUT_BARS, *OTHERS], help="one of them alone")
    parser.add_argument(
        "--quick", action="store_true", help="small data sets and short rounds, to try it out"
    )
    return parser


def measure(names: Sequence[str], sizes: Sizes) -> list[Row]:
    """The rows of these benchmarks; one that fails has a row with the reason, and the others continue."""
    rows: list[Row] = []
    with DataSets() as data:
        for name in names:
            began = time.monotonic()
            try:
                rows += measure_one(name, data, sizes)
            except Exception as error:  # noqa: BLE001 - any error fails only this benchmark
                rows.append(bars.failure(name, error))
            log(f"{name}: {time.monotonic() - began:.0f} s")
    return rows


def measure_one(name: str, data: DataSets, sizes: Sizes) -> list[Row]:
    """The rows of a benchmark, with the empty view if it is judged by that."""
    benchmark = benchmarks(data, sizes)[name]
    if name not in IN_MS:
        return benchmark()
    empty_ms = wrk.empty_view_ms(data.of(0))
    floor = Row(f"empty Django view before {name}, median alone", empty_ms, "ms")
    return bars.beside_empty_view([floor, *benchmark()], empty_ms)


def in_django(data: DataSet, name: str, *arguments: int) -> list[Row]:
    """The rows from that benchmark's `measure`, run in a Django process of the data set."""
    code = (
        f"import json; from bench.{name} import measure; print('ROWS', json.dumps(measure(*{arguments!r})))"
    )
    done = subprocess.run(  # noqa: S603 - the project's own command
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", code],
        env=data.environment,
        capture_output=True,
        text=True,
    )
    last = done.stdout.strip().rpartition("\n")[2]
    if done.returncode or not last.startswith("ROWS "):
        raise BenchmarkError(f"{done.stderr[-500:] or done.stdout[-500:]}")
    return [Row(*cells) for cells in json.loads(last.removeprefix("ROWS "))]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
